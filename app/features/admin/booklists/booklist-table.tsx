import { Link } from "react-router";
import type { DataColumn } from "#app/components/office/data-column.ts";
import { ListFilter } from "#app/components/office/list-filter.tsx";
import { useAdminQuery } from "#app/features/admin/admin-data.ts";
import { AdminList } from "#app/features/admin/admin-list.tsx";
import { BOOKLIST_STATUSES } from "#app/features/booklists/booklist.ts";
import { formatBooklistCode } from "#app/features/booklists/booklist-code.ts";
import { formatDay } from "#app/lib/dates.ts";
import { useListState } from "#app/lib/list-state.ts";
import { BOOKLIST_SORT_KEYS, type BooklistRow, listBooklists } from "./booklist.admin-queries.ts";
import { BooklistStatusBadge, booklistStatusLabel } from "./booklist-status-badge.tsx";

const lastChangedFirst = { key: "updated_at", descending: true } as const;

const statusChoices = BOOKLIST_STATUSES.map((value) => ({ value, label: booklistStatusLabel(value) }));

/** All booklists, last changed first; the school's name leads to the editor. */
export function BooklistTable() {
  const state = useListState(BOOKLIST_SORT_KEYS, lastChangedFirst);
  // An unknown status in the URL is ignored.
  const status = BOOKLIST_STATUSES.find((one) => one === state.filter("status")) ?? "";
  const query = { page: state.page, q: state.q, sort: state.sort, status };
  const lists = useAdminQuery(["booklists", "list", query], (client) => listBooklists(client, query), {
    keepPrevious: true,
  });
  return (
    <AdminList
      label="Booklists"
      one="booklist"
      many="booklists"
      columns={columns}
      rowId={(list) => list.id}
      page={lists}
      state={state}
      sortKeys={BOOKLIST_SORT_KEYS}
      search="Search school, class, year, code"
      filters={
        <ListFilter
          name="status"
          label="Filter by status"
          all="All statuses"
          choices={statusChoices}
          state={{ ...state, filter: () => status }}
        />
      }
      empty="No booklists found"
    />
  );
}

const columns: readonly DataColumn<BooklistRow>[] = [
  {
    id: "school",
    header: "School",
    card: "title",
    cell: (list) => (
      <Link
        to={`/admin/booklists/${list.id}`}
        className="inline-flex min-h-11 items-center font-semibold wrap-anywhere @4xl:min-h-8"
      >
        {list.school}
      </Link>
    ),
  },
  { id: "class_name", header: "Class", className: "wrap-anywhere", cell: (list) => list.class_name },
  {
    id: "school_year",
    header: "School year",
    sorts: "time",
    descendingFirst: true,
    className: "figures whitespace-nowrap",
    cell: (list) => list.school_year,
  },
  { id: "status", header: "Status", cell: (list) => <BooklistStatusBadge status={list.status} /> },
  { id: "lines", header: "Lines", align: "right", cell: (list) => list.lines },
  {
    id: "code",
    header: "Code",
    className: "figures whitespace-nowrap",
    cell: (list) => formatBooklistCode(list.code),
  },
  {
    id: "updated_at",
    header: "Changed",
    sorts: "time",
    descendingFirst: true,
    className: "figures whitespace-nowrap",
    cell: (list) => formatDay(list.updated_at),
  },
];
