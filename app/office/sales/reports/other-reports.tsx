import { Link, useSearchParams } from "react-router";
import { publisherName } from "#app/features/books/book.ts";
import { Panel } from "#app/office/components/panel.tsx";
import { OfficeLink } from "#app/office/frame/duties.tsx";
import { dayOf } from "#app/office/frame/periods/period.ts";
import { type PaymentMethod, paymentMethods } from "#shared/owner/payment-terms.ts";
import { formatDay } from "#shared/text/dates.ts";
import {
  cedisFromPesewas,
  formatCedis,
  type Pesewas,
  sumPesewas,
  timesQuantity,
} from "#shared/text/money.ts";
import {
  listOwed,
  listTakings,
  listUnsoldBooks,
  listWantedBooks,
  type OwedLine,
  type TakingsLine,
} from "./report.admin-queries.ts";
import { bookLink, CustomerContact, customerName, type ReportProps, useReport } from "./report-parts.tsx";
import { lineLinkClass, type ReportColumn, ReportTable } from "./report-table.tsx";

function money<Line>(
  header: string,
  of: (line: Line) => Pesewas,
  more: Partial<ReportColumn<Line>> = {},
): ReportColumn<Line> {
  return {
    header,
    value: (line) => ({ cedis: cedisFromPesewas(of(line)) }),
    show: (line) => formatCedis(of(line)),
    isNumber: true,
    ...more,
  };
}

const owedParts = {
  days_30: "0–30 days",
  days_60: "31–60 days",
  days_90: "61–90 days",
  older: "Over 90 days",
} as const;

const owedPart = (amount: Pesewas) => (amount === 0 ? "–" : formatCedis(amount));

/** Links a customer's name to their orders with an amount due. */
const dueOrdersLink = (name: string, contact: string | null) => (
  <OfficeLink
    to={`/admin/orders?${new URLSearchParams({ q: contact ?? name, payment: "due" })}`}
    className={lineLinkClass}
  >
    {name}
  </OfficeLink>
);

export function OwedReport() {
  const { lines, waiting } = useReport("what is owed", [], listOwed);
  if (!lines) return waiting;
  const total = (of: (line: OwedLine) => Pesewas) => formatCedis(sumPesewas(lines.map(of)));
  return (
    <Panel title="Owed for orders">
      <p className="mb-3 text-muted">
        What is still due for orders that aren't cancelled, by days since the order was placed.
      </p>
      <ReportTable
        label="Owed by customer"
        isPersonal
        fileName={`owed-${dayOf(new Date())}`}
        lines={lines}
        lineId={({ key }) => key ?? "others"}
        barOf={({ owed }) => owed}
        empty="Nothing is owed."
        columns={[
          {
            header: "School or customer",
            value: (line) => customerName(line) ?? "All others",
            show: ({ key, label, contact }) => (
              <>
                {key && label ? dueOrdersLink(label, contact) : (label ?? "All others")}
                <CustomerContact contact={contact} />
              </>
            ),
          },
          ...Object.entries(owedParts).map(([part, header]) =>
            money<OwedLine>(header, (line) => line[part as keyof typeof owedParts], {
              isMinor: true,
              show: (line) => owedPart(line[part as keyof typeof owedParts]),
              total: total((line) => line[part as keyof typeof owedParts]),
            }),
          ),
          money<OwedLine>("Owed", ({ owed }) => owed, { total: total(({ owed }) => owed) }),
        ]}
      />
    </Panel>
  );
}

const methodName = (method: string) => paymentMethods[method as PaymentMethod] ?? method;

