import { Link } from "react-router";
import { Button, buttonClass } from "#app/components/button.tsx";
import { showToast } from "#app/components/toast.ts";
import { saveTable } from "#app/lib/tables/save-table.ts";
import { OfficeIcon } from "#app/office/components/office-icon.tsx";
import { useAdminMutation, useAdminQuery } from "#app/office/frame/admin-data.ts";
import { EmailState, SendAgain } from "#app/office/frame/emails/email-state.tsx";
import { purchaseTable } from "#shared/orders/purchase-file.ts";
import { emailPurchase, listPurchaseEmails, type PurchaseRecord } from "./purchase.admin-queries.ts";
import { purchaseSheetPath } from "./purchase.ts";

/** Printing, the file for the supplier, and the email to them with what became of it. */
export function PurchaseOutputs({ purchase }: { purchase: PurchaseRecord }) {
  async function save() {
    showToast("success", "File saved", { description: await saveTable(purchaseTable(purchase), "csv") });
  }
  return (
    <div>
      <div className="flex flex-wrap gap-2">
        <Link
          to={purchaseSheetPath(purchase.id)}
          className={buttonClass({ variant: "secondary", size: "small" })}
        >
          <OfficeIcon name="print" />
          Print
        </Link>
        <Button variant="secondary" size="small" onClick={save}>
          <OfficeIcon name="download" />
          CSV
        </Button>
      </div>
      {purchase.reference && <PurchaseEmails purchase={purchase} />}
    </div>
  );
}

/** The emails to the supplier, newest first; the one for the current version can be sent again. */
function PurchaseEmails({ purchase }: { purchase: PurchaseRecord }) {
  const { id, status, email } = purchase;
  const { data: emails } = useAdminQuery(
    ["purchases", "emails", id],
    (client) => listPurchaseEmails(client, id),
    { refreshing: "often" },
  );
  const send = useAdminMutation({
    run: (client) => emailPurchase(client, purchase),
    success: () => ({ title: "The email will be sent" }),
    failure: "Failed to email the purchase order",
  });
  if (!emails) return null;
  const isOpen = status === "sent" || status === "part_received";
  const current = emails.find(({ is_current }) => is_current);
  return (
    <div className="mt-3 max-w-2xl">
      {isOpen && !current && email && (
        <>
          <Button
            variant="secondary"
            size="small"
            busy={send.isPending}
            onClick={() => send.mutate(undefined)}
          >
            <OfficeIcon name="mail" />
            Email the Supplier
          </Button>
          <p className="mt-2 text-13 wrap-anywhere text-muted">
            To {email}, with the order as a PDF and as CSV.
          </p>
        </>
      )}
      {isOpen && !email && (
        <p className="text-13 text-muted">The supplier has no email address: the order can't be emailed.</p>
      )}
      {emails.length > 0 && (
        <ul aria-label="Emails to the supplier" className="figures">
          {emails.map((one) => (
            <li
              key={one.id}
              className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1 border-t border-line py-2 text-15"
            >
              <div>
                Email: <EmailState email={one} />
                {!one.is_current && <span className="block text-13 text-muted">For an earlier version</span>}
              </div>
              {isOpen && one === current && one.state !== "waiting" && <SendAgain email={one} />}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
