import type { Header, RowData } from "@tanstack/react-table";
import { type ReactNode, useId } from "react";
import { type ListState, sortParam } from "#app/lib/list-state.ts";
import type { DataColumn, tableKind } from "./data-table-columns.ts";
import { Icon } from "./office-icon.tsx";

/** The order of a table's rows: chosen by its header, on a phone and for orders without a column by a list. */
export type TableSorting<Key extends string> = {
  keys: readonly Key[];
  state: Pick<ListState<Key>, "sort" | "change">;
  /** The name of an order that no column stands for. */
  unnamed?: Partial<Record<string, string>>;
};

export function ariaSort(sorted: false | "asc" | "desc") {
  if (sorted === false) return undefined;
  return sorted === "asc" ? "ascending" : "descending";
}

export function SortButton<Row extends RowData>({
  header,
  children,
}: {
  header: Header<typeof tableKind, Row, unknown>;
  children: ReactNode;
}) {
  const sorted = header.column.getIsSorted();
  return (
    <button
      type="button"
      onClick={header.column.getToggleSortingHandler()}
      className="-mx-1.5 inline-flex in-[.text-right]:flex-row-reverse min-h-8 items-center gap-1 rounded-control px-1.5 hover:bg-tint hover:text-green"
    >
      {children}
      <Icon
        name={sorted === "asc" ? "chevron-up" : "chevron-down"}
        size={14}
        className={sorted ? "text-green" : "opacity-0"}
      />
    </button>
  );
}

/** Cards have no header to press: on a phone the order is chosen here. */
export function SortSelect<Row extends RowData, Key extends string>({
  sorting: { keys, state, unnamed = {} },
  columns,
}: {
  sorting: TableSorting<Key>;
  columns: DataColumn<Row>[];
}) {
  const id = useId();
  const named = keys.flatMap((key) => {
    const header = columns.find((column) => column.id === key)?.header;
    return typeof header === "string" ? [{ key, header }] : [];
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
        {named.flatMap(({ key, header }) => [
          <option key={key} value={key}>
            {header}, ascending
          </option>,
          <option key={`-${key}`} value={`-${key}`}>
            {header}, descending
          </option>,
        ])}
      </select>
    </p>
  );
}
