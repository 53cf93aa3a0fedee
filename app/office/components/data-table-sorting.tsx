import { useId } from "react";
import { type ListState, sortParam } from "#app/lib/react/list-state.ts";
import type { DataColumn } from "./data-column.ts";
import { OfficeIcon } from "./office-icon.tsx";

/** The sort order of a table: chosen in its header, or from a list on a phone and for orders without a column. */
export type TableSorting<Key extends string> = {
  keys: readonly Key[];
  state: Pick<ListState<Key>, "sort" | "change">;
  /** Labels of sort orders that have no column. */
  unnamed?: Partial<Record<string, string>>;
};

const orderWords = {
  text: { ascending: "A to Z", descending: "Z to A" },
  number: { ascending: "lowest first", descending: "highest first" },
  time: { ascending: "earliest first", descending: "latest first" },
} as const;

/** The button in a column's header: the first click sorts by the column, each further one reverses the order. */
export function SortButton<Row, Key extends string>({
  column,
  state,
}: {
  column: DataColumn<Row>;
  state: TableSorting<Key>["state"];
}) {
  const sorted = state.sort.key === column.id;
  const descending = sorted ? !state.sort.descending : column.descendingFirst === true;
  return (
    <button
      type="button"
      onClick={() => state.change({ sort: sortParam({ key: column.id, descending }) })}
      // Chromium repeats a heading on each page, but not a button in it.
      className="print:contents -mx-1.5 inline-flex in-[.text-right]:flex-row-reverse min-h-8 items-center gap-1 rounded-control px-1.5 hover:bg-tint hover:text-green"
    >
      {column.header}
      <OfficeIcon
        name={sorted && !state.sort.descending ? "chevron-up" : "chevron-down"}
        size={14}
        className={sorted ? "text-green" : "opacity-0"}
      />
    </button>
  );
}

/** Cards have no header to click: on a phone the sort order is chosen here. */
export function SortSelect<Row, Key extends string>({
  sorting: { keys, state, unnamed = {} },
  columns,
}: {
  sorting: TableSorting<Key>;
  columns: readonly DataColumn<Row>[];
}) {
  const id = useId();
  const named = keys.flatMap((key) => {
    const column = columns.find(({ id }) => id === key);
    return column ? [{ key, header: column.header, words: orderWords[column.sorts ?? "text"] }] : [];
  });
  return (
    <p
      className={`flex min-w-0 items-center gap-3 w-full @4xl:w-auto ${Object.keys(unnamed).length > 0 ? "" : "@4xl:hidden"}`}
    >
      <label htmlFor={id} className="w-16 shrink-0 text-13 text-muted @4xl:w-auto">
        Sort by
      </label>
      <select
        id={id}
        className="min-h-11 min-w-0 grow rounded-control border border-line-strong bg-surface px-2.5 hover:border-green"
        value={sortParam(state.sort)}
        onChange={(event) => state.change({ sort: event.target.value })}
      >
        {Object.entries(unnamed).map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
        {named.flatMap(({ key, header, words }) => [
          <option key={key} value={key}>
            {header}: {words.ascending}
          </option>,
          <option key={`-${key}`} value={`-${key}`}>
            {header}: {words.descending}
          </option>,
        ])}
      </select>
    </p>
  );
}
