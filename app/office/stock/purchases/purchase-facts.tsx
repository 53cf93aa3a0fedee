import { Badge } from "#app/components/badge.tsx";
import { EmailText } from "#app/components/email-text.tsx";
import { Fact } from "#app/components/fact.tsx";
import { formatMinute } from "#shared/text/dates.ts";
import type { PurchaseRecord } from "./purchase.admin-queries.ts";
import { purchaseStatusNames, purchaseStatusVariants } from "./purchase.ts";

/** The supplier, its terms, and the state of the purchase order. */
export function PurchaseFacts({ purchase }: { purchase: PurchaseRecord }) {
  const { status, reference, contact_name, email, phone, terms } = purchase;
  return (
    <dl className="figures grid gap-x-6 gap-y-3 @xl:grid-cols-2 @4xl:grid-cols-4">
      <Fact className="" name="Status">
        <Badge variant={purchaseStatusVariants[status]}>{purchaseStatusNames[status]}</Badge>
        {reference && <span className="ml-2 font-semibold">{reference}</span>}
      </Fact>
      <Fact className="font-semibold wrap-anywhere" name="Supplier">
        {purchase.supplier_name}
        {terms && <span className="block text-13 font-normal whitespace-pre-line">{terms}</span>}
      </Fact>
      <Fact className="wrap-anywhere" name="Contact">
        {contact_name ?? "N/A"}
        {email && (
          <span className="block text-13">
            <EmailText address={email} />
          </span>
        )}
        {phone && <span className="block text-13">{phone}</span>}
      </Fact>
      <Fact className="" name="Begun">
        {formatMinute(purchase.created_at)}
        {purchase.sent_at && (
          <span className="block text-13 text-muted">Sent {formatMinute(purchase.sent_at)}</span>
        )}
      </Fact>
    </dl>
  );
}
