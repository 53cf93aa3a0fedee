import { useState } from "react";
import { Button, buttonClass } from "#app/components/button.tsx";
import { ConfirmDialog } from "#app/components/confirm-dialog.tsx";
import { CopyButton } from "#app/components/copy-button.tsx";
import { InputField } from "#app/components/field.tsx";
import { currentShop } from "#app/lib/pages/current-shop.ts";
import { useAdminMutation } from "#app/office/frame/admin-data.ts";
import { OfficeLink } from "#app/office/frame/duties.tsx";
import { isPhone, whatsAppAddress } from "#shared/text/phone.ts";
import { createQuoteLink, type QuoteRecord, stopQuoteLinks } from "./quote.admin-queries.ts";

/** How a customer without an account gets their quote: links that open it without signing in, until staff stop them. */
export function QuoteLink({ quote, onSaved }: { quote: QuoteRecord; onSaved: (version: number) => void }) {
  const [address, setAddress] = useState<string | null>(null);
  const [stopping, setStopping] = useState(false);
  const create = useAdminMutation({
    run: createQuoteLink,
    success: () => null,
    failure: "Failed to create the link",
    onSuccess: (token) => setAddress(`${window.location.origin}/quotes/${quote.id}#${token}`),
  });
  const stop = useAdminMutation({
    run: stopQuoteLinks,
    success: () => ({ title: "Links stopped" }),
    failure: "Failed to stop the links",
    onSuccess(version) {
      setAddress(null);
      onSaved(version);
    },
  });
  const isClaimed = quote.user_id !== null;
  const text = `${currentShop().name}: your quote ${quote.reference} ${address}`;
  return (
    <section aria-labelledby="quote-link" className="flex flex-col items-start gap-3">
      <h2 id="quote-link" className="text-17 font-semibold">
        Link for the customer
      </h2>
      <p className="measure text-muted">{isClaimed ? <Claimed quote={quote} /> : hintOf(quote)}</p>
      {address && (
        <div className="grid w-full max-w-2xl gap-3">
          <InputField
            label="Link"
            readOnly
            value={address}
            hint="Shown only now. You can always create another one; earlier links stay valid."
            onFocus={({ target }) => target.select()}
          />
          <div className="flex flex-wrap gap-3">
            <CopyButton text={address} name="link" />
            {quote.contact_phone && isPhone(quote.contact_phone) && (
              <a
                href={`${whatsAppAddress(quote.contact_phone)}?text=${encodeURIComponent(text)}`}
                target="_blank"
                rel="noreferrer"
                className={buttonClass({ variant: "secondary", size: "small" })}
              >
                Send by WhatsApp
              </a>
            )}
          </div>
        </div>
      )}
      {quote.reference && (
        <div className="flex flex-wrap gap-3">
          {!isClaimed && (
            <Button
              variant="secondary"
              size="small"
              busy={create.isPending}
              onClick={() => create.mutate(quote.id)}
            >
              {address ? "Create Another Link" : "Create Link"}
            </Button>
          )}
          {(isClaimed || quote.has_links || address) && (
            <Button
              variant="quiet-danger"
              size="small"
              busy={stop.isPending}
              onClick={() => setStopping(true)}
            >
              {isClaimed ? "Remove from Account" : "Stop All Links"}
            </Button>
          )}
        </div>
      )}
      <ConfirmDialog
        open={stopping}
        question={isClaimed ? "Remove this quote from the account?" : "Stop all links to this quote?"}
        confirmLabel={isClaimed ? "Remove from Account" : "Stop All Links"}
        onConfirm={() => stop.mutate(quote)}
        onClose={() => setStopping(false)}
      >
        <p>
          {isClaimed
            ? "It disappears from that account's quotes, and its links stop working. For someone else, create a new link."
            : "All links to this quote stop working, including any we've emailed. You can still create a new one."}
        </p>
      </ConfirmDialog>
    </section>
  );
}

function Claimed({ quote: { user_id, account_email } }: { quote: QuoteRecord }) {
  return (
    <>
      The account{" "}
      <OfficeLink to={`/admin/users/${user_id}`} className="wrap-anywhere text-green underline">
        <bdi>{account_email}</bdi>
      </OfficeLink>{" "}
      opened the link and added this quote. If that's the wrong account, take the quote back.
    </>
  );
}

const hintOf = ({ reference }: QuoteRecord): string =>
  reference
    ? "This customer has no account. Anyone with a link can read the quote. To accept it, they sign in and add it to their account."
    : "This customer has no account. Once the quote is sent, you can create a link to it here.";
