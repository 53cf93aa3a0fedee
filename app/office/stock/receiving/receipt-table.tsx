import { useState } from "react";
import { Link } from "react-router";
import { Badge } from "#app/components/badge.tsx";
import { Button, buttonClass } from "#app/components/button.tsx";
import { ConfirmDialog } from "#app/components/confirm-dialog.tsx";
import { useListState } from "#app/lib/react/list-state.ts";
import { labelsPath } from "#app/office/catalogue/books/book-paths.ts";
import type { DataColumn } from "#app/office/components/data-column.ts";
import { DataTable } from "#app/office/components/data-table.tsx";
import { ListPages } from "#app/office/components/list-pages.tsx";
import { readFailure, useAdminMutation, useAdminQuery } from "#app/office/frame/admin-data.ts";
import { purchasePath } from "#app/office/stock/purchases/purchase.ts";
import { formatMinute } from "#shared/text/dates.ts";
import { formatCedis } from "#shared/text/money.ts";
import { listReceipts, type ReceiptRow, undoReceipt } from "./receipt.admin-queries.ts";
import { describeDifference } from "./receipt-form.ts";

const SORT_KEYS = ["created_at"] as const;
const newestFirst = { key: "created_at", descending: true } as const;

/** What was received, the newest first; a receipt of which nothing was sold can be undone. */
export function ReceiptTable() {
  const state = useListState(SORT_KEYS, newestFirst);
  const id = state.filter("receipt");
  const receipts = useAdminQuery(
    ["receipts", "list", state.page, id],
    (client) => listReceipts(client, state.page, id),
    {
      keepPrevious: true,
      refreshing: true,
    },
  );
  const [doomed, setDoomed] = useState<ReceiptRow | null>(null);
  const undo = useAdminMutation({
    run: (client, row: ReceiptRow) => undoReceipt(client, row.id),
    success: () => ({ title: "Receipt undone" }),
    failure: "Failed to undo the receipt",
  });
  const columns: DataColumn<ReceiptRow>[] = [
    {
      id: "created_at",
      header: "Received",
      card: "title",
      className: "figures",
      cell: (row) => (
        <>
          {formatMinute(row.created_at)} {row.undone_at && <Badge variant="destructive">Undone</Badge>}
          {row.by_name && (
            <span className="block text-13 font-normal text-muted">
              <bdi>{row.by_name}</bdi>
            </span>
          )}
        </>
      ),
    },
    {
      id: "purchase",
      header: "Purchase order",
      cell: (row) =>
        row.reference ? (
          <div>
            <Link
              to={purchasePath(row.purchase_order_id)}
              className="figures -my-2.5 inline-block py-2.5 font-semibold text-green underline"
            >
              {row.reference}
            </Link>
            <span className="block text-13 wrap-anywhere">
              <bdi>{row.supplier_name}</bdi>
            </span>
          </div>
        ) : (
          "None"
        ),
    },
    {
      id: "books",
      header: "Books",
      cell: ({ lines, note, reference }) => (
        <div>
          <ul>
            {lines.slice(0, 5).map((line) => {
              const difference = describeDifference(line, reference !== null);
              return (
                <li key={`${line.title} ${line.isbn}`} className="wrap-anywhere">
                  {line.copies} × <bdi>{line.title}</bdi>
                  {difference && <span className="text-13 font-semibold text-clay"> {difference}</span>}
                </li>
              );
            })}
            {lines.length > 5 && <li className="text-muted">and {lines.length - 5} more</li>}
          </ul>
          {note && <p className="text-13 wrap-anywhere whitespace-pre-line text-muted">{note}</p>}
        </div>
      ),
    },
    { id: "copies", header: "Copies", align: "right", cell: ({ copies }) => copies.toLocaleString("en-GB") },
    {
      id: "cost",
      header: "Cost",
      align: "right",
      className: "@4xl:whitespace-nowrap",
      cell: ({ cost, currency, rate }) => (
        <div>
          {cost === null ? "–" : formatCedis(cost)}
          {currency !== "GHS" && (
            <span className="block text-13 text-muted">{`1 ${currency} = ${rate}`}</span>
          )}
        </div>
      ),
    },
    {
      id: "actions",
      header: "Actions",
      card: "actions",
      align: "right",
      className: "whitespace-nowrap",
      cell: (row) =>
        row.undone_at === null && (
          <>
            <Link
              to={labelsPath({ receipt: row.id })}
              className={buttonClass({ variant: "quiet", size: "small" })}
            >
              Labels
            </Link>
            <Button variant="quiet-danger" size="small" onClick={() => setDoomed(row)}>
              Undo
            </Button>
          </>
        ),
    },
  ];
  return (
    <>
      <DataTable
        label="Receipts"
        toolbar={
          id && (
            <Link to="/admin/receiving" className={buttonClass({ variant: "secondary", size: "small" })}>
              Show all receipts
            </Link>
          )
        }
        columns={columns}
        rows={receipts.data?.rows}
        rowId={({ id }) => id}
        empty="Nothing has been received yet."
        failure={readFailure("receipts", receipts)}
        stale={receipts.isPlaceholderData}
      />
      <ListPages state={state} total={receipts.data?.total} one="receipt" many="receipts" />
      <ConfirmDialog
        open={doomed !== null}
        question="Undo this receipt?"
        confirmLabel="Undo Receipt"
        onConfirm={() => doomed && undo.mutate(doomed)}
        onClose={() => setDoomed(null)}
      >
        <p>
          Its copies are removed from the stock, and its purchase order expects them again. This isn't
          possible once a customer has ordered one of its titles.
        </p>
      </ConfirmDialog>
    </>
  );
}
