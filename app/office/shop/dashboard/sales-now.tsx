import { Link } from "react-router";
import { Skeleton } from "#app/components/skeleton.tsx";
import { RetryNote } from "#app/office/components/retry-note.tsx";
import { readFailure, useAdminQuery } from "#app/office/frame/admin-data.ts";
import { dayOf, type Period, readPeriod, termKey, yearBefore } from "#app/office/frame/periods/period.ts";
import { listSchoolTerms } from "#app/office/frame/periods/school-term.admin-queries.ts";
import type { SchoolTerm } from "#shared/owner/settings.ts";
import { countOf } from "#shared/text/count-of.ts";
import { formatCedis } from "#shared/text/money.ts";
import { sumSales } from "./dashboard.admin-queries.ts";

type Shown = { label: string; key: string; period: Period };

/** Today, this week, and the term that today is in; this month between terms. */
function periodsOf(today: string, terms: readonly SchoolTerm[]): Shown[] {
  const fixed = (label: string, key: string): Shown => {
    const { from, to } = readPeriod(new URLSearchParams({ period: key }), today);
    return { label, key, period: { from, to } };
  };
  const term = terms.find(({ from, to }) => from <= today && today <= to);
  return [
    fixed("Today", "today"),
    fixed("This week", "week"),
    term
      ? { label: term.name, key: termKey(term), period: { from: term.from, to: today } }
      : fixed("This month", "month"),
  ];
}

/** Sales of today, this week and this term, compared with the same days last year. */
export function SalesNow() {
  const today = dayOf(new Date());
  const terms = useAdminQuery(["settings", "terms"], listSchoolTerms);
  const shown = periodsOf(today, terms.data ?? []);
  const periods = shown.flatMap(({ period }) => [period, yearBefore(period)]);
  const sums = useAdminQuery(["dashboard", "sales", periods], (client) => sumSales(client, periods), {
    refreshing: true,
    keepPrevious: true,
    enabled: !terms.isPending,
  });
  const failure = readFailure("sales", sums);
  if (failure) return <RetryNote {...failure} />;
  return (
    <ul aria-label="Sales" className="mb-3 grid grid-cols-1 gap-3 @lg:grid-cols-3">
      {shown.map(({ label, key }, index) => {
        const [now, before] = [sums.data?.[2 * index], sums.data?.[2 * index + 1]];
        return (
          <li
            key={label}
            className="flex flex-wrap items-baseline justify-between gap-x-4 rounded-card border border-line px-4 py-2 @lg:block @lg:py-3"
          >
            <h2 className="font-sans text-15 font-semibold">
              <Link
                to={`/admin/reports?period=${key}`}
                className="-my-2.5 inline-block py-2.5 underline decoration-line-strong underline-offset-4 hover:decoration-green"
              >
                {label}
              </Link>
            </h2>
            {now && before ? (
              <>
                <p className="figures font-display text-20 font-semibold">{formatCedis(now.amount)}</p>
                <p className="figures basis-full text-13 text-muted">
                  {countOf(now.copies, "copy", "copies")}. Last year {formatCedis(before.amount)},{" "}
                  {countOf(before.copies, "copy", "copies")}
                </p>
              </>
            ) : (
              <Skeleton className="my-1 h-12 w-40" />
            )}
          </li>
        );
      })}
    </ul>
  );
}
