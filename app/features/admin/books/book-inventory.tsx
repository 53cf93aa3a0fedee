import { useMemo, useState } from "react";
import { Badge } from "#app/components/badge.tsx";
import { Button } from "#app/components/button.tsx";
import { ConfirmDialog } from "#app/components/confirm-dialog.tsx";
import { dataColumns } from "#app/components/data-table-columns.ts";
import { iconButtonClass } from "#app/components/dialog.tsx";
import { ListFilter } from "#app/components/list-filter.tsx";
import { Icon } from "#app/components/office-icon.tsx";
import { useAdminMutation, useAdminQuery } from "#app/features/admin/admin-data.ts";
import { AdminList } from "#app/features/admin/admin-list.tsx";
import { ExportBooks } from "#app/features/admin/export/export-button.tsx";
import { LOW_STOCK } from "#app/features/books/book.ts";
import { BookCover } from "#app/features/books/book-cover.tsx";
import { readSetting } from "#app/lib/env.ts";
import { useListState } from "#app/lib/list-state.ts";
import { formatCedis, pesewasFromCedis } from "#app/lib/money.ts";
import { BOOK_SORT_KEYS, type InventoryRow, listInventory, removeBook } from "./book.admin-queries.ts";

const newestFirst = { key: "created_at", descending: true } as const;
const column = dataColumns<InventoryRow>();

type BookInventoryProps = {
  /** Choices of the filter, without 'All Publishers'. */
  publishers: string[];
  /** Always the same function: the table's columns hold on to it. */
  onEdit: (id: string) => void;
};

/** All books, newest first, by publisher if wanted, each to be edited or deleted. */
export function BookInventory({ publishers, onEdit }: BookInventoryProps) {
  const state = useListState(BOOK_SORT_KEYS, newestFirst);
  const publisher = state.filter("publisher");
  const query = { page: state.page, q: state.q, sort: state.sort, publisher };
  const books = useAdminQuery(["books", "list", query], (client) => listInventory(client, query), {
    keepPrevious: true,
  });
  const [doomed, setDoomed] = useState<InventoryRow | null>(null);
  const columns = useMemo(() => columnsWith(onEdit, setDoomed), [onEdit]);
  const remove = useAdminMutation({
    run: (client, id: string) => removeBook(client, id),
    success: () => ({ title: "Book deleted successfully", description: "It can be restored in Activity." }),
    failure: "Failed to delete book",
  });

  return (
    <section aria-labelledby="inventory">
      <h2 id="inventory" className="mb-3 text-20">
        Book Inventory
      </h2>
      <AdminList
        label="Book Inventory"
        one="book"
        many="books"
        columns={columns}
        rowId={(book) => book.id}
        page={books}
        state={state}
        sortKeys={BOOK_SORT_KEYS}
        unnamedOrders={{ "-created_at": "Newest first", created_at: "Oldest first" }}
        search="Search title, ISBN, publisher, subject"
        filters={
          <>
            <ListFilter
              name="publisher"
              label="Filter by publisher"
              all="All Publishers"
              choices={publishers.map((name) => ({ value: name, label: name }))}
              state={state}
            />
            <ExportBooks
              filters={{ q: query.q, filter: publisher }}
              total={books.isPlaceholderData ? undefined : books.data?.total}
            />
          </>
        }
        empty={
          <>
            <p className="mb-3">{publisher ? `No books found for ${publisher}` : "No books found"}</p>
            {publisher && (
              <Button variant="secondary" onClick={() => state.change({ publisher: null })}>
                Clear Filter
              </Button>
            )}
          </>
        }
      />
      <ConfirmDialog
        open={doomed !== null}
        question="Are you sure you want to delete this book?"
        confirmLabel="Delete Book"
        onConfirm={() => doomed && remove.mutate(doomed.id)}
        onClose={() => setDoomed(null)}
      >
        <p className="font-semibold text-ink">{doomed?.title}</p>
        <p>It leaves all carts and wishlists. Orders keep its name and price.</p>
      </ConfirmDialog>
    </section>
  );
}

function columnsWith(onEdit: (id: string) => void, onDelete: (book: InventoryRow) => void) {
  return column.columns([
    column.display({
      id: "cover",
      header: "Cover",
      meta: { card: "hidden", className: "@4xl:w-16" },
      cell: ({ row }) => (
        <BookCover book={row.original} backendUrl={readSetting("backendUrl")} className="w-9" />
      ),
    }),
    column.accessor("title", { id: "title", header: "Title", meta: { card: "title" } }),
    column.accessor("publisher", {
      id: "publisher",
      header: "Publisher",
      cell: ({ getValue }) => getValue() ?? "Unknown",
    }),
    column.accessor("isbn", {
      id: "isbn",
      header: "ISBN",
      meta: { className: "figures @4xl:whitespace-nowrap" },
      cell: ({ getValue }) => getValue() ?? "N/A",
    }),
    column.accessor("price", {
      id: "price",
      sortDescFirst: true,
      header: "Price (GH₵)",
      meta: { align: "right" },
      cell: ({ getValue }) => formatCedis(pesewasFromCedis(getValue())),
    }),
    column.accessor("stock_quantity", {
      id: "stock_quantity",
      sortDescFirst: true,
      header: "Stock",
      meta: { align: "right" },
      cell: ({ getValue }) => (
        <Badge variant={getValue() < LOW_STOCK ? "warning" : "secondary"}>{getValue()}</Badge>
      ),
    }),
    column.display({
      id: "actions",
      header: "Actions",
      meta: { card: "actions", className: "@4xl:w-28 @4xl:py-0.5 whitespace-nowrap" },
      cell: ({ row: { original: book } }) => (
        <>
          <button
            type="button"
            className={iconButtonClass}
            aria-label={`Edit ${book.title}`}
            onClick={() => onEdit(book.id)}
          >
            <Icon name="pencil" />
          </button>
          <button
            type="button"
            className={`${iconButtonClass} hover:text-clay`}
            aria-label={`Delete ${book.title}`}
            onClick={() => onDelete(book)}
          >
            <Icon name="trash" />
          </button>
        </>
      ),
    }),
  ]);
}
