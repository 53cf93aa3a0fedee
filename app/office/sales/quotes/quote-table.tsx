import { Link } from "react-router";
import { staffNamesOf, staffStatusNames } from "#app/features/quotes/quote.ts";
import { QuoteStatusBadge } from "#app/features/quotes/quote-status-badge.tsx";
import type { DataColumn } from "#app/office/components/data-column.ts";
import { CustomerCell } from "#app/office/frame/customer-cell.tsx";
import { dateColumn } from "#app/office/frame/list-columns.tsx";
import { StatusList } from "#app/office/frame/status-list.tsx";
import { formatDay } from "#shared/text/dates.ts";
import { formatCedis } from "#shared/text/money.ts";
import { listQuotes, QUOTE_SORT_KEYS, type QuoteListRow } from "./quote.admin-queries.ts";

/** What staff have begun themselves is a draft and not a request. */
const filterNames = { draft: "Draft", ...staffStatusNames };
const newestFirst = { key: "created_at", descending: true } as const;

/** All quotes, newest first. */
export function QuoteTable() {
  return (
    <StatusList
      name="quotes"
      label="Quotes"
      one="quote"
      many="quotes"
      columns={columns}
      sortKeys={QUOTE_SORT_KEYS}
      defaultSort={newestFirst}
      statuses={filterNames}
      read={listQuotes}
      search="Search number, school, contact, purchase order"
      empty="No quotes found"
      beginning="No quotes yet. Customers fill their cart and choose 'Request a quote'. Their requests appear here for you to price, and so do quotes that you begin yourself."
    />
  );
}

const columns: readonly DataColumn<QuoteListRow>[] = [
  {
    id: "reference",
    header: "Quote",
    card: "title",
    className: "figures whitespace-nowrap",
    cell: (quote) => (
      <>
        <Link
          to={`/admin/quotes/${quote.id}`}
          className="inline-flex min-h-11 items-center font-semibold text-green underline @4xl:min-h-6"
        >
          {quote.reference ?? (quote.begun_by_staff ? "New quote" : "New request")}
          <span className="sr-only">
            {" "}
            for <bdi>{quote.institution ?? "N/A"}</bdi>
          </span>
        </Link>
        {quote.purchase_order_number && (
          <p className="text-13 font-normal text-muted">
            PO <bdi>{quote.purchase_order_number}</bdi>
          </p>
        )}
      </>
    ),
  },
  {
    id: "institution",
    header: "School",
    cell: (quote) => <span className="wrap-anywhere">{quote.institution ?? "N/A"}</span>,
  },
  {
    id: "contact",
    header: "Contact",
    cell: (quote) => <CustomerCell name={quote.contact_name} email={quote.contact_email} />,
  },
  { id: "copies", header: "Copies", align: "right", cell: (quote) => quote.copies.toLocaleString("en-GB") },
  {
    id: "total",
    header: "Total",
    align: "right",
    className: "@4xl:whitespace-nowrap",
    cell: (quote) => formatCedis(quote.total),
  },
  {
    id: "status",
    header: "Status",
    cell: (quote) => <QuoteStatusBadge status={quote.status} names={staffNamesOf(quote)} />,
  },
  {
    id: "valid_until",
    header: "Valid until",
    sorts: "time",
    className: "figures whitespace-nowrap",
    cell: (quote) => (quote.valid_until ? formatDay(quote.valid_until) : "–"),
  },
  dateColumn,
];
