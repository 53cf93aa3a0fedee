import type { ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import { Badge, type BadgeVariant } from "#app/components/badge.tsx";
import { buttonClass } from "#app/components/button.tsx";
import { bookFieldLabel } from "#app/features/books/book-fields.ts";
import type {
  BookImportAction,
  BookImportCounts,
} from "#app/office/catalogue/book-import/book-import.queries.ts";
import { ODDITIES, type Oddity } from "#app/office/catalogue/book-import/import-totals.ts";
import { lineText } from "#app/office/catalogue/book-import/list-plan.ts";
import { formatListed } from "#app/office/catalogue/book-import/price-conversion.ts";
import type { DataColumn } from "#app/office/components/data-column.ts";
import { DataTable } from "#app/office/components/data-table.tsx";
import { readFailure, useAdminQuery } from "#app/office/frame/admin-data.ts";
import { listChanges } from "#app/office/people/activity/activity.ts";
import { ChangeList } from "#app/office/people/activity/change-list.tsx";
import { formatCedis, type Pesewas } from "#shared/text/money.ts";
import { type ImportState, listImportPlan, PLAN_PAGE_SIZE, type PlanRow } from "./import.admin-queries.ts";
import { LeftOutButton } from "./left-out-button.tsx";

/** The kinds of rows, those that need a look first. */
const KINDS = [
  { action: "refused", count: "refused", label: "Problems", word: "Problem", badge: "destructive" },
  { action: "update", count: "updated", label: "Changes", word: "Changed", badge: "outline" },
  { action: "add", count: "added", label: "New books", word: "New", badge: "default" },
  { action: "unchanged", count: "unchanged", label: "Unchanged", word: "Unchanged", badge: "secondary" },
  { action: "not_a_book", count: "not_books", label: "Left out", word: "Left out", badge: "outline" },
] as const satisfies {
  action: BookImportAction;
  count: keyof BookImportCounts;
  label: string;
  /** Of one row. */
  word: string;
  badge: BadgeVariant;
}[];

type PlanListProps = { bookImport: ImportState; counts: BookImportCounts; oddities: Oddity[] };

/** What the import would do row by row: one kind or one oddity at a time, 50 rows a page, stored in the URL. */
export function PlanList({ bookImport, counts, oddities }: PlanListProps) {
  const importId = bookImport.id;
  const [params] = useSearchParams();
  const odd = oddities.find(({ kind }) => kind === params.get("odd"));
  const chosen = KINDS.find(({ action }) => action === params.get("show"));
  const kind = chosen ?? KINDS.find(({ count }) => counts[count] > 0) ?? KINDS[0];
  const afterText = params.get("after") ?? "";
  const after = /^\d{1,9}$/.test(afterText) ? Number(afterText) : 0;
  const plan = useAdminQuery(
    ["book-import", importId, "plan", odd?.kind ?? kind.action, after],
    (client) => listImportPlan(client, importId, odd ? { odd: odd.kind } : { action: kind.action }, after),
    { keepPrevious: true },
  );
  const address = (shown: string, afterLine = 0) =>
    `?id=${importId}&${shown}${afterLine > 0 ? `&after=${afterLine}` : ""}`;
  const showsLines = !odd && kind.action === "not_a_book";
  const shown = odd ? `odd=${odd.kind}` : `show=${kind.action}`;
  const last = plan.data?.at(-1)?.line;
  const more = plan.data?.length === PLAN_PAGE_SIZE && last !== undefined;
  return (
    <section aria-labelledby="rows">
      <h2 id="rows" className="mb-2 scroll-mt-20 text-20">
        Row by row
      </h2>
      <DataTable
        label="Rows of the file"
        toolbar={
          <nav aria-label="Kinds of rows" className="flex flex-wrap gap-2">
            {KINDS.map(({ action, count, label }) => (
              <KindLink key={action} to={address(`show=${action}`)} current={!odd && action === kind.action}>
                {label} {counts[count].toLocaleString("en-GB")}
              </KindLink>
            ))}
            {odd && (
              <KindLink to={address(shown)} current>
                {ODDITIES[odd.kind].name} {odd.count.toLocaleString("en-GB")}
              </KindLink>
            )}
          </nav>
        }
        actions={
          showsLines && (
            <div className="mb-3">
              <LeftOutButton bookImport={bookImport} counts={counts} kind="not_a_book" />
            </div>
          )
        }
        columns={showsLines ? lineColumns : columns}
        rows={plan.data}
        rowId={({ line }) => String(line)}
        empty="No such rows"
        failure={readFailure("rows", plan)}
        stale={plan.isPlaceholderData}
      />
      <nav aria-label="Pages" className="mt-2 flex flex-wrap gap-3">
        {after > 0 && (
          <Link to={address(shown)} className={buttonClass({ variant: "secondary" })}>
            First rows
          </Link>
        )}
        {more && (
          <Link to={address(shown, last)} className={buttonClass({ variant: "secondary" })}>
            Next {PLAN_PAGE_SIZE} rows
          </Link>
        )}
      </nav>
    </section>
  );
}

function KindLink({ to, current, children }: { to: string; current: boolean; children: ReactNode }) {
  return (
    <Link
      to={to}
      preventScrollReset
      aria-current={current ? "page" : undefined}
      className={buttonClass({ variant: current ? "primary" : "secondary" })}
    >
      {children}
    </Link>
  );
}

const columns: readonly DataColumn<PlanRow>[] = [
  {
    id: "book",
    header: "Book",
    card: "title",
    className: "@4xl:w-72 @4xl:align-top",
    cell: (row) => (
      <>
        <p className="wrap-anywhere">{row.after.title ?? (lineText(row.cells) || "No title")}</p>
        {row.after.isbn && <p className="figures text-13 font-normal text-muted">{row.after.isbn}</p>}
      </>
    ),
  },
  {
    id: "line",
    header: "Line",
    align: "right",
    className: "@4xl:align-top",
    cell: (row) => row.line.toLocaleString("en-GB"),
  },
  {
    id: "what",
    header: "What",
    className: "@4xl:align-top",
    cell: (row) => {
      const kind = KINDS.find(({ action }) => action === row.action);
      return <Badge variant={kind?.badge}>{kind?.word}</Badge>;
    },
  },
  {
    id: "price",
    header: "Price",
    align: "right",
    className: "@4xl:align-top @4xl:whitespace-nowrap",
    cell: (row) => (
      <div>
        <OldAndNew
          before={cedis(row.before?.price)}
          after={cedis(row.after.price)}
          isNew={row.before === null}
        />
        {row.listed && <p className="text-13 text-muted">{formatListed(row.listed)} in the file</p>}
      </div>
    ),
  },
  {
    id: "stock",
    header: "Stock",
    align: "right",
    className: "@4xl:align-top @4xl:whitespace-nowrap",
    cell: (row) => (
      <OldAndNew
        before={copies(row.before?.stock_quantity)}
        after={copies(row.after.stock_quantity)}
        isNew={row.before === null}
      />
    ),
  },
  {
    id: "notes",
    header: "Notes",
    className: "@4xl:align-top",
    cell: (row) => <Notes row={row} />,
  },
];

/** A line that is not a book has neither price nor stock. */
const lineColumns = columns.flatMap((column) => {
  if (column.id === "price" || column.id === "stock") return [];
  return [column.id === "book" ? { ...column, header: "In the file" } : column];
});

function cedis(price: Pesewas | undefined): string {
  return price === undefined ? "none" : formatCedis(price);
}

/** There is none where a row's could not be read. */
function copies(stock: number | null | undefined): string {
  return stock === null || stock === undefined ? "–" : stock.toLocaleString("en-GB");
}

function OldAndNew({ before, after, isNew }: { before: string; after: string; isNew: boolean }) {
  if (isNew || before === after) return after;
  return (
    <span>
      <span className="sr-only">from </span>
      <span className="text-muted">{before}</span>
      <span aria-hidden="true"> → </span>
      <span className="sr-only"> to </span>
      <strong className="font-semibold">{after}</strong>
    </span>
  );
}

/** Price and stock have columns of their own, and a new book's ISBN stands below its title. */
function withoutPriceAndStock({ price, stock_quantity, isbn, ...texts }: PlanRow["after"], isNew: boolean) {
  return isNew ? texts : { isbn, ...texts };
}

const NO_NAMES = new Map<string, string>();

/** Why the row is left out, else what changes besides price and stock, and what stays as it was changed since the export. */
function Notes({ row }: { row: PlanRow }) {
  if (row.problems.length > 0) {
    const colour = row.action === "not_a_book" ? "text-muted" : "text-clay";
    return <span className={colour}>{row.problems.join(" ")}</span>;
  }
  const { before, after, moved } = row;
  const changes = listChanges(
    {
      table: "books",
      before: before && withoutPriceAndStock(before, false),
      after: withoutPriceAndStock(after, before === null),
    },
    NO_NAMES,
  );
  if (changes.length === 0 && moved.length === 0) return <span className="text-muted">–</span>;
  return (
    <>
      {changes.length > 0 && (
        <ChangeList
          changes={changes}
          compares={row.before !== null}
          subject={row.after.title ?? `line ${row.line}`}
        />
      )}
      {moved.length > 0 && (
        <p className="text-muted">
          Changed in the shop since the export and kept: {moved.map(bookFieldLabel).join(", ")}
        </p>
      )}
    </>
  );
}
