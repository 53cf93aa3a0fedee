import { Link } from "react-router";
import { Badge, type BadgeVariant } from "#app/components/badge.tsx";
import { JoinedTexts } from "#app/components/joined-texts.tsx";
import { useListState } from "#app/lib/react/list-state.ts";
import type { DataColumn } from "#app/office/components/data-column.ts";
import { ListFilter } from "#app/office/components/list-filter.tsx";
import { useAdminQuery } from "#app/office/frame/admin-data.ts";
import { AdminList, type ListPage } from "#app/office/frame/admin-list.tsx";
import { formatMinute } from "#shared/text/dates.ts";
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
  subjectParts,
} from "./activity.ts";
import { ChangeList } from "./change-list.tsx";
import { RestoreButton } from "./restore-button.tsx";

const newestFirst = { key: "happened_at", descending: true } as const;

/** An entry with its texts, computed once per response. */
type ActivityRow = ActivityEntry & {
  description: string;
  subject: string;
  subjectParts: string[];
  changes: FieldChange[];
};

const actionVariants: Readonly<Record<string, BadgeVariant>> = {
  insert: "default",
  update: "outline",
  delete: "destructive",
};

/** The audit log, newest first: who did what and when, with each field before and after. */
export function ActivityTable() {
  const state = useListState(ACTIVITY_SORT_KEYS, newestFirst);
  const { table, actor } = readActivityFilters(state.filter);
  // Invalid filters in the URL are ignored.
  const validState = { ...state, filter: (name: string) => (name === "table" ? table : actor) };
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
      search="Search person, title or order"
      filters={
        <>
          <ListFilter
            name="table"
            label="Filter by kind"
            all="Everything"
            choices={tableChoices}
            state={validState}
          />
          <ListFilter
            name="person"
            label="Filter by person"
            all="Everyone"
            choices={people.map(({ id, name }) => ({ value: id, label: name }))}
            state={validState}
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
      description: describeAction(entry),
      subject: describeSubject(entry, names),
      subjectParts: subjectParts(entry, names),
      changes: listChanges(entry, names),
    })),
  };
}

const linkClass =
  "wrap-anywhere @max-4xl:inline-block @max-4xl:py-2.5 underline decoration-line-strong underline-offset-4 hover:decoration-green";

const columns: readonly DataColumn<ActivityRow>[] = [
  {
    id: "what",
    header: "What",
    card: "title",
    className: "@4xl:w-56 @4xl:align-top",
    cell: (entry) => (
      <>
        <Badge variant={actionVariants[entry.action] ?? "secondary"}>{entry.description}</Badge>
        <p className="mt-1 wrap-anywhere">
          <Link
            to={`?q=${encodeURIComponent(entry.rowId)}`}
            title="Show its full history"
            className={linkClass}
          >
            <JoinedTexts texts={entry.subjectParts} separator=", " />
          </Link>
        </p>
      </>
    ),
  },
  {
    id: "happened_at",
    header: "When",
    sorts: "time",
    className: "figures whitespace-nowrap @4xl:align-top",
    cell: (row) => formatMinute(row.happenedAt),
  },
  {
    id: "who",
    header: "Who",
    className: "@4xl:max-w-48 @4xl:align-top",
    cell: (row) => <Actor actor={row.actor} />,
  },
  {
    id: "changes",
    header: "Changes",
    className: "@4xl:align-top",
    cell: (entry) => (
      <ChangeList changes={entry.changes} compares={isComparison(entry)} subject={entry.subject} />
    ),
  },
  {
    id: "actions",
    header: "Actions",
    card: "actions",
    className: "@4xl:w-32 @4xl:align-top",
    cell: (entry) => entry.restorable && <RestoreButton entry={entry} />,
  },
];

function Actor({ actor }: { actor: ActivityEntry["actor"] }) {
  if (actor === null) return <span className="text-muted">Shop command</span>;
  return (
    <Link to={`?person=${actor.id}`} className={linkClass} title="Show only this person's activity">
      {actor.name}
    </Link>
  );
}
