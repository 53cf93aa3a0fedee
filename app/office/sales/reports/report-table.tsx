import { type ReactNode, useState } from "react";
import { Button } from "#app/components/button.tsx";
import { showToast } from "#app/components/toast.ts";
import { logFailure } from "#app/lib/backend/failure-message.ts";
import { saveTable } from "#app/lib/tables/save-table.ts";
import { OfficeIcon } from "#app/office/components/office-icon.tsx";
import { useDuty } from "#app/office/frame/duties.tsx";
import type { TableCell, TableFormat } from "#shared/tables/table-file.ts";

export type ReportColumn<Line> = {
  header: string;
  /** The value in a file. */
  value: (line: Line) => TableCell;
  /** As the page shows it; the value by default, if it is a text or a number. */
  show?: (line: Line) => ReactNode;
  /** Shown below all lines; null where they can't be added up. */
  total?: ReactNode;
  /** Aligned to the right. */
  isNumber?: boolean;
  /** Hidden on narrow screens. */
  isMinor?: boolean;
};

type ReportTableProps<Line> = {
  /** The table's name for screen readers. */
  label: string;
  /** The name of a downloaded file, without its extension. */
  fileName: string;
  /** The first column names the line. */
  columns: readonly ReportColumn<Line>[];
  lines: readonly Line[];
  lineId: (line: Line) => string;
  /** Draws a bar in each line, as long as its share of the largest. */
  barOf?: (line: Line) => number;
  /** Shown in place of an empty table. */
  empty: string;
  /** Whether it names customers: saving it as a file then needs the duty Exports. */
  isPersonal?: boolean;
};

/** A link in a line, high enough to tap. */
export const lineLinkClass =
  "-my-2.5 inline-block py-2.5 underline decoration-line-strong underline-offset-4 hover:decoration-green";

/** The rest are shown on request, and always printed. */
const FIRST_LINES = 30;

const formats = [
  ["csv", "Download CSV"],
  ["xlsx", "Download Excel"],
] as const;

