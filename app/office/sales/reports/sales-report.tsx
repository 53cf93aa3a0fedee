import { Link, useSearchParams } from "react-router";
import { Skeleton } from "#app/components/skeleton.tsx";
import type { BackendClient } from "#app/lib/backend/client.ts";
import { changedParams } from "#app/lib/react/list-state.ts";
import { CompactSelect } from "#app/office/components/compact-select.tsx";
import { Panel } from "#app/office/components/panel.tsx";
import { RetryNote } from "#app/office/components/retry-note.tsx";
import { readFailure, useAdminQuery } from "#app/office/frame/admin-data.ts";
import {
  columnsOf,
  type Grain,
  grainOf,
  type Period,
  type Span,
  termSpans,
  yearBefore,
} from "#app/office/frame/periods/period.ts";
import { listSchoolTerms } from "#app/office/frame/periods/school-term.admin-queries.ts";
import { formatDay } from "#shared/text/dates.ts";
import { cedisFromPesewas, formatCedis, type Pesewas, sumPesewas } from "#shared/text/money.ts";
import { ColumnChart } from "./column-chart.tsx";
import { GrainChoice } from "./grain-choice.tsx";
import {
  type Breakdown,
  breakdowns,
  listSales,
  listSalesOverTime,
  type SalesColumn,
  type SalesLine,
} from "./report.admin-queries.ts";
import { CustomerContact, customerName } from "./report-parts.tsx";
import { lineLinkClass, type ReportColumn, ReportTable } from "./report-table.tsx";

const count = (value: number) => value.toLocaleString("en-GB");

const isBreakdown = (text: string): text is Breakdown => Object.hasOwn(breakdowns, text);

/** The key that the report is limited to; '' is 'Not stated'. */
const keyIn = (params: URLSearchParams) => params.get("only")?.replace(/^=/, "") ?? null;

/** What customers paid or will pay, delivery included. */
const salesOf = ({ books, delivery }: { books: Pesewas; delivery: Pesewas }) => sumPesewas([books, delivery]);

type Totals = { orders: number | null; copies: number; books: Pesewas; delivery: Pesewas };

function totalsOf(rows: readonly Totals[]): Totals {
  return {
    orders: rows.reduce<number | null>(
      (sum, { orders }) => (sum === null || orders === null ? null : sum + orders),
      0,
    ),
    copies: rows.reduce((sum, { copies }) => sum + copies, 0),
    books: sumPesewas(rows.map(({ books }) => books)),
    delivery: sumPesewas(rows.map(({ delivery }) => delivery)),
  };
}

export function SalesReport({ period }: { period: Period }) {
  const [params] = useSearchParams();
  const requested = params.get("by") ?? "";
  const by = isBreakdown(requested) ? requested : "publisher";
  const key = keyIn(params);
  const only = key === null ? null : { by, key };
  const grain = grainOf(params, period);
  const terms = useAdminQuery(["settings", "terms"], listSchoolTerms).data ?? [];
  const spans = params.get("grain") === "term" && terms.length > 0 ? termSpans(period, terms) : null;

  const overTime = useAdminQuery(
    ["reports", "time", period, spans ?? grain, only],
    (client) =>
      spans ? listSalesOfSpans(client, spans, only) : listSalesOverTime(client, period, grain, only),
    { keepPrevious: true },
  );
  const before = useAdminQuery(
    ["reports", "time", yearBefore(period), "month", only],
    (client) => listSalesOverTime(client, yearBefore(period), "month", only),
    { keepPrevious: true },
  );
  const lines = useAdminQuery(["reports", "lines", period, by], (client) => listSales(client, period, by), {
    keepPrevious: true,
  });
  const failure = readFailure("sales", overTime.error ? overTime : lines);
  if (failure) return <RetryNote {...failure} />;
  if (!overTime.data || !lines.data) return <Skeleton className="h-96" />;
  const chosen = key === null ? null : lines.data.find((line) => line.key === key);
  return (
    <div className="grid gap-5">
      {key !== null && (
        <p>
          Only <strong className="font-semibold">{nameOfLine(by, chosen?.label ?? key)}</strong>.{" "}
          <Link
            to={{ search: changedParams(params, { only: null }).toString() }}
            className="font-semibold text-green print:hidden"
          >
            Show all
          </Link>
        </p>
      )}
      <SalesTotals now={totalsOf(overTime.data)} before={before.data && totalsOf(before.data)} />
      <SalesOverTime
        period={period}
        grain={grain}
        spans={spans}
        hasTerms={terms.length > 0}
        rows={overTime.data}
      />
      <SalesBreakdown period={period} by={by} lines={lines.data} />
    </div>
  );
}

