import { useState } from "react";
import { Button } from "#app/components/button.tsx";
import { ConfirmDialog } from "#app/components/confirm-dialog.tsx";
import { DateField } from "#app/components/date-field.tsx";
import { TextareaField } from "#app/components/field.tsx";
import { useUnsavedChanges } from "#app/office/components/unsaved-changes.tsx";
import { useAdminQuery } from "#app/office/frame/admin-data.ts";
import { KeptNote } from "#app/office/frame/kept-note.tsx";
import { AddLine } from "#app/office/frame/lines/add-line.tsx";
import { BottomBar } from "#app/office/frame/lines/bottom-bar.tsx";
import { LatestVersion } from "#app/office/frame/lines/latest-version.tsx";
import { DOWNLOAD } from "#shared/orders/delivery.ts";
import { deliveryPriceWords } from "#shared/orders/quote-delivery.ts";
import { formatCedis, type Pesewas } from "#shared/text/money.ts";
import { AddMany } from "./add-many.tsx";
import { DiscountField } from "./discount-field.tsx";
import { namedLines } from "./pasted-quote.ts";
import { findQuote, type QuoteRecord } from "./quote.admin-queries.ts";
import { QuoteDelivery } from "./quote-delivery.tsx";
import { QuoteFacts } from "./quote-facts.tsx";
import { shortages } from "./quote-form.ts";
import { QuoteLineTable } from "./quote-line-table.tsx";
import { QuoteLink } from "./quote-link.tsx";
import { SendQuestion } from "./send-question.tsx";
import { keptQuote, useQuoteEditor } from "./use-quote-editor.ts";

/** One quote, which staff prepare, send and withdraw. */
export function QuoteEditor({ id }: { id: string }) {
  const found = useAdminQuery(["quotes", "record", id], (client) => findQuote(client, id));
  return (
    <LatestVersion noun="quote" found={found} keptAs={keptQuote}>
      {(quote, onSaved) => <Editor key={`${quote.id} ${quote.version}`} quote={quote} onSaved={onSaved} />}
    </LatestVersion>
  );
}

/** What delivery costs, as the customer will read it. */
function deliveryWords({ typed, delivery: { downloaded, fee } }: ReturnType<typeof useQuoteEditor>) {
  if (fee === undefined) return "–";
  const method = downloaded ? DOWNLOAD : typed.method;
  const words = deliveryPriceWords({ delivery_method: method, delivery_pricing: typed.pricing }, fee);
  return words ?? (fee !== null && formatCedis(fee));
}

const withoutAddress = ({ user_id }: QuoteRecord) =>
  user_id === null
    ? "We have no email address for this customer, so share a link with them. "
    : "Sending emails it to the account's address. ";

