import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { ListState } from "#app/lib/react/list-state.ts";
import { DataTable, type DataTableProps } from "#app/office/components/data-table.tsx";
import { ListPages } from "#app/office/components/list-pages.tsx";
import { ListSearch } from "#app/office/components/list-search.tsx";
import { readFailure } from "./admin-data.ts";

/** One page of a list and the exact number of rows on all pages. */
export type ListPage<Row> = { rows: Row[]; total: number };

type AdminListProps<Row, Key extends string> = Pick<
  DataTableProps<Row, Key>,
  "label" | "columns" | "rowId" | "empty" | "actions"
> & {
  page: UseQueryResult<ListPage<Row>>;
  state: ListState<Key>;
  sortKeys: readonly Key[];
  /** Labels of sort orders that have no column. */
  unnamedOrders?: Record<string, string>;
  /** The search box's label: what can be searched for. */
  search: string;
  filters?: ReactNode;
  /** The noun for the rows, singular and plural; the plural is also used in messages. */
  one: string;
  many: string;
};

/** A back-office list: search and filters above the table, page links below. */
export function AdminList<Row, Key extends string>({
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
        // An empty last page, after its last row was deleted, is not an empty list.
        empty={page.data?.total ? `There are no ${many} on this page.` : empty}
        failure={readFailure(many, page)}
        stale={page.isPlaceholderData}
        sorting={{ keys: sortKeys, state, unnamed: unnamedOrders }}
      />
      <ListPages state={state} total={page.data?.total} one={one} many={many} />
    </>
  );
}
