import { useState } from "react";
import { Link } from "react-router";
import { Badge } from "#app/components/badge.tsx";
import { Button, buttonClass } from "#app/components/button.tsx";
import { ConfirmDialog } from "#app/components/confirm-dialog.tsx";
import { BookCover } from "#app/features/book-covers/book-cover.tsx";
import { publisherName } from "#app/features/books/book.ts";
import { bookChoices, bookFieldLabel } from "#app/features/books/book-fields.ts";
import { kindNames, readKind } from "#app/features/books/kind-names.ts";
import { readSaleState, saleStateNames } from "#app/features/books/sale-states.ts";
import { readSetting } from "#app/lib/browser/env.ts";
import { currentShop } from "#app/lib/pages/current-shop.ts";
import { useListState } from "#app/lib/react/list-state.ts";
import type { DataColumn } from "#app/office/components/data-column.ts";
import { IconAction } from "#app/office/components/icon-action.tsx";
import { ListFilter } from "#app/office/components/list-filter.tsx";
import { useAdminMutation, useAdminQuery } from "#app/office/frame/admin-data.ts";
import { AdminList } from "#app/office/frame/admin-list.tsx";
import { CameraButton } from "#app/office/frame/camera/camera-button.tsx";
import { OfficeLink, useDuty } from "#app/office/frame/duties.tsx";
import { ExportButtons } from "#app/office/frame/export/export-buttons.tsx";
import { countOf } from "#shared/text/count-of.ts";
import { formatCedis } from "#shared/text/money.ts";
import { BOOK_SORT_KEYS, type InventoryRow, listInventory, removeBook } from "./book.admin-queries.ts";
import { bookExport } from "./book-export.ts";
import { digitalPath, labelsPath, stockCardPath } from "./book-paths.ts";
import { KindCounts } from "./kind-counts.tsx";
import { PriceChange } from "./price-change.tsx";

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
  const kind = state.filter("kind");
  const saleState = state.filter("status");
  const query = { page: state.page, q: state.q, sort: state.sort, publisher, kind, saleState };
  const isFiltered = publisher !== "" || kind !== "" || saleState !== "";
  const books = useAdminQuery(["books", "list", query], (client) => listInventory(client, query), {
    keepPrevious: true,
  });
  const mayEdit = useDuty("catalogue");
  const mayDelete = useDuty("deletions");
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
        columns={columnsWith(mayEdit ? onEdit : null, mayEdit && mayDelete ? setDoomed : null)}
        rowId={(book) => book.id}
        page={books}
        state={state}
        sortKeys={BOOK_SORT_KEYS}
        unnamedOrders={{ "-created_at": "Newest first", created_at: "Oldest first" }}
        search="Search title, ISBN, authors, publisher"
        filters={
          <>
            <CameraButton
              onScan={(code) =>
                state.change({ q: code, publisher: null, kind: null, status: null }, "replace")
              }
            />
            <ListFilter
              name="publisher"
              label="Filter by publisher"
              all="All Publishers"
              choices={publishers.map((name) => ({ value: name, label: name }))}
              state={state}
            />
            <ListFilter
              name="kind"
              label="Filter by kind"
              all="All kinds"
              choices={bookChoices.kind}
              state={state}
            />
            <ListFilter
              name="status"
              label="Filter by status"
              all="All statuses"
              choices={bookChoices.sale_state}
              state={state}
            />
            <ExportButtons
              of={bookExport}
              filters={{ q: query.q, filter: publisher, kind, saleState }}
              total={books.isPlaceholderData ? undefined : books.data?.total}
            />
            {mayEdit && (
              <PriceChange
                filters={{ q: query.q, publisher, kind, saleState }}
                total={books.isPlaceholderData ? undefined : books.data?.total}
              />
            )}
            <Link
              to={labelsPath(
                query.q || isFiltered ? { q: query.q, publisher, kind, status: saleState } : { all: "1" },
              )}
              className={buttonClass({ variant: "secondary" })}
            >
              Print labels
            </Link>
          </>
        }
        empty={
          <>
            <p className="mb-3">{publisher ? `No books found for ${publisher}` : "No books found"}</p>
            {isFiltered && (
              <Button
                variant="secondary"
                onClick={() => state.change({ publisher: null, kind: null, status: null })}
              >
                Clear Filter
              </Button>
            )}
          </>
        }
      />
      {/* Below the list: on a phone the first screen is for books. */}
      <KindCounts className="mt-3" />
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
  /** Null without the duty. */
  onEdit: ((id: string) => void) | null,
  onDelete: ((book: InventoryRow) => void) | null,
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
    {
      id: "title",
      header: "Title",
      card: "title",
      cell: (row) => (
        <>
          {row.title} <SaleStateBadge state={row.sale_state} />
        </>
      ),
    },
    { id: "kind", header: "Kind", cell: (row) => kindNames[readKind(row.kind)] },
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
      cell: (row) =>
        row.kind === "digital" ? (
          <DigitalStock book={row} />
        ) : (
          <OfficeLink
            to={stockCardPath(row)}
            aria-label={`${row.stock_quantity} in stock: stock card of ${row.title}`}
            className="-my-2.5 inline-block py-2.5 no-underline"
          >
            <Badge variant={row.stock_quantity < currentShop().lowStock ? "warning" : "secondary"}>
              {row.stock_quantity}
            </Badge>
          </OfficeLink>
        ),
    },
    ...(onEdit ? [actionsWith(onEdit, onDelete)] : []),
  ];
}

/** Nothing for what is on sale, like most books. */
function SaleStateBadge({ state }: { state: string }) {
  const known = readSaleState(state);
  if (known === "on_sale") return null;
  return <Badge variant={known === "coming_soon" ? "warning" : "secondary"}>{saleStateNames[known]}</Badge>;
}

/** 'Digital' for files, 'N codes' for licence codes; leads to them. */
function DigitalStock({ book }: { book: InventoryRow }) {
  const byCode = book.digital_by === "code";
  const label = byCode ? countOf(book.stock_quantity, "code") : "Digital";
  const isLow = book.stock_quantity < (byCode ? currentShop().lowStock : 1);
  return (
    <OfficeLink
      to={digitalPath(book)}
      aria-label={`${label}: files and licence codes of ${book.title}`}
      className="-my-2.5 inline-block py-2.5 no-underline"
    >
      <Badge variant={isLow ? "warning" : "secondary"}>{label}</Badge>
    </OfficeLink>
  );
}

function actionsWith(
  onEdit: (id: string) => void,
  onDelete: ((book: InventoryRow) => void) | null,
): DataColumn<InventoryRow> {
  return {
    id: "actions",
    header: "Actions",
    card: "actions",
    className: "@max-4xl:-ml-3 @4xl:w-28 @4xl:py-0.5 whitespace-nowrap",
    cell: (book) => (
      <>
        <IconAction icon="pencil" label={`Edit ${book.title}`} onClick={() => onEdit(book.id)} />
        {onDelete && (
          <IconAction icon="trash" label={`Delete ${book.title}`} onClick={() => onDelete(book)} />
        )}
      </>
    ),
  };
}
