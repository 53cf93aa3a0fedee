import type { ComponentProps, ReactNode } from "react";
import type { BackendClient } from "#app/lib/backend/client.ts";
import { type ListQuery, type Sort, useListState } from "#app/lib/react/list-state.ts";
import { ListFilter } from "#app/office/components/list-filter.tsx";
import { useAdminQuery } from "./admin-data.ts";
import { AdminList, type ListPage } from "./admin-list.tsx";

type StatusListProps<Row extends { id: string }, Key extends string, Status extends string> = Pick<
  ComponentProps<typeof AdminList<Row, Key>>,
  "label" | "one" | "many" | "columns" | "search" | "empty" | "sortKeys"
> & {
  /** The first part of the query's key. */
  name: string;
  defaultSort: Sort<Key>;
  statuses: Readonly<Record<Status, string>>;
  read: (client: BackendClient, query: ListQuery<Key> & { status: Status | "" }) => Promise<ListPage<Row>>;
  /** Whether it is refetched every 30 s. */
  refreshing?: boolean;
  /** Shown in place of `empty` while nothing is searched for or filtered: how the first one comes about. */
  beginning?: string;
  /** Exports what the list shows; `total` is undefined until known. */
  exporting?: (filters: { q: string; filter: string }, total: number | undefined) => ReactNode;
};

/** A list that can be filtered by status; an unknown status in the URL is ignored. */
export function StatusList<Row extends { id: string }, Key extends string, Status extends string>({
  name,
  sortKeys,
  defaultSort,
  statuses,
  read,
  refreshing = true,
  beginning,
  exporting,
  ...list
}: StatusListProps<Row, Key, Status>) {
  const state = useListState(sortKeys, defaultSort);
  const typed = state.filter("status");
  const status: Status | "" = Object.hasOwn(statuses, typed) ? (typed as Status) : "";
  const query = { page: state.page, q: state.q, sort: state.sort, status };
  const page = useAdminQuery([name, "list", query], (client) => read(client, query), {
    keepPrevious: true,
    refreshing,
  });
  return (
    <AdminList
      {...list}
      empty={beginning && !query.q && !status ? beginning : list.empty}
      rowId={({ id }) => id}
      page={page}
      state={state}
      sortKeys={sortKeys}
      filters={
        <>
          <ListFilter
            name="status"
            label="Filter by status"
            all="All statuses"
            choices={Object.entries<string>(statuses).map(([value, label]) => ({ value, label }))}
            state={{ ...state, filter: () => status }}
          />
          {exporting?.({ q: query.q, filter: status }, page.isPlaceholderData ? undefined : page.data?.total)}
        </>
      }
    />
  );
}