function Editor({ quote, onSaved }: { quote: QuoteRecord; onSaved: (version: number) => void }) {
  const editor = useQuoteEditor(quote, onSaved);
  const { typed, wrong, problem, totals, dirty } = editor;
  const [withdrawing, setWithdrawing] = useState(false);
  const [asking, setAsking] = useState(false);
  const [pasted, setPasted] = useState("");
  const short = shortages(typed.lines);
  const left = namedLines(pasted);
  const { question } = useUnsavedChanges(dirty && !editor.busy, { kept: editor.kept });
  const readOnly = quote.status === "accepted";
  return (
    <div className="flex flex-col gap-6">
      <KeptNote kept={editor.kept} className="" />
      <QuoteFacts quote={quote} />
      {(quote.user_id === null || quote.claimed_at) && !readOnly && quote.institution && (
        <QuoteLink quote={quote} onSaved={onSaved} />
      )}
      <div>
        <QuoteLineTable
          lines={typed.lines}
          wrong={wrong}
          readOnly={readOnly}
          onChange={editor.changeLine}
          onRemove={editor.removeLine}
        />
        <dl className="figures mt-3 ml-auto grid max-w-xs grid-cols-[1fr_auto] gap-x-6 gap-y-1 [&>dd]:text-right">
          <dt className="text-muted">At shop prices</dt>
          <dd>{formatCedis(totals.atShopPrices)}</dd>
          <dt className="text-muted">{totals.discount < 0 ? "Surcharge" : "Discount"}</dt>
          <dd>{formatCedis(Math.abs(totals.discount) as Pesewas)}</dd>
          <dt className="text-muted">Delivery</dt>
          <dd>{deliveryWords(editor)}</dd>
          <dt className="text-17 font-semibold">Total</dt>
          <dd className="text-17 font-semibold">{formatCedis(totals.total)}</dd>
        </dl>
      </div>
      {!readOnly && (
        <>
          <div className="grid items-start gap-6 @3xl:grid-cols-[minmax(0,1fr)_18rem]">
            <AddLine
              added={new Set(typed.lines.map(({ book_id }) => book_id))}
              there="In the quote"
              onAdd={editor.addLine}
              onAgain={editor.addCopy}
            />
            <DiscountField onApply={editor.applyDiscount} />
          </div>
          <AddMany
            quoteId={quote.id}
            added={new Set(typed.lines.map(({ book_id }) => book_id))}
            onAdd={editor.addBooks}
            onPasted={setPasted}
          />
          <div className="grid items-start gap-6 @3xl:grid-cols-[16rem_minmax(0,1fr)]">
            <DateField
              label="Valid until"
              value={typed.validUntil}
              hint="30 days from sending if left empty"
              onChange={({ target }) => editor.change({ validUntil: target.value })}
            />
            <TextareaField
              label="Note to the customer"
              rows={3}
              maxLength={2000}
              value={typed.note}
              onChange={({ target }) => editor.change({ note: target.value })}
            />
          </div>
          {!editor.delivery.downloaded && (
            <QuoteDelivery
              typed={typed}
              needsRegion={editor.delivery.fee === null}
              failure={editor.delivery.failure}
              onChange={editor.change}
            />
          )}
          <BottomBar problem={problem}>
            {(dirty || quote.status === "requested") && (
              <Button
                busy={editor.busy}
                disabled={editor.delivery.fee === undefined && typed.pricing === "fees"}
                onClick={() => (short.length + left.length > 0 ? setAsking(true) : editor.submit(true))}
              >
                {dirty ? "Save and Send" : "Send Quote"}
              </Button>
            )}
            <Button
              variant="secondary"
              disabled={!dirty}
              busy={editor.busy}
              onClick={() => editor.submit(false)}
            >
              Save Draft
            </Button>
            {(quote.status === "requested" || quote.status === "sent" || quote.status === "expired") && (
              <Button variant="quiet-danger" busy={editor.busy} onClick={() => setWithdrawing(true)}>
                Withdraw
              </Button>
            )}
            {quote.reference && quote.user_id === null && !quote.contact_email && !dirty && (
              <Button
                variant="secondary"
                onClick={() => document.getElementById("quote-link")?.scrollIntoView({ block: "center" })}
              >
                Share a Link
              </Button>
            )}
            <p className="text-13 wrap-anywhere text-muted">
              {quote.contact_email
                ? `Sending emails it to ${quote.contact_email}. `
                : quote.institution && withoutAddress(quote)}
              {quote.status !== "requested" &&
                "Saving a change takes the quote back until you send it again."}
            </p>
          </BottomBar>
        </>
      )}
      <ConfirmDialog
        open={withdrawing}
        question="Withdraw this quote?"
        confirmLabel="Withdraw Quote"
        onConfirm={editor.end}
        onClose={() => setWithdrawing(false)}
      >
        <p>The customer can no longer accept it. You can still change it and send it again.</p>
      </ConfirmDialog>
      <SendQuestion
        open={asking}
        left={left}
        short={short}
        onConfirm={() => editor.submit(true)}
        onClose={() => setAsking(false)}
      />
      {question}
    </div>
  );
}
