import type { ReactNode } from "react";

type ChartColumn = { start: string; value: number };

type ColumnChartProps = {
  columns: readonly ChartColumn[];
  /** A column's value as text. */
  formatValue: (value: number) => string;
  /** The day under a column. */
  nameOf: (start: string) => string;
  /** The same as a table, for anyone who can't see the chart. */
  children: ReactNode;
};

/** Columns over time. The chart stretches to its container; its texts are outside it, so they keep their size. */
export function ColumnChart({ columns, formatValue, nameOf, children }: ColumnChartProps) {
  const highest = Math.max(...columns.map(({ value }) => value), 0);
  const [first, last] = [columns[0], columns.at(-1)];
  return (
    <figure className="m-0">
      <p aria-hidden className="figures text-13 text-muted">
        {highest > 0 ? formatValue(highest) : ""}
      </p>
      <svg
        viewBox={`0 0 ${columns.length} 100`}
        preserveAspectRatio="none"
        aria-hidden
        className="block h-40 w-full border-y border-line"
      >
        {columns.map(({ start, value }, index) => (
          <rect
            key={start}
            x={index + 0.1}
            width="0.8"
            y={100 - height(value, highest)}
            height={height(value, highest)}
            className="fill-green"
          >
            <title>{`${nameOf(start)}: ${formatValue(value)}`}</title>
          </rect>
        ))}
      </svg>
      <p aria-hidden className="figures flex justify-between text-13 text-muted">
        <span>{first && nameOf(first.start)}</span>
        {last !== first && <span>{last && nameOf(last.start)}</span>}
      </p>
      <figcaption>
        <details className="mt-1 print:hidden">
          <summary className="min-h-11 cursor-pointer content-center font-semibold text-green">
            Show as a table
          </summary>
          {children}
        </details>
      </figcaption>
    </figure>
  );
}

/** In percent of the chart; any value above 0 stays visible. */
const height = (value: number, highest: number) =>
  value > 0 && highest > 0 ? Math.max((100 * value) / highest, 1) : 0;
