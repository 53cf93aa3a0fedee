import type { ReactNode } from "react";
import { Skeleton } from "#app/components/skeleton.tsx";
import type { Sort } from "#app/lib/react/list-state.ts";
import type { DataColumn } from "./data-column.ts";
import { SortButton, SortSelect, type TableSorting } from "./data-table-sorting.tsx";
import { useKeepFocus } from "./keep-focus.ts";
import { RetryNote } from "./retry-note.tsx";

export type DataTableProps<Row, Key extends string> = {
  /** What the rows are, for screen readers. */
  label: string;
  /** Search and filters; still shown when there are no rows. */
  toolbar: ReactNode;
  /** Actions on the rows, shown between the filters and the rows. */
  actions?: ReactNode;
  columns: readonly DataColumn<Row>[];
  /** Undefined until the first response. */
  rows: Row[] | undefined;
  rowId: (row: Row) => string;
  /** Shown instead of rows when there are none. */
  empty: ReactNode;
  /** Set when the last read failed; rows from earlier reads stay visible. */
  failure?: { message: string; onTryAgain: () => void } | null;
  /** The rows shown belong to an earlier page or search than the one requested. */
  stale?: boolean;
  sorting?: TableSorting<Key>;
};

const SKELETON_ROWS = [1, 2, 3, 4, 5, 6];

/**
 * Rows that the server has searched, sorted and paged. From a container width of 56rem it is a table with a sticky
 * header; below that each row is a card with the column's name before each value.
 */
export function DataTable<Row, Key extends string>({
  label,
  toolbar,
  actions,
  columns,
  rows,
  rowId,
  empty,
  failure,
  stale,
  sorting,
}: DataTableProps<Row, Key>) {
  const keepFocus = useKeepFocus(rows);

  const isEmpty = rows?.length === 0 && !failure;
  return (
    <div tabIndex={-1} className="focus:outline-none" {...keepFocus}>
      <div className="mb-3 flex flex-wrap gap-3 print:hidden">
        {toolbar}
        {sorting && <SortSelect sorting={sorting} columns={columns} />}
      </div>
      {actions}
      {failure && <RetryNote {...failure} />}
      <div role="status">{isEmpty && <div className="py-12 text-center text-muted">{empty}</div>}</div>
      {!isEmpty && !(failure && rows === undefined) && (
        <table
          aria-label={label}
          aria-busy={rows === undefined || stale || undefined}
          className={`block w-full border-separate border-spacing-0 @4xl:table print:table print:text-13 ${stale ? "opacity-60" : ""}`}
        >
          <thead className="hidden @4xl:table-header-group print:table-header-group">
            <tr>
              {columns.map((column) => (
                <th
                  key={column.id}
                  scope="col"
                  aria-sort={ariaSort(column.id, sorting?.state.sort)}
                  className={`sticky top-14 z-10 border-b border-line-strong bg-surface px-2 py-2 text-13 font-semibold whitespace-nowrap text-muted @6xl:px-3 print:static print:px-1.5 ${
                    column.align === "right" ? "text-right" : "text-left"
                  }`}
                >
                  {sorting?.keys.some((key) => key === column.id) ? (
                    <SortButton column={column} state={sorting.state} />
                  ) : (
                    column.header
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="block @4xl:table-row-group print:table-row-group">
            {rows === undefined
              ? SKELETON_ROWS.map((row) => <SkeletonRow key={row} columns={columns.length} />)
              : rows.map((row) => (
                  <tr
                    key={rowId(row)}
                    className="flex flex-col gap-1.5 border-b border-line py-4 @4xl:table-row @4xl:py-0 @4xl:hover:bg-paper print:table-row"
                  >
                    {columns.map((column) => (
                      <Cell key={column.id} column={column} row={row} />
                    ))}
                  </tr>
                ))}
          </tbody>
        </table>
      )}
    </div>
  );
}

function ariaSort(id: string, sort: Sort | undefined) {
  if (sort?.key !== id) return undefined;
  return sort.descending ? "descending" : "ascending";
}

function Cell<Row>({ column, row }: { column: DataColumn<Row>; row: Row }) {
  const { header, card, align, className = "" } = column;
  const named = card === undefined;
  return (
    <td
      data-label={named ? header : undefined}
      className={`${cardClass(card)} @4xl:table-cell @4xl:border-b @4xl:border-line @4xl:px-2 @4xl:py-2 @6xl:px-3 @4xl:align-middle @4xl:before:content-none print:table-cell print:border-b print:border-line print:px-1.5 print:py-1 print:before:content-none ${
        align === "right" ? "figures @4xl:text-right print:text-right" : textClass(card)
      } ${className}`}
    >
      {column.cell(row)}
    </td>
  );
}

/** Text may break anywhere rather than widen the page, but its column keeps room for ordinary words. */
function textClass(card: DataColumn<never>["card"]): string {
  return card === "hidden" || card === "actions" ? "" : "@4xl:min-w-26";
}

function cardClass(card: DataColumn<never>["card"]): string {
  if (card === "hidden") return "hidden";
  if (card === "actions") return "block pt-1";
  if (card === "title") return "block font-semibold";
  return "grid grid-cols-[7rem_minmax(0,1fr)] items-baseline justify-items-start gap-3 @4xl:justify-items-normal before:text-13 before:text-muted before:content-[attr(data-label)]";
}

function SkeletonRow({ columns }: { columns: number }) {
  return (
    <tr className="block border-b border-line py-4 @4xl:table-row">
      {Array.from({ length: columns }, (_, column) => column).map((column) => (
        <td key={column} className="block py-1 @4xl:table-cell @4xl:px-3 @4xl:py-3.5">
          <Skeleton className="h-4 w-4/5" />
        </td>
      ))}
    </tr>
  );
}