function SalesTotals({ now, before }: { now: Totals; before: Totals | undefined }) {
  const totals: [label: string, value: string | null, earlier: string | null | undefined][] = [
    [
      "Orders",
      now.orders === null ? null : count(now.orders),
      before?.orders === null ? null : before && count(before.orders ?? 0),
    ],
    ["Copies", count(now.copies), before && count(before.copies)],
    ["Sales", formatCedis(salesOf(now)), before && formatCedis(salesOf(before))],
  ];
  return (
    <dl className="grid grid-cols-2 gap-3 @2xl:grid-cols-3 print:grid-cols-[1fr_1fr_1.5fr]">
      {totals.map(
        ([label, value, earlier]) =>
          value !== null && (
            <div key={label} className="rounded-card border border-line px-4 py-3 last:@max-2xl:col-span-2">
              <dt className="text-15 font-semibold">{label}</dt>
              <dd className="figures m-0 font-display text-25 font-semibold print:text-20">{value}</dd>
              <dd className="figures m-0 text-13 text-muted">
                {earlier === undefined ? "…" : `${earlier} on the same days last year`}
              </dd>
            </div>
          ),
      )}
    </dl>
  );
}

/** The sales of each span that has some. */
async function listSalesOfSpans(
  client: BackendClient,
  spans: readonly Span[],
  only: { by: Breakdown; key: string } | null,
): Promise<SalesColumn[]> {
  const rows = await Promise.all(
    spans.map(async (span) => {
      const months = await listSalesOverTime(client, span, "month", only);
      return months.length > 0 ? [{ start: span.from, ...totalsOf(months) }] : [];
    }),
  );
  return rows.flat();
}

type SalesOverTimeProps = {
  period: Period;
  grain: Grain;
  /** The columns of the chart, if they are terms. */
  spans: readonly Span[] | null;
  /** Whether the owner has set terms. */
  hasTerms: boolean;
  rows: readonly SalesColumn[];
};

function SalesOverTime({ period, grain, spans, hasTerms, rows }: SalesOverTimeProps) {
  const byStart = new Map(rows.map((row) => [row.start, row]));
  const names = new Map(spans?.map(({ from, name }) => [from, name]));
  const nameOf = (start: string) => names.get(start) ?? formatDay(start);
  const columns = (spans?.map(({ from }) => from) ?? columnsOf(period, grain)).map((start) => {
    const row = byStart.get(start);
    return { start, value: row ? salesOf(row) : 0 };
  });
  const formatValue = (value: number) => formatCedis(value as Pesewas);
  const total = totalsOf(rows);
  return (
    <Panel
      title="Over time"
      action={
        <GrainChoice
          grain={spans ? "term" : grain}
          more={hasTerms ? { term: "By school term" } : undefined}
        />
      }
    >
      <ColumnChart columns={columns} formatValue={formatValue} nameOf={nameOf}>
        <ReportTable
          label="Sales over time"
          fileName={`sales-${spans ? "term" : grain}-${period.from}-${period.to}`}
          lines={rows}
          lineId={({ start }) => start}
          empty="Nothing was sold in this period."
          columns={[
            {
              header: spans ? "Term" : "From",
              value: ({ start }) => names.get(start) ?? start,
              show: ({ start }) => (
                <>
                  {nameOf(start)}
                  {spans && <span className="block text-13 text-muted">from {formatDay(start)}</span>}
                </>
              ),
            },
            {
              header: "Orders",
              value: ({ orders }) => orders,
              isNumber: true,
              isMinor: true,
              total: total.orders,
            },
            {
              header: "Copies",
              value: ({ copies }) => copies,
              show: ({ copies }) => count(copies),
              isNumber: true,
              total: count(total.copies),
            },
            ...salesColumns<SalesColumn>(total, total.delivery > 0),
          ]}
        />
      </ColumnChart>
    </Panel>
  );
}

