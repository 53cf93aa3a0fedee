import { Link } from "react-router";
import { formatBooklistCode } from "#app/features/booklists/booklist-code.ts";
import type { DataColumn } from "#app/office/components/data-column.ts";
import { StatusList } from "#app/office/frame/status-list.tsx";
import { formatDay } from "#shared/text/dates.ts";
import { BOOKLIST_SORT_KEYS, type BooklistRow, listBooklists } from "./booklist.admin-queries.ts";
import { BooklistStatusBadge, booklistStatusNames } from "./booklist-status-badge.tsx";

const lastChangedFirst = { key: "updated_at", descending: true } as const;

/** All booklists, last changed first; the school's name leads to the editor. */
export function BooklistTable() {
  return (
    <StatusList
      name="booklists"
      label="Booklists"
      one="booklist"
      many="booklists"
      columns={columns}
      sortKeys={BOOKLIST_SORT_KEYS}
      defaultSort={lastChangedFirst}
      statuses={booklistStatusNames}
      read={listBooklists}
      refreshing={false}
      search="Search school, class, year, code"
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
