import type { ReactNode } from "react";
import { OfficeLink } from "#app/office/frame/duties.tsx";
import { formatDay } from "#shared/text/dates.ts";
import type { Newest } from "./person.admin-queries.ts";

export const rowLinkClass =
  "inline-flex min-h-11 items-center font-semibold wrap-anywhere text-green underline @4xl:min-h-6";

type PersonRowsProps<Row> = {
  list: Newest<Row>;
  rowId: (row: Row) => string;
  /** The row's name, which links to it where there is a page of it. */
  name: (row: Row) => ReactNode;
  /** Beside the name: a status, an amount. */
  facts?: (row: Row) => ReactNode;
  /** The list that has the others too. */
  all?: string | null;
};

/** The newest of a list about a person, each on a line with its day. */
export function PersonRows<Row>({ list, rowId, name, facts, all }: PersonRowsProps<Row>) {
  if (list.count === 0) return <p className="text-muted">None</p>;
  return (
    <>
      <ul>
        {list.rows.map((row) => (
          <li
            key={rowId(row)}
            className="flex flex-wrap items-center gap-x-4 border-t border-line py-1 first:border-0"
          >
            <span className="min-w-0 wrap-anywhere @max-xl:w-full @xl:grow">{name(row)}</span>
            {facts && (
              <span className="figures flex flex-wrap items-center gap-x-3 gap-y-1">{facts(row)}</span>
            )}
            <time dateTime={row.created_at} className="figures text-13 text-muted @xl:w-26 @xl:text-right">
              {formatDay(row.created_at)}
            </time>
          </li>
        ))}
      </ul>
      <MoreOf list={list} all={all} />
    </>
  );
}

/** Says how many there are if not all are shown, with a link to the list that has them. */
export function MoreOf({ list, all }: { list: Newest<unknown>; all?: string | null | undefined }) {
  if (list.count <= list.rows.length) return null;
  const text = `The newest ${list.rows.length} of ${list.count.toLocaleString("en-GB")}`;
  return (
    <p className="mt-2 text-13 text-muted">
      {text}
      {all && (
        <>
          {". "}
          <OfficeLink to={all} className="text-green underline">
            Show all
          </OfficeLink>
        </>
      )}
    </p>
  );
}
