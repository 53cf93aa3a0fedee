import { useSearchParams } from "react-router";
import { publisherName } from "#app/features/books/book.ts";
import { Panel } from "#app/office/components/panel.tsx";
import { OfficeLink } from "#app/office/frame/duties.tsx";
import { columnsOf, grainOf } from "#app/office/frame/periods/period.ts";
import { countOf } from "#shared/text/count-of.ts";
import { formatDay } from "#shared/text/dates.ts";
import { ColumnChart } from "./column-chart.tsx";
import { GrainChoice } from "./grain-choice.tsx";
import {
  type DemandLine,
  listDemand,
  listDemandOverTime,
  listListedTitles,
  listWishedBooks,
} from "./report.admin-queries.ts";
import { bookLink, type ReportProps, useReport } from "./report-parts.tsx";
import { lineLinkClass, type ReportColumn, ReportTable } from "./report-table.tsx";

/** What visitors, customers and schools look for: missing books and books on wishlists. */
export function DemandReport({ period }: ReportProps) {
  return (
    <div className="grid gap-5">
      <SearchesOverTime period={period} />
      <UnmetSearches period={period} />
      <MissingLines period={period} />
      <ListedTitles period={period} />
      <WishedBooks period={period} />
    </div>
  );
}

/** A text that opens the back office's search for it, where the book can be found or added. */
const searchLink = (text: string) => (
  <OfficeLink to={`/admin/books?${new URLSearchParams({ q: text })}`} className={lineLinkClass}>
    {text}
  </OfficeLink>
);

function SearchesOverTime({ period }: ReportProps) {
  const [params] = useSearchParams();
  const grain = grainOf(params, period);
  const { lines, waiting } = useReport("searches over time", [period, grain], (client) =>
    listDemandOverTime(client, period, "search", grain),
  );
  if (!lines) return waiting;
  if (lines.length === 0) return null;
  const byStart = new Map(lines.map(({ start, visitors }) => [start, visitors]));
  return (
    <Panel title="Searches over time" action={<GrainChoice grain={grain} />}>
      <ColumnChart
        columns={columnsOf(period, grain).map((start) => ({ start, value: byStart.get(start) ?? 0 }))}
        formatValue={(value) => countOf(value, "search", "searches")}
        nameOf={formatDay}
      >
        <ReportTable
          label="Searches over time"
          fileName={`searches-${grain}-${period.from}-${period.to}`}
          lines={lines}
          lineId={({ start }) => start}
          empty=""
          columns={[
            { header: "From", value: ({ start }) => start, show: ({ start }) => formatDay(start) },
            { header: "Texts", value: ({ texts }) => texts, isNumber: true },
            {
              header: "Searches",
              value: ({ visitors }) => visitors,
              isNumber: true,
              total: lines.reduce((sum, { visitors }) => sum + visitors, 0),
            },
          ]}
        />
      </ColumnChart>
    </Panel>
  );
}

const demandColumns: ReportColumn<DemandLine>[] = [
  { header: "Looked for", value: ({ text }) => text, show: ({ text }) => searchLink(text) },
  {
    header: "Last",
    value: ({ last_day }) => last_day,
    show: ({ last_day }) => formatDay(last_day),
    isNumber: true,
    isMinor: true,
  },
];

const visitorsColumn: ReportColumn<DemandLine> = {
  header: "Visitors",
  value: ({ visitors }) => visitors,
  isNumber: true,
};

function UnmetSearches({ period }: ReportProps) {
  const { lines, waiting } = useReport("searches", [period], (client) =>
    listDemand(client, period, "search"),
  );
  if (!lines) return waiting;
  return (
    <Panel title="Searches that found little">
      <p className="mb-3 text-muted">
        Fewer than 3 books, looked for by at least 3 visitors in a month. Who they were isn't stored; each
        visitor counts once a month.
      </p>
      <ReportTable
        label="Searches that found little"
        fileName={`searches-${period.from}-${period.to}`}
        lines={lines}
        lineId={({ text }) => text}
        barOf={({ visitors }) => visitors}
        empty="No search by at least 3 visitors found fewer than 3 books in this period."
        columns={[
          ...demandColumns,
          { header: "Found", value: ({ found }) => found, isNumber: true },
          visitorsColumn,
        ]}
      />
    </Panel>
  );
}

function MissingLines({ period }: ReportProps) {
  const { lines, waiting } = useReport("lines of bulk orders", [period], (client) =>
    listDemand(client, period, "line"),
  );
  if (!lines) return waiting;
  return (
    <Panel title="Not found in bulk orders">
      <p className="mb-3 text-muted">
        Lines that match no book, from the lists of at least 2 visitors in a month.
      </p>
      <ReportTable
        label="Lines of bulk orders without a book"
        fileName={`bulk-order-lines-${period.from}-${period.to}`}
        lines={lines}
        lineId={({ text }) => text}
        barOf={({ visitors }) => visitors}
        empty="In this period, no line without a book came from 2 or more visitors."
        columns={[...demandColumns, visitorsColumn]}
      />
    </Panel>
  );
}

function ListedTitles({ period }: ReportProps) {
  const { lines, waiting } = useReport("titles on booklists", [period], (client) =>
    listListedTitles(client, period),
  );
  if (!lines) return waiting;
  type Line = (typeof lines)[number];
  const newest = ({ school, class_name, school_year }: Line) => `${school}, ${class_name}, ${school_year}`;
  return (
    <Panel title="Booklist titles without a book">
      <p className="mb-3 text-muted">
        Lists for the school years in this period, and lists made in it. Withdrawn lists don't count.
      </p>
      <ReportTable
        label="Booklist titles without a book"
        fileName={`booklist-lines-${period.from}-${period.to}`}
        lines={lines}
        lineId={({ title }) => title}
        barOf={({ lists }) => lists}
        empty="Every line of these booklists has a book."
        columns={[
          { header: "Title", value: ({ title }) => title, show: ({ title }) => searchLink(title) },
          {
            header: "Newest list",
            value: newest,
            show: (line) => (
              <OfficeLink to={`/admin/booklists/${line.booklist_id}`} className={lineLinkClass}>
                {newest(line)}
              </OfficeLink>
            ),
            isMinor: true,
          },
          { header: "Schools", value: ({ schools }) => schools, isNumber: true },
          { header: "Lists", value: ({ lists }) => lists, isNumber: true },
        ]}
      />
    </Panel>
  );
}

function WishedBooks({ period }: ReportProps) {
  const { lines, waiting } = useReport("wished books", [period], (client) => listWishedBooks(client, period));
  if (!lines) return waiting;
  return (
    <Panel title="Most wished for">
      <ReportTable
        label="Books on wishlists"
        fileName={`wishlists-${period.from}-${period.to}`}
        lines={lines}
        lineId={({ book_id }) => book_id}
        barOf={({ wishlists }) => wishlists}
        empty="No book is on a wishlist."
        columns={[
          { header: "Title", value: ({ title }) => title, show: bookLink },
          { header: "Publisher", value: ({ publisher }) => publisherName(publisher), isMinor: true },
          { header: "In stock", value: ({ stock_quantity }) => stock_quantity, isNumber: true },
          { header: "New", value: ({ added }) => added, isNumber: true },
          { header: "Wishlists", value: ({ wishlists }) => wishlists, isNumber: true },
        ]}
      />
    </Panel>
  );
}
