import { useListState } from "#app/lib/react/list-state.ts";
import { receiptPath } from "#app/office/catalogue/books/book-paths.ts";
import { movementReasons } from "#app/office/catalogue/books/stock-reasons.ts";
import type { DataColumn } from "#app/office/components/data-column.ts";
import { DataTable } from "#app/office/components/data-table.tsx";
import { ListFilter } from "#app/office/components/list-filter.tsx";
import { ListPages } from "#app/office/components/list-pages.tsx";
import { readFailure, useAdminQuery } from "#app/office/frame/admin-data.ts";
import { OfficeLink } from "#app/office/frame/duties.tsx";
import { ExportButtons } from "#app/office/frame/export/export-buttons.tsx";
import { orderDetailsPath } from "#app/office/frame/order-number.ts";
import { formatMinute } from "#shared/text/dates.ts";
import { movementExport } from "./movement-export.ts";
import { listMovements, type Movement } from "./stock.admin-queries.ts";

const SORT_KEYS = ["created_at"] as const;
const newestFirst = { key: "created_at", descending: true } as const;

const reasonChoices = Object.entries(movementReasons).map(([value, label]) => ({ value, label }));

/** '+3' or '−2' */
const signed = (copies: number) => `${copies > 0 ? "+" : "−"}${Math.abs(copies).toLocaleString("en-GB")}`;

const linkClass = "figures -my-2.5 inline-block py-2.5 font-semibold text-green underline";

const columns: readonly DataColumn<Movement>[] = [
  {
    id: "created_at",
    header: "When",
    sorts: "time",
    descendingFirst: true,
    className: "figures whitespace-nowrap",
    cell: ({ created_at }) => formatMinute(created_at),
  },
  {
    id: "reason",
    header: "Why",
    card: "title",
    cell: ({ reason, note }) => (
      <>
        {movementReasons[reason] ?? reason}
        {note && <span className="block font-normal text-muted wrap-anywhere">{note}</span>}
      </>
    ),
  },
  {
    id: "order",
    header: "Order or receipt",
    cell: ({ order_number, receipt_id, purchase_reference }) => {
      if (order_number)
        return (
          <OfficeLink to={orderDetailsPath({ number: order_number })} className={linkClass}>
            {order_number}
          </OfficeLink>
        );
      return (
        receipt_id && (
          <OfficeLink to={receiptPath(receipt_id)} className={linkClass}>
            {purchase_reference ? `Receipt for ${purchase_reference}` : "Receipt"}
          </OfficeLink>
        )
      );
    },
  },
  { id: "by", header: "By", cell: ({ by_name }) => (by_name ? <bdi>{by_name}</bdi> : "The shop") },
  { id: "quantity", header: "Copies", align: "right", cell: ({ quantity }) => signed(quantity) },
  {
    id: "balance",
    header: "In stock afterwards",
    align: "right",
    cell: ({ balance }) => balance.toLocaleString("en-GB"),
  },
];

export function MovementTable({ bookId }: { bookId: string }) {
  const state = useListState(SORT_KEYS, newestFirst);
  const reason = state.filter("reason");
  const place = { page: state.page, descending: state.sort.descending };
  const movements = useAdminQuery(
    ["books", "movements", bookId, reason, place],
    (client) => listMovements(client, { bookId, reason }, place),
    { keepPrevious: true, refreshing: true },
  );
  return (
    <>
      <DataTable
        label="Stock movements"
        toolbar={
          <>
            <ListFilter
              name="reason"
              label="Filter by reason"
              all="All reasons"
              choices={reasonChoices}
              state={state}
            />
            <ExportButtons
              of={movementExport(bookId)}
              filters={{ q: "", filter: reason }}
              total={movements.isPlaceholderData ? undefined : movements.data?.total}
            />
          </>
        }
        columns={columns}
        rows={movements.data?.rows}
        rowId={({ id }) => id}
        empty="No copies have come or gone since the book was added."
        failure={readFailure("movements", movements)}
        stale={movements.isPlaceholderData}
        sorting={{ keys: SORT_KEYS, state }}
      />
      <ListPages state={state} total={movements.data?.total} one="movement" many="movements" />
    </>
  );
}