/** The lines of a report with their total, and buttons that save them as a file. */
export function ReportTable<Line>({
  label,
  fileName,
  columns,
  lines,
  lineId,
  barOf,
  empty,
  isPersonal = false,
}: ReportTableProps<Line>) {
  const mayExport = useDuty("exports") || !isPersonal;
  const [showsAll, setShowsAll] = useState(false);
  if (lines.length === 0) return <p className="py-6 text-muted">{empty}</p>;
  const isShown = (index: number) => showsAll || index < FIRST_LINES;
  const longest = barOf ? Math.max(...lines.map(barOf), 0) : 0;
  const hasTotal = columns.some(({ total }) => total !== undefined);
  return (
    <>
      <table
        aria-label={label}
        className="block w-full border-separate border-spacing-0 @2xl:table print:table print:text-13"
      >
        <thead className="hidden @2xl:table-header-group print:table-header-group">
          <tr>
            {columns.map((column) => (
              <th
                key={column.header}
                scope="col"
                className={`border-b border-line-strong px-2 py-2 text-13 font-semibold print:px-1.5 whitespace-nowrap text-muted first:pl-0 last:pr-0 ${look(column)}`}
              >
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="block @2xl:table-row-group print:table-row-group">
          {lines.map((line, lineIndex) => (
            <tr
              key={lineId(line)}
              className={isShown(lineIndex) ? `${rowClass} @2xl:hover:bg-paper` : "hidden print:table-row"}
            >
              {columns.map((column, index) =>
                index === 0 ? (
                  <th
                    key={column.header}
                    scope="row"
                    className={`${cellClass} basis-full font-normal wrap-anywhere print:min-w-44 ${look(column)}`}
                  >
                    {shownIn(column, line)}
                    {barOf && longest > 0 && <Bar share={Math.max(barOf(line), 0) / longest} />}
                  </th>
                ) : (
                  <Cell key={column.header} column={column}>
                    {shownIn(column, line)}
                  </Cell>
                ),
              )}
            </tr>
          ))}
        </tbody>
        {hasTotal && (
          // A footer is printed on every page, where it looks like the page's own total.
          <tfoot className="block @2xl:table-footer-group print:table-row-group">
            <tr className={`${rowClass} font-semibold`}>
              {columns.map((column, index) =>
                index === 0 ? (
                  <th key={column.header} scope="row" className={`${cellClass} basis-full ${look(column)}`}>
                    Total
                  </th>
                ) : (
                  <Cell key={column.header} column={column} isEmpty={column.total === undefined}>
                    {column.total}
                  </Cell>
                ),
              )}
            </tr>
          </tfoot>
        )}
      </table>
      {!isShown(lines.length - 1) && (
        <Button variant="quiet" className="mt-2 print:hidden" onClick={() => setShowsAll(true)}>
          Show all {lines.length.toLocaleString("en-GB")} lines
        </Button>
      )}
      <div className="mt-3 flex flex-wrap gap-2 print:hidden">
        {(mayExport ? formats : []).map(([format, words]) => (
          <Button
            key={format}
            variant="secondary"
            onClick={() => save({ name: fileName, columns, lines }, format)}
          >
            <OfficeIcon name="download" size={18} className="max-sm:hidden" />
            {words}
          </Button>
        ))}
      </div>
    </>
  );
}

function shownIn<Line>({ show, value }: ReportColumn<Line>, line: Line): ReactNode {
  if (show) return show(line);
  const plain = value(line);
  return typeof plain === "object" ? null : plain;
}

/** On a phone each line is a small block: its name above its numbers. */
const rowClass =
  "flex flex-wrap justify-between gap-x-4 border-b border-line py-1 @2xl:table-row @2xl:border-0 print:table-row";

const cellClass =
  "py-1 align-top @2xl:border-b @2xl:border-line @2xl:px-2 @2xl:py-2 @2xl:first:pl-0 @2xl:last:pr-0 print:border-b print:border-line print:px-1.5 print:py-1 print:first:pl-0 print:last:pr-0";

type CellProps<Line> = { column: ReportColumn<Line>; isEmpty?: boolean; children: ReactNode };

function Cell<Line>({ column, isEmpty = false, children }: CellProps<Line>) {
  return (
    <td
      data-label={column.header}
      className={`${cellClass} figures ${isEmpty ? "@max-2xl:hidden print:table-cell" : ""} ${column.isNumber ? "whitespace-nowrap" : "print:min-w-24"} before:mr-2 before:text-13 before:font-normal before:text-muted before:content-[attr(data-label)] @2xl:before:content-none print:before:content-none ${look(column)}`}
    >
      {children}
    </td>
  );
}

const look = ({ isNumber, isMinor }: Pick<ReportColumn<never>, "isNumber" | "isMinor">) =>
  `text-left ${isNumber ? "@2xl:text-right print:text-right" : ""} ${isMinor ? "hidden @3xl:table-cell print:table-cell" : ""}`;

/** @param share of the table's width, from 0 to 1 */
function Bar({ share }: { share: number }) {
  return (
    <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden className="mt-1 block h-1.5 w-full">
      <rect width={100 * share} height="1" className="fill-green" />
    </svg>
  );
}

type Table<Line> = { name: string; columns: readonly ReportColumn<Line>[]; lines: readonly Line[] };

async function save<Line>({ name, columns, lines }: Table<Line>, format: TableFormat): Promise<void> {
  const headings = columns.map(({ header }) => header);
  const rows = lines.map((line) => columns.map(({ value }) => value(line)));
  try {
    const fileName = await saveTable({ name, headings, rows }, format);
    showToast("success", "Report saved", { description: fileName });
  } catch (error) {
    logFailure("Failed to save a report", error);
    showToast("error", "Failed to save the report", { description: "Please try again." });
  }
}
