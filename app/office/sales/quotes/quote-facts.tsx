import { EmailText } from "#app/components/email-text.tsx";
import { Fact } from "#app/components/fact.tsx";
import { staffNamesOf } from "#app/features/quotes/quote.ts";
import { QuoteStatusBadge } from "#app/features/quotes/quote-status-badge.tsx";
import { OfficeLink } from "#app/office/frame/duties.tsx";
import { formatMinute } from "#shared/text/dates.ts";
import { writtenPhone } from "#shared/text/phone.ts";
import type { QuoteRecord } from "./quote.admin-queries.ts";

/** Who requested it, for which school, and the quote's state. */
export function QuoteFacts({ quote }: { quote: QuoteRecord }) {
  return (
    <dl className="figures grid gap-x-6 gap-y-3 @xl:grid-cols-2 @4xl:grid-cols-4">
      <Fact className="" name="Status">
        <QuoteStatusBadge status={quote.status} names={staffNamesOf(quote)} />
      </Fact>
      <Fact className="font-semibold wrap-anywhere" name="School">
        {quote.institution ?? "N/A"}
      </Fact>
      <Fact className="wrap-anywhere" name="Contact">
        {quote.user_id ? (
          <OfficeLink to={`/admin/users/${quote.user_id}`} className="text-green underline">
            <bdi>{quote.contact_name ?? "N/A"}</bdi>
          </OfficeLink>
        ) : (
          (quote.contact_name ?? "N/A")
        )}
        <span className="block text-13">
          <EmailText address={quote.contact_email} />
        </span>
        <span className="block text-13">{quote.contact_phone && writtenPhone(quote.contact_phone)}</span>
      </Fact>
      <Fact className="" name={quote.begun_by_staff ? "Created" : "Requested"}>
        {formatMinute(quote.created_at)}
        {quote.sent_at && (
          <span className="block text-13 text-muted">Sent {formatMinute(quote.sent_at)}</span>
        )}
        {quote.decided_at && (
          <span className="block text-13 text-muted">Decided {formatMinute(quote.decided_at)}</span>
        )}
      </Fact>
      {quote.purchase_order_number && (
        <Fact className="font-semibold wrap-anywhere" name="Purchase order">
          {quote.purchase_order_number}
          {quote.order_number !== null && (
            <OfficeLink
              to={`/admin/orders?order=${quote.order_number}`}
              className="block font-normal text-green underline"
            >
              Order {quote.order_number}
            </OfficeLink>
          )}
        </Fact>
      )}
      {quote.message && (
        <Fact wide className="wrap-anywhere whitespace-pre-line" name="Message">
          {quote.message}
        </Fact>
      )}
    </dl>
  );
}
