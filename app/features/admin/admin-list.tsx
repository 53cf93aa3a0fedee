import type { UseQueryResult } from "@tanstack/react-query";
import type { RowData } from "@tanstack/react-table";
import type { ReactNode } from "react";
import { DataTable, type DataTableProps } from "#app/components/data-table.tsx";
import { ListPages } from "#app/components/list-pages.tsx";
import { ListSearch } from "#app/components/list-search.tsx";
import type { ListState } from "#app/lib/list-state.ts";
import { readFailure } from "./admin-data.ts";

/** One page of a list and the exact number of rows in all pages. */
export type ListPage<Row> = { rows: Row[]; total: number };

type AdminListProps<Row extends RowData, Key extends string> = Pick<
  DataTableProps<Row, Key>,
  "label" | "columns" | "rowId" | "empty"
> & {
  page: UseQueryResult<ListPage<Row>>;
  state: ListState<Key>;
  sortKeys: readonly Key[];
  /** Names of orders that no column stands for. */
  unnamedOrders?: Record<string, string>;
  /** What one can search for. */
  search: string;
  filters?: ReactNode;
  /** What is counted, for one and for many; the latter also names the list in messages. */
  one: string;
  many: string;
};

/** A list of the back office: search and filters above, the table, and its pages below. */
export function AdminList<Row extends RowData, Key extends string>({
  page,
  state,
  sortKeys,
  unnamedOrders,
  search,
  filters,
  one,
  many,
  empty,
  ...table
}: AdminListProps<Row, Key>) {
  return (
    <>
      <DataTable
        {...table}
        toolbar={
          <>
            <ListSearch label={search} state={state} />
            {filters}
          </>
        }
        rows={page.data?.rows}
        // The last row of the last page may have been deleted: that is not the same as no row at all.
        empty={page.data?.total ? `There are no ${many} on this page.` : empty}
        failure={readFailure(many, page)}
        stale={page.isPlaceholderData}
        sorting={{ keys: sortKeys, state, unnamed: unnamedOrders }}
      />
      <ListPages state={state} total={page.data?.total} one={one} many={many} />
    </>
  );
}
