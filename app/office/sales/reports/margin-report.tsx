import { useSearchParams } from "react-router";
import { changedParams } from "#app/lib/react/list-state.ts";
import { CompactSelect } from "#app/office/components/compact-select.tsx";
import { Panel } from "#app/office/components/panel.tsx";
import { useAdminQuery } from "#app/office/frame/admin-data.ts";
import { countOf } from "#shared/text/count-of.ts";
import { cedisFromPesewas, formatCedis, type Pesewas, sumPesewas } from "#shared/text/money.ts";
import { percentOf } from "#shared/text/percent.ts";
import {
  breakdowns,
  listMargins,
  type MarginBreakdown,
  type MarginLine,
  marginBreakdowns,
  readStockValue,
} from "./report.admin-queries.ts";
import { type ReportProps, useReport } from "./report-parts.tsx";
import { type ReportColumn, ReportTable } from "./report-table.tsx";

const isBreakdown = (text: string): text is MarginBreakdown =>
  (marginBreakdowns as readonly string[]).includes(text);

const marginOf = ({ books, cost }: { books: Pesewas; cost: Pesewas }) => (books - cost) as Pesewas;

const nameOf = ({ key, label }: MarginLine) => (key === null ? "All others" : label || "Not stated");

/** The margin of books sold in a period, where their cost is known from receipts. */
export function MarginReport({ period }: ReportProps) {
  const [params, setParams] = useSearchParams();
  const requested = params.get("by") ?? "";
  const by = isBreakdown(requested) ? requested : "publisher";
  const { lines, waiting } = useReport("margins", [period, by], (client) => listMargins(client, period, by));
  if (!lines) return waiting;
  const copies = lines.reduce((sum, line) => sum + line.copies, 0);
  const costed = lines.reduce((sum, line) => sum + line.costed, 0);
  const total = {
    books: sumPesewas(lines.map(({ books }) => books)),
    cost: sumPesewas(lines.map(({ cost }) => cost)),
  };
  const amounts: [header: string, of: (line: typeof total) => Pesewas, isMinor: boolean][] = [
    ["Sales", ({ books }) => books, true],
    ["Cost", ({ cost }) => cost, true],
    ["Margin", marginOf, false],
  ];
  return (
    <div className="grid gap-5">
      <Panel
        title={`By ${breakdowns[by].toLowerCase()}`}
        action={
          <CompactSelect
            aria-label="Break down by"
            value={by}
            onChange={({ target }) => setParams(changedParams(params, { by: target.value }))}
          >
            {marginBreakdowns.map((key) => (
              <option key={key} value={key}>
                {breakdowns[key]}
              </option>
            ))}
          </CompactSelect>
        }
      >
        <p className="mb-3 text-muted">
          The cost of each copy is the average cost of the stock at the time of the order; every receipt with
          a cost updates that average.
          {copies > costed &&
            ` The cost of ${countOf(copies - costed, "copy", "copies")} of ${copies.toLocaleString("en-GB")} is not known; sales, cost and margin leave them out.`}
        </p>
        <ReportTable
          label={`Margin by ${breakdowns[by].toLowerCase()}`}
          fileName={`margin-by-${by}-${period.from}-${period.to}`}
          lines={lines}
          lineId={({ key }) => key ?? "others"}
          barOf={(line) => Math.max(marginOf(line), 0)}
          empty="Nothing was sold in this period."
          columns={[
            { header: breakdowns[by], value: nameOf },
            { header: "Copies", value: ({ copies }) => copies, isNumber: true, isMinor: true, total: copies },
            {
              header: "With a cost",
              value: ({ costed }) => costed,
              isNumber: true,
              isMinor: true,
              total: costed,
            },
            ...amounts.map(
              ([header, of, isMinor]): ReportColumn<MarginLine> => ({
                header,
                value: (line) => ({ cedis: cedisFromPesewas(of(line)) }),
                show: (line) => (line.costed === 0 ? "–" : formatCedis(of(line))),
                isNumber: true,
                isMinor,
                total: formatCedis(of(total)),
              }),
            ),
            {
              header: "Of sales",
              value: (line) => percentOf(marginOf(line), line.books),
              isNumber: true,
              total: percentOf(marginOf(total), total.books),
            },
          ]}
        />
      </Panel>
      <StockValue />
    </div>
  );
}

function StockValue() {
  const { data: stock } = useAdminQuery(["reports", "stock-value"], readStockValue);
  if (!stock) return null;
  return (
    <p>
      In stock today: {countOf(stock.copies, "copy", "copies")} that cost{" "}
      <strong className="figures font-semibold">{formatCedis(stock.cost)}</strong>
      {stock.unknown_copies > 0 &&
        `, and ${countOf(stock.unknown_copies, "copy", "copies")} whose cost is not known`}
      .
    </p>
  );
}
