import { Link } from "react-router";
import { Badge, type BadgeVariant } from "#app/components/badge.tsx";
import { useListState } from "#app/lib/react/list-state.ts";
import type { DataColumn } from "#app/office/components/data-column.ts";
import { DataTable } from "#app/office/components/data-table.tsx";
import { ListPages } from "#app/office/components/list-pages.tsx";
import { readFailure, useAdminQuery } from "#app/office/frame/admin-data.ts";
import { formatMinute } from "#shared/text/dates.ts";
import { type Count, listCounts } from "./count.admin-queries.ts";
import { countPath, differencesText, progressText, scopeText } from "./count-texts.ts";

const SORT_KEYS = ["created_at"] as const;
const newestFirst = { key: "created_at", descending: true } as const;

const statuses: Readonly<Record<string, { label: string; variant: BadgeVariant }>> = {
  open: { label: "Open", variant: "warning" },
  booked: { label: "Booked", variant: "secondary" },
  discarded: { label: "Discarded", variant: "outline" },
};

export function CountStatus({ status }: { status: string }) {
  const { label, variant } = statuses[status] ?? { label: status, variant: "outline" };
  return <Badge variant={variant}>{label}</Badge>;
}

const columns: readonly DataColumn<Count>[] = [
  {
    id: "name",
    header: "Count",
    card: "title",
    cell: (count) => (
      <>
        <Link
          to={countPath(count.id)}
          className="-my-2.5 inline-block py-2.5 font-semibold text-green underline underline-offset-4"
        >
          {count.name}
        </Link>
        <span className="block text-13 font-normal text-muted">{scopeText(count)}</span>
      </>
    ),
  },
  {
    id: "created_at",
    header: "Started",
    className: "figures",
    cell: ({ created_at, by_name }) => (
      <>
        <span className="whitespace-nowrap">{formatMinute(created_at)}</span>
        {by_name && <bdi className="block text-13 text-muted">{by_name}</bdi>}
      </>
    ),
  },
  { id: "status", header: "Status", cell: ({ status }) => <CountStatus status={status} /> },
  { id: "counted", header: "Counted", className: "figures", cell: progressText },
  { id: "differences", header: "Differences", className: "figures", cell: differencesText },
];

/** All counts, the newest first. */
export function CountTable() {
  const state = useListState(SORT_KEYS, newestFirst);
  const counts = useAdminQuery(["counts", "list", state.page], (client) => listCounts(client, state.page), {
    keepPrevious: true,
    refreshing: true,
  });
  return (
    <>
      <DataTable
        label="Counts"
        toolbar={null}
        columns={columns}
        rows={counts.data?.rows}
        rowId={({ id }) => id}
        empty="No stock has been counted yet."
        failure={readFailure("counts", counts)}
        stale={counts.isPlaceholderData}
      />
      <ListPages state={state} total={counts.data?.total} one="count" many="counts" />
    </>
  );
}
