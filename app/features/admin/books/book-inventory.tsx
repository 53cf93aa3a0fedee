import { useState } from "react";
import { Badge } from "#app/components/badge.tsx";
import { Button } from "#app/components/button.tsx";
import { ConfirmDialog } from "#app/components/confirm-dialog.tsx";
import type { DataColumn } from "#app/components/office/data-column.ts";
import { IconAction } from "#app/components/office/icon-action.tsx";
import { ListFilter } from "#app/components/office/list-filter.tsx";
import { useAdminMutation, useAdminQuery } from "#app/features/admin/admin-data.ts";
import { AdminList } from "#app/features/admin/admin-list.tsx";
import { ExportBooks } from "#app/features/admin/export/export-button.tsx";
import { BookCover } from "#app/features/book-covers/book-cover.tsx";
import { publisherName } from "#app/features/books/book.ts";
import { bookFieldLabel } from "#app/features/books/book-fields.ts";
import { readSetting } from "#app/lib/env.ts";
import { useListState } from "#app/lib/list-state.ts";
import { formatCedis } from "#app/lib/money.ts";
import { currentShop } from "#app/owner/current-shop.ts";
import { BOOK_SORT_KEYS, type InventoryRow, listInventory, removeBook } from "./book.admin-queries.ts";

const newestFirst = { key: "created_at", descending: true } as const;

type BookInventoryProps = {
  /** The filter's choices, without 'All Publishers'. */
  publishers: readonly string[];
  onEdit: (id: string) => void;
};

/** All books, newest first, with a publisher filter and buttons to edit and delete each. */
export function BookInventory({ publishers, onEdit }: BookInventoryProps) {
  const state = useListState(BOOK_SORT_KEYS, newestFirst);
  const publisher = state.filter("publisher");
  const query = { page: state.page, q: state.q, sort: state.sort, publisher };
  const books = useAdminQuery(["books", "list", query], (client) => listInventory(client, query), {
    keepPrevious: true,
  });
  const [doomed, setDoomed] = useState<InventoryRow | null>(null);
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
        columns={columnsWith(onEdit, setDoomed)}
        rowId={(book) => book.id}
        page={books}
        state={state}
        sortKeys={BOOK_SORT_KEYS}
        unnamedOrders={{ "-created_at": "Newest first", created_at: "Oldest first" }}
        search="Search title, ISBN, authors, publisher"
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

function columnsWith(
  onEdit: (id: string) => void,
  onDelete: (book: InventoryRow) => void,
): readonly DataColumn<InventoryRow>[] {
  return [
    {
      id: "cover",
      header: "Cover",
      card: "hidden",
      className: "@4xl:w-16",
      cell: (row) => (
        <BookCover book={row} backendUrl={readSetting("backendUrl")} sizes="36px" className="w-9" />
      ),
    },
    { id: "title", header: "Title", card: "title", cell: (row) => row.title },
    {
      id: "publisher",
      header: "Publisher",
      cell: (row) => publisherName(row.publisher),
    },
    {
      id: "isbn",
      header: "ISBN",
      className: "figures @4xl:whitespace-nowrap",
      cell: (row) => row.isbn ?? "N/A",
    },
    {
      id: "price",
      descendingFirst: true,
      header: bookFieldLabel("price"),
      sorts: "number",
      align: "right",
      cell: (row) => formatCedis(row.price),
    },
    {
      id: "stock_quantity",
      descendingFirst: true,
      header: "Stock",
      sorts: "number",
      align: "right",
      cell: (row) => (
        <Badge variant={row.stock_quantity < currentShop().lowStock ? "warning" : "secondary"}>
          {row.stock_quantity}
        </Badge>
      ),
    },
    {
      id: "actions",
      header: "Actions",
      card: "actions",
      className: "@max-4xl:-ml-3 @4xl:w-28 @4xl:py-0.5 whitespace-nowrap",
      cell: (book) => (
        <>
          <IconAction icon="pencil" label={`Edit ${book.title}`} onClick={() => onEdit(book.id)} />
          <IconAction icon="trash" label={`Delete ${book.title}`} onClick={() => onDelete(book)} />
        </>
      ),
    },
  ];
}
