import { Link } from "react-router";
import { Badge, type BadgeVariant } from "#app/components/badge.tsx";
import { dataColumns } from "#app/components/data-table-columns.ts";
import { ListFilter } from "#app/components/list-filter.tsx";
import { useAdminQuery } from "#app/features/admin/admin-data.ts";
import { AdminList, type ListPage } from "#app/features/admin/admin-list.tsx";
import { formatMinute } from "#app/lib/dates.ts";
import { useListState } from "#app/lib/list-state.ts";
import {
  ACTIVITY_SORT_KEYS,
  type ActivityQuery,
  listActivity,
  listActivityPeople,
} from "./activity.admin-queries.ts";
import {
  ACTIVITY_TABLES,
  type ActivityEntry,
  describeAction,
  describeSubject,
  type FieldChange,
  isComparison,
  listChanges,
  readActivityFilters,
} from "./activity.ts";
import { ChangeList } from "./change-list.tsx";
import { RestoreButton } from "./restore-button.tsx";

const newestFirst = { key: "happened_at", descending: true } as const;

/** An entry with its words, made once per answer. */
type ActivityRow = ActivityEntry & { words: string; subject: string; changes: FieldChange[] };

const column = dataColumns<ActivityRow>();

const actionVariants: Readonly<Record<string, BadgeVariant>> = {
  insert: "default",
  update: "outline",
  delete: "destructive",
};

/** The audit log, newest first: who did what and when, with each field before and after. */
export function ActivityTable() {
  const state = useListState(ACTIVITY_SORT_KEYS, newestFirst);
  const { table, actor } = readActivityFilters(state.filter);
  // What the address holds and no filter can be is as good as nothing.
  const known = { ...state, filter: (name: string) => (name === "table" ? table : actor) };
  const query: ActivityQuery = { page: state.page, q: state.q, sort: state.sort, table, actor };
  const activity = useAdminQuery(
    ["activity", query],
    async (client) => describeAll(await listActivity(client, query)),
    { keepPrevious: true },
  );
  const { data: people = [] } = useAdminQuery(
    ["activity", "people", actor],
    (client) => listActivityPeople(client, actor),
    { keepPrevious: true },
  );
  return (
    <AdminList
      label="Activity"
      one="entry"
      many="entries"
      columns={columns}
      rowId={({ id }) => String(id)}
      page={activity}
      state={state}
      sortKeys={ACTIVITY_SORT_KEYS}
      search="Search person or full id"
      filters={
        <>
          <ListFilter
            name="table"
            label="Filter by kind"
            all="Everything"
            choices={tableChoices}
            state={known}
          />
          <ListFilter
            name="person"
            label="Filter by person"
            all="Everyone"
            choices={people.map(({ id, name }) => ({ value: id, label: name }))}
            state={known}
          />
        </>
      }
      empty="No activity found"
    />
  );
}

const tableChoices = Object.entries(ACTIVITY_TABLES).map(([value, { many }]) => ({ value, label: many }));

function describeAll({
  rows,
  total,
  names,
}: Awaited<ReturnType<typeof listActivity>>): ListPage<ActivityRow> {
  return {
    total,
    rows: rows.map((entry) => ({
      ...entry,
      words: describeAction(entry),
      subject: describeSubject(entry, names),
      changes: listChanges(entry, names),
    })),
  };
}

const linkClass =
  "break-words @max-4xl:inline-block @max-4xl:py-2.5 underline decoration-line-strong underline-offset-4 hover:decoration-green";

const columns = column.columns([
  column.display({
    id: "what",
    header: "What",
    meta: { card: "title", className: "@4xl:w-56 @4xl:align-top" },
    cell: ({ row: { original: entry } }) => (
      <>
        <Badge variant={actionVariants[entry.action] ?? "secondary"}>{entry.words}</Badge>
        <p className="mt-1 break-words">
          <Link
            to={`?q=${encodeURIComponent(entry.rowId)}`}
            title="Show its whole history"
            className={linkClass}
          >
            {entry.subject}
          </Link>
        </p>
      </>
    ),
  }),
  column.accessor("happenedAt", {
    id: "happened_at",
    header: "When",
    meta: { className: "figures whitespace-nowrap @4xl:align-top" },
    cell: ({ getValue }) => formatMinute(getValue()),
  }),
  column.accessor("actor", {
    id: "who",
    header: "Who",
    meta: { className: "@4xl:max-w-48 @4xl:align-top" },
    cell: ({ getValue }) => <Actor actor={getValue()} />,
  }),
  column.accessor("changes", {
    id: "changes",
    header: "Changes",
    meta: { className: "@4xl:align-top" },
    cell: ({ row: { original: entry } }) => (
      <ChangeList changes={entry.changes} compares={isComparison(entry)} subject={entry.subject} />
    ),
  }),
  column.display({
    id: "actions",
    header: "Actions",
    meta: { card: "actions", className: "@4xl:w-32 @4xl:align-top" },
    cell: ({ row: { original: entry } }) => entry.restorable && <RestoreButton entry={entry} />,
  }),
]);

function Actor({ actor }: { actor: ActivityEntry["actor"] }) {
  if (actor === null) return <span className="text-muted">Shop command</span>;
  return (
    <Link to={`?person=${actor.id}`} className={linkClass} title="Show only this person's activity">
      {actor.name}
    </Link>
  );
}