/** Payments and refunds of each day by method. */
export function TakingsReport({ period }: ReportProps) {
  const { lines, waiting } = useReport("takings", [period], (client) => listTakings(client, period));
  if (!lines) return waiting;
  const sum = (of: (line: TakingsLine) => Pesewas) => formatCedis(sumPesewas(lines.map(of)));
  const net = ({ paid, refunded }: TakingsLine) => (paid - refunded) as Pesewas;
  const methods = [...new Set(lines.map(({ method }) => method))].map((method) => {
    const own = lines.filter((line) => line.method === method);
    return {
      day: "",
      method,
      payments: own.reduce((all, { payments }) => all + payments, 0),
      paid: sumPesewas(own.map(({ paid }) => paid)),
      refunded: sumPesewas(own.map(({ refunded }) => refunded)),
    };
  });
  const amounts: ReportColumn<TakingsLine>[] = [
    {
      header: "Payments",
      value: ({ payments }) => payments,
      isNumber: true,
      isMinor: true,
      total: lines.reduce((all, { payments }) => all + payments, 0),
    },
    money<TakingsLine>("Paid", ({ paid }) => paid, { isMinor: true, total: sum(({ paid }) => paid) }),
    money<TakingsLine>("Refunded", ({ refunded }) => refunded, {
      isMinor: true,
      total: sum(({ refunded }) => refunded),
    }),
    money<TakingsLine>("Takings", net, { total: sum(net) }),
  ];
  return (
    <div className="grid gap-5">
      <Panel title="By method">
        <ReportTable
          label="Takings by method"
          fileName={`takings-by-method-${period.from}-${period.to}`}
          lines={methods}
          lineId={({ method }) => method}
          barOf={net}
          empty="No payments in this period."
          columns={[{ header: "Method", value: ({ method }) => methodName(method) }, ...amounts]}
        />
      </Panel>
      {lines.length > 0 && (
        <Panel title="By day">
          <ReportTable
            label="Takings by day and method"
            fileName={`takings-${period.from}-${period.to}`}
            lines={lines}
            lineId={({ day, method }) => `${day} ${method}`}
            empty=""
            columns={[
              { header: "Day", value: ({ day }) => day, show: ({ day }) => formatDay(day) },
              { header: "Method", value: ({ method }) => methodName(method) },
              ...amounts,
            ]}
          />
        </Panel>
      )}
    </div>
  );
}

/** Books in stock without a sale in the period, the most valuable stock first. */
export function UnsoldReport({ period }: ReportProps) {
  const { lines, waiting } = useReport("unsold books", [period], (client) => listUnsoldBooks(client, period));
  if (!lines) return waiting;
  type Line = (typeof lines)[number];
  return (
    <Panel title="In stock and not sold">
      <ReportTable
        label="Books in stock that were not sold"
        fileName={`unsold-${period.from}-${period.to}`}
        lines={lines}
        lineId={({ book_id }) => book_id}
        empty="Every book in stock was sold in this period."
        columns={[
          { header: "Title", value: ({ title }) => title, show: bookLink },
          { header: "Publisher", value: ({ publisher }) => publisherName(publisher), isMinor: true },
          {
            header: "Added",
            value: ({ added }) => added,
            show: ({ added }) => formatDay(added),
            isMinor: true,
            isNumber: true,
          },
          { header: "Copies", value: ({ stock_quantity }) => stock_quantity, isNumber: true },
          money<Line>("Value", ({ price, stock_quantity }) => timesQuantity(price, stock_quantity)),
        ]}
      />
    </Panel>
  );
}

export function WantedReport() {
  const [params] = useSearchParams();
  const inStock = params.has("in-stock");
  const { lines, waiting } = useReport("wanted books", [inStock], (client) =>
    listWantedBooks(client, inStock),
  );
  if (!lines) return waiting;
  return (
    <Panel title="Waited for and wished for">
      {inStock && (
        <p className="mb-3">
          Only books back in stock whose customers haven't been emailed yet.{" "}
          <Link to="?report=wanted" className="font-semibold text-green print:hidden">
            Show all
          </Link>
        </p>
      )}
      <ReportTable
        label="Books that customers are waiting for or wish for"
        fileName={`wanted-${dayOf(new Date())}`}
        lines={lines}
        lineId={({ book_id }) => book_id}
        barOf={({ waiting, wishlists }) => waiting + wishlists}
        empty="No customer is waiting for a book or has one on their wishlist."
        columns={[
          { header: "Title", value: ({ title }) => title, show: bookLink },
          { header: "Publisher", value: ({ publisher }) => publisherName(publisher), isMinor: true },
          { header: "In stock", value: ({ stock_quantity }) => stock_quantity, isNumber: true },
          { header: "Waiting", value: ({ waiting }) => waiting, isNumber: true },
          { header: "Wishlists", value: ({ wishlists }) => wishlists, isNumber: true },
        ]}
      />
    </Panel>
  );
}
