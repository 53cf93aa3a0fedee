import { Link, useSearchParams } from "react-router";
import { Button } from "#app/components/button.tsx";
import { changedParams } from "#app/lib/react/list-state.ts";
import { OfficeIcon } from "#app/office/components/office-icon.tsx";
import { useAdminQuery } from "#app/office/frame/admin-data.ts";
import { AdminPage } from "#app/office/frame/admin-page.tsx";
import { dayOf, type Period, readPeriod } from "#app/office/frame/periods/period.ts";
import { PeriodChoice } from "#app/office/frame/periods/period-choice.tsx";
import { countOf } from "#shared/text/count-of.ts";
import { formatDay, formatMinute } from "#shared/text/dates.ts";
import { DemandReport } from "./demand-report.tsx";
import { MarginReport } from "./margin-report.tsx";
import { OwedReport, TakingsReport, UnsoldReport, WantedReport } from "./other-reports.tsx";
import { findSalesCheck } from "./report.admin-queries.ts";
import { SalesReport } from "./sales-report.tsx";

const reports = {
  sales: { label: "Sales", hasPeriod: true },
  margin: { label: "Margin", hasPeriod: true },
  takings: { label: "Takings", hasPeriod: true },
  owed: { label: "Owed", hasPeriod: false },
  unsold: { label: "Not sold", hasPeriod: true },
  wanted: { label: "Wanted", hasPeriod: false },
  demand: { label: "Demand", hasPeriod: true },
} as const;

export function ReportsPage() {
  const [params] = useSearchParams();
  const requested = params.get("report") ?? "";
  const report = Object.hasOwn(reports, requested) ? (requested as keyof typeof reports) : "sales";
  const today = dayOf(new Date());
  const period = readPeriod(params, today);
  const { label, hasPeriod } = reports[report];
  return (
    <AdminPage
      title="Reports"
      lead={
        report === "demand"
          ? "What visitors, customers and schools look for."
          : "An order counts on the day it was placed, and not at all once it is cancelled."
      }
      actions={
        <Button variant="secondary" className="print:hidden" onClick={() => window.print()}>
          <OfficeIcon name="print" size={18} />
          Print
        </Button>
      }
    >
      <SalesCheck />
      <nav aria-label="Reports" className="mb-4 print:hidden">
        <ul className="flex flex-wrap gap-1">
          {Object.entries(reports).map(([key, { label }]) => (
            <li key={key}>
              <Link
                to={{ search: changedParams(params, { report: key, only: null }).toString() }}
                aria-current={key === report ? "page" : undefined}
                className="flex min-h-11 items-center rounded-control px-3 whitespace-nowrap hover:bg-tint aria-[current]:bg-green aria-[current]:font-semibold aria-[current]:text-white"
              >
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {hasPeriod && (
        <div className="mb-4">
          <PeriodChoice period={period} />
        </div>
      )}
      <p className="mb-4 hidden font-semibold print:block">
        {label}, {hasPeriod ? daysOf(period) : formatDay(today)}
      </p>
      {report === "sales" && <SalesReport period={period} />}
      {report === "margin" && <MarginReport period={period} />}
      {report === "takings" && <TakingsReport period={period} />}
      {report === "owed" && <OwedReport />}
      {report === "unsold" && <UnsoldReport period={period} />}
      {report === "wanted" && <WantedReport />}
      {report === "demand" && <DemandReport period={period} />}
    </AdminPage>
  );
}

/** '1 Nov 2026 to 27 Nov 2026', or the one day. */
const daysOf = ({ from, to }: Period) =>
  from === to ? formatDay(from) : `${formatDay(from)} to ${formatDay(to)}`;

/** Warns if the nightly recount found a difference. */
function SalesCheck() {
  const { data: check } = useAdminQuery(["reports", "check"], findSalesCheck);
  if (!check || check.wrong === 0) return null;
  return (
    <p role="alert" className="mb-3 rounded-card border border-clay bg-clay-tint px-4 py-2.5">
      <strong className="font-semibold">
        {countOf(check.wrong, "sum")} {check.wrong === 1 ? "doesn't" : "don't"} agree with the orders
      </strong>{" "}
      ({formatMinute(check.checked_at)}). Don't rely on these reports: docs/running.md says what to do.
    </p>
  );
}
