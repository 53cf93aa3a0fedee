import { Link } from "react-router";
import { Badge } from "#app/components/badge.tsx";
import type { DataColumn } from "#app/office/components/data-column.ts";
import { dateColumn } from "#app/office/frame/list-columns.tsx";
import { StatusList } from "#app/office/frame/status-list.tsx";
import { formatDay } from "#shared/text/dates.ts";
import { listPurchases, PURCHASE_SORT_KEYS, type PurchaseListRow } from "./purchase.admin-queries.ts";
import { formatAmount, purchasePath, purchaseStatusNames, purchaseStatusVariants } from "./purchase.ts";

const newestFirst = { key: "created_at", descending: true } as const;

/** All purchase orders, newest first. */
export function PurchaseTable() {
  return (
    <StatusList
      name="purchases"
      label="Purchase orders"
      one="purchase order"
      many="purchase orders"
      columns={columns}
      sortKeys={PURCHASE_SORT_KEYS}
      defaultSort={newestFirst}
      statuses={purchaseStatusNames}
      read={listPurchases}
      search="Search number, supplier"
      empty="No purchase orders found"
    />
  );
}

const columns: readonly DataColumn<PurchaseListRow>[] = [
  {
    id: "reference",
    header: "Purchase order",
    card: "title",
    className: "figures whitespace-nowrap",
    cell: ({ id, reference, supplier_name }) => (
      <Link
        to={purchasePath(id)}
        className="inline-flex min-h-11 items-center font-semibold text-green underline @4xl:min-h-6"
      >
        {reference ?? "New draft"}
        <span className="sr-only">
          {" "}
          to <bdi>{supplier_name}</bdi>
        </span>
      </Link>
    ),
  },
  {
    id: "supplier",
    header: "Supplier",
    cell: ({ supplier_name }) => <span className="wrap-anywhere">{supplier_name}</span>,
  },
  { id: "copies", header: "Copies", align: "right", cell: ({ copies }) => copies.toLocaleString("en-GB") },
  {
    id: "total",
    header: "Total",
    align: "right",
    className: "@4xl:whitespace-nowrap",
    cell: ({ total, currency }) => formatAmount(total, currency),
  },
  {
    id: "status",
    header: "Status",
    cell: ({ status }) => (
      <Badge variant={purchaseStatusVariants[status]}>{purchaseStatusNames[status]}</Badge>
    ),
  },
  {
    id: "sent_at",
    header: "Sent",
    className: "figures whitespace-nowrap",
    cell: ({ sent_at }) => (sent_at ? formatDay(sent_at) : "–"),
  },
  dateColumn,
];
