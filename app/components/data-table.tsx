import { type RowData, useTable } from "@tanstack/react-table";
import type { ReactNode } from "react";
import { sortParam } from "#app/lib/list-state.ts";
import { type ColumnMeta, type DataColumn, tableKind } from "./data-table-columns.ts";
import { ariaSort, SortButton, SortSelect, type TableSorting } from "./data-table-sorting.tsx";
import { useKeptFocus } from "./kept-focus.ts";
import { RetryNote } from "./retry-note.tsx";
import { Skeleton } from "./skeleton.tsx";

export type DataTableProps<Row extends RowData, Key extends string> = {
  /** What the rows are, for people who do not see the page. */
  label: string;
  /** Search and filters; they stay also when there is no row. */
  toolbar: ReactNode;
  /** The same array each time: a cell function is a component, and a new one would forget what runs in it. */
  columns: DataColumn<Row>[];
  /** Undefined until the first answer. */
  rows: Row[] | undefined;
  rowId: (row: Row) => string;
  /** Shown instead of rows when there are none. */
  empty: ReactNode;
  /** Set when the last reading failed; rows read before stay visible. */
  failure?: { message: string; onTryAgain: () => void } | null;
  /** The rows shown belong to another page or search than the one asked for. */
  stale?: boolean;
  sorting?: TableSorting<Key>;
};

const SKELETON_ROWS = [1, 2, 3, 4, 5, 6];
const none: never[] = [];

/**
 * Rows that the server has searched, sorted and cut into pages. From 56rem of room on it is a table with a header
 * that stays in view, below that each row is a card with the column's name before each value.
 */
export function DataTable<Row extends RowData, Key extends string>({
  label,
  toolbar,
  columns,
  rows,
  rowId,
  empty,
  failure,
  stale,
  sorting,
}: DataTableProps<Row, Key>) {
  const sort = sorting?.state.sort;
  const table = useTable({
    features: tableKind,
    columns,
    data: rows ?? (none as Row[]),
    getRowId: rowId,
    manualSorting: true,
    enableSorting: sorting !== undefined,
    enableSortingRemoval: false,
    // Said per column: otherwise it hangs on the first row, which may have no value or not be there yet.
    sortDescFirst: false,
    enableMultiSort: false,
    state: { sorting: sort ? [{ id: sort.key, desc: sort.descending }] : none },
    onSortingChange: (updater) => {
      const [next] = typeof updater === "function" ? updater(table.state.sorting) : updater;
      if (next) sorting?.state.change({ sort: sortParam({ key: next.id, descending: next.desc }) });
    },
  });

  const keepFocus = useKeptFocus(rows);

  const isEmpty = rows?.length === 0 && !failure;
  return (
    <div tabIndex={-1} className="focus:outline-none" {...keepFocus}>
      <div className="mb-3 flex flex-wrap gap-3">
        {toolbar}
        {sorting && <SortSelect sorting={sorting} columns={columns} />}
      </div>
      {failure && <RetryNote {...failure} />}
      {isEmpty && <div className="py-12 text-center text-muted">{empty}</div>}
      {!isEmpty && !(failure && rows === undefined) && (
        <table
          aria-label={label}
          aria-busy={rows === undefined || stale || undefined}
          className={`block w-full border-separate border-spacing-0 @4xl:table ${stale ? "opacity-60" : ""}`}
        >
          <thead className="hidden @4xl:table-header-group">
            {table.getHeaderGroups().map((group) => (
              <tr key={group.id}>
                {group.headers.map((header) => (
                  <th
                    key={header.id}
                    scope="col"
                    aria-sort={ariaSort(header.column.getIsSorted())}
                    className={`sticky top-14 z-10 border-b border-line-strong bg-surface px-3 py-2 text-13 font-semibold whitespace-nowrap text-muted ${
                      header.column.columnDef.meta?.align === "right" ? "text-right" : "text-left"
                    }`}
                  >
                    {sorting?.keys.some((key) => key === header.column.id) ? (
                      <SortButton header={header}>
                        <table.FlexRender header={header} />
                      </SortButton>
                    ) : (
                      <table.FlexRender header={header} />
                    )}
                  </th>
                ))}
              </tr>
            ))}
          </thead>
          <tbody className="block @4xl:table-row-group">
            {rows === undefined
              ? SKELETON_ROWS.map((row) => <SkeletonRow key={row} columns={columns.length} />)
              : table.getRowModel().rows.map((row) => (
                  <tr
                    key={row.id}
                    className="flex flex-col gap-1.5 border-b border-line py-4 @4xl:table-row @4xl:py-0 @4xl:hover:bg-paper"
                  >
                    {row.getAllCells().map((cell) => {
                      const { meta, header } = cell.column.columnDef;
                      const named = typeof header === "string" && meta?.card === undefined;
                      return (
                        <td
                          key={cell.id}
                          data-label={named ? header : undefined}
                          className={`${cardClass(meta?.card, named)} @4xl:table-cell @4xl:border-b @4xl:border-line @4xl:px-3 @4xl:py-2 @4xl:align-middle @4xl:before:content-none ${
                            meta?.align === "right" ? "figures @4xl:text-right" : ""
                          } ${meta?.className ?? ""}`}
                        >
                          <table.FlexRender cell={cell} />
                        </td>
                      );
                    })}
                  </tr>
                ))}
          </tbody>
        </table>
      )}
    </div>
  );
}

function cardClass(card: ColumnMeta["card"], named: boolean): string {
  if (card === "hidden") return "hidden";
  if (card === "actions") return "block pt-1";
  if (card === "title") return "block font-semibold";
  return named
    ? "grid grid-cols-[7rem_minmax(0,1fr)] items-baseline justify-items-start gap-3 before:text-13 before:text-muted before:content-[attr(data-label)]"
    : "block";
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