function salesColumns<Line extends { books: Pesewas; delivery: Pesewas }>(
  total: Totals,
  hasDelivery: boolean,
): ReportColumn<Line>[] {
  const columns: [
    header: string,
    of: (line: { books: Pesewas; delivery: Pesewas }) => Pesewas,
    isMinor: boolean,
  ][] = [
    ["Books", ({ books }) => books, true],
    ["Delivery", ({ delivery }) => delivery, true],
    ["Sales", salesOf, false],
  ];
  return columns
    .filter(([header]) => header === "Sales" || hasDelivery)
    .map(([header, of, isMinor]) => ({
      header,
      value: (line) => ({ cedis: cedisFromPesewas(of(line)) }),
      show: (line) => formatCedis(of(line)),
      isNumber: true,
      isMinor,
      total: formatCedis(of(total)),
    }));
}

type SalesBreakdownProps = { period: Period; by: Breakdown; lines: readonly SalesLine[] };

const nameOfLine = (by: Breakdown, label: string | null) =>
  label === null ? "All others" : label || (by === "region" ? "No region" : "Not stated");

function SalesBreakdown({ period, by, lines }: SalesBreakdownProps) {
  const [params, setParams] = useSearchParams();
  const total = totalsOf(lines);
  const isOfOrders = by === "region" || by === "customer";
  return (
    <Panel
      title={`By ${breakdowns[by].toLowerCase()}`}
      action={
        <CompactSelect
          aria-label="Break down by"
          value={by}
          onChange={({ target }) => setParams(changedParams(params, { by: target.value, only: null }))}
        >
          {Object.entries(breakdowns).map(([key, label]) => (
            <option key={key} value={key}>
              {label}
            </option>
          ))}
        </CompactSelect>
      }
    >
      <ReportTable
        label={`Sales by ${breakdowns[by].toLowerCase()}`}
        isPersonal={by === "customer"}
        fileName={`sales-by-${by}-${period.from}-${period.to}`}
        lines={lines}
        lineId={({ key, label }) => key ?? `no key: ${label}`}
        barOf={salesOf}
        empty="Nothing was sold in this period."
        columns={[
          {
            header: breakdowns[by],
            value: (line) => nameOfLine(by, customerName(line)),
            show: ({ key, label, contact }) =>
              key === null ? (
                nameOfLine(by, label)
              ) : (
                <>
                  <Link
                    to={{ search: changedParams(params, { by, only: `=${key}` }).toString() }}
                    className={lineLinkClass}
                  >
                    {nameOfLine(by, label)}
                  </Link>
                  <CustomerContact contact={contact} />
                </>
              ),
          },
          ...(isOfOrders || by === "title"
            ? [
                {
                  header: "Orders",
                  value: ({ orders }: SalesLine) => orders,
                  isNumber: true,
                  isMinor: true,
                  // An order with several titles is in the line of each.
                  total: by === "title" ? "" : total.orders,
                },
              ]
            : []),
          {
            header: "Copies",
            value: ({ copies }) => copies,
            show: ({ copies }) => count(copies),
            isNumber: true,
            total: count(total.copies),
          },
          ...salesColumns<SalesLine>(total, isOfOrders && total.delivery > 0),
        ]}
      />
    </Panel>
  );
}
