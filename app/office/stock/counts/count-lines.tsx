import { Link } from "react-router";
import { useListState } from "#app/lib/react/list-state.ts";
import { stockCardPath } from "#app/office/catalogue/books/book-paths.ts";
import type { DataColumn } from "#app/office/components/data-column.ts";
import { ListFilter } from "#app/office/components/list-filter.tsx";
import { useAdminQuery } from "#app/office/frame/admin-data.ts";
import { AdminList } from "#app/office/frame/admin-list.tsx";
import { ExportButtons } from "#app/office/frame/export/export-buttons.tsx";
import { type Count, type CountLine, LINE_SORT_KEYS, listCountLines } from "./count.admin-queries.ts";
import { countExport } from "./count-export.ts";
import { LineActions } from "./line-actions.tsx";
import { LineNotes } from "./line-notes.tsx";
import { signedCopies } from "./typed-scan.ts";

const latestFirst = { key: "scanned_at", descending: true } as const;

const showChoices = [
  { value: "uncounted", label: "Not counted" },
  { value: "differences", label: "With a difference" },
  { value: "again", label: "To count again" },
  { value: "outside", label: "Outside the count" },
];

const number = (copies: number | null) => copies?.toLocaleString("en-GB") ?? "";

const facts: readonly DataColumn<CountLine>[] = [
  {
    id: "title",
    header: "Book",
    card: "title",
    cell: (line) => (
      <>
        <Link
          to={stockCardPath({ id: line.book_id })}
          className="-my-2.5 inline-block py-2.5 underline decoration-line-strong underline-offset-4 hover:decoration-green"
        >
          {line.title ?? "A deleted book"}
        </Link>
        {line.isbn && <span className="figures block text-13 font-normal text-muted">{line.isbn}</span>}
        <span className="mt-1 flex flex-wrap gap-1.5 font-normal empty:hidden">
          <LineNotes line={line} />
        </span>
      </>
    ),
  },
  { id: "shelf", header: "Shelf place", cell: ({ shelf }) => shelf },
  {
    id: "counted",
    header: "Counted",
    align: "right",
    cell: ({ counted }) => (counted === null ? <span className="text-muted">Not yet</span> : number(counted)),
  },
  { id: "expected", header: "Expected", align: "right", cell: ({ expected }) => number(expected) },
  {
    id: "difference",
    header: "Difference",
    align: "right",
    sorts: "number",
    cell: ({ difference }) => difference !== null && signedCopies(difference),
  },
  { id: "counted_by", header: "By", cell: ({ counted_by }) => counted_by && <bdi>{counted_by}</bdi> },
];

type CountLinesProps = { count: Count; onChoose: (bookId: string) => void };

/** The books of a count, those scanned last first. */
export function CountLines({ count, onChoose }: CountLinesProps) {
  const state = useListState(LINE_SORT_KEYS, latestFirst);
  const filters = { countId: count.id, show: state.filter("show"), q: state.q };
  const place = { page: state.page, sort: state.sort };
  const lines = useAdminQuery(
    ["counts", "lines", filters, place],
    (client) => listCountLines(client, filters, place),
    { keepPrevious: true, refreshing: count.status === "open" ? "often" : false },
  );
  const actions: DataColumn<CountLine> = {
    id: "actions",
    header: "Actions",
    card: "actions",
    cell: (line) => <LineActions countId={count.id} line={line} onChoose={onChoose} />,
  };
  return (
    <AdminList
      label="Books of the count"
      one="book"
      many="books"
      columns={count.status === "open" ? [...facts, actions] : facts}
      rowId={({ id }) => id}
      page={lines}
      state={state}
      sortKeys={LINE_SORT_KEYS}
      unnamedOrders={{ "-scanned_at": "Latest scan first", scanned_at: "Earliest scan first" }}
      search="Title, publisher or ISBN"
      filters={
        <ListFilter name="show" label="Filter books" all="All books" choices={showChoices} state={state} />
      }
      actions={
        <div className="mb-3 flex justify-end">
          <ExportButtons
            of={countExport(count.id)}
            filters={{ q: state.q, filter: filters.show }}
            total={lines.isPlaceholderData ? undefined : lines.data?.total}
          />
        </div>
      }
      empty="No books found"
    />
  );
}
