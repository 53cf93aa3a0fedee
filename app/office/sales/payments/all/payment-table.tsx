import { paymentName } from "#app/features/payments/payment.ts";
import { useListState } from "#app/lib/react/list-state.ts";
import type { DataColumn } from "#app/office/components/data-column.ts";
import { ListFilter } from "#app/office/components/list-filter.tsx";
import { useAdminQuery } from "#app/office/frame/admin-data.ts";
import { AdminList } from "#app/office/frame/admin-list.tsx";
import { OfficeLink } from "#app/office/frame/duties.tsx";
import { ExportButtons } from "#app/office/frame/export/export-buttons.tsx";
import { orderDetailsPath } from "#app/office/frame/order-number.ts";
import { DayField } from "#app/office/frame/periods/period-choice.tsx";
import { paymentStates } from "#app/office/sales/payments/payment-rows.tsx";
import { paymentMethods, paymentReasons } from "#shared/owner/payment-terms.ts";
import { formatDay } from "#shared/text/dates.ts";
import { formatCedis } from "#shared/text/money.ts";
import {
  type FoundPayment,
  listPaymentPage,
  listPaymentPeople,
  type PaymentFilters,
} from "./all-payments.admin-queries.ts";
import { paymentExport } from "./payment-export.ts";

const SORT_KEYS = ["day"] as const;
const newestFirst = { key: "day", descending: true } as const;

const choicesOf = (names: Readonly<Record<string, string>>) =>
  Object.entries(names).map(([value, label]) => ({ value, label }));

const methodChoices = choicesOf(paymentMethods);
const stateChoices = choicesOf(paymentStates);
const kindChoices = choicesOf({ payment: "Payments", refund: "Refunds", correction: "Corrections" });

const columns: readonly DataColumn<FoundPayment>[] = [
  {
    id: "day",
    header: "Day",
    sorts: "time",
    descendingFirst: true,
    className: "figures whitespace-nowrap",
    cell: ({ day }) => formatDay(day),
  },
  {
    id: "order",
    header: "Order",
    cell: ({ order_number, order_id }) =>
      order_number === null || order_id === null ? (
        "Unknown"
      ) : (
        <OfficeLink
          to={orderDetailsPath({ number: order_number })}
          className="figures -my-2.5 inline-block py-2.5 font-semibold text-green underline"
        >
          {order_number}
        </OfficeLink>
      ),
  },
  { id: "kind", header: "Method", card: "title", cell: (payment) => paymentName(payment) },
  {
    id: "reference",
    header: "Reference",
    className: "wrap-anywhere",
    cell: ({ reference, note }) => (
      <>
        {reference}
        {note && <span className="block text-13 text-muted">{note}</span>}
      </>
    ),
  },
  {
    id: "state",
    header: "State",
    cell: ({ state, reason }) => (
      <>
        {paymentStates[state] ?? state}
        {reason && <span className="block text-13 text-muted">{paymentReasons[reason] ?? reason}</span>}
      </>
    ),
  },
  { id: "by", header: "By", cell: ({ by_name }) => by_name && <bdi>{by_name}</bdi> },
  {
    id: "amount",
    header: "Amount",
    align: "right",
    className: "figures whitespace-nowrap",
    cell: ({ amount }) => formatCedis(amount),
  },
];

/** All payments, refunds and corrections, with the totals of those that match. */
export function PaymentTable() {
  const state = useListState(SORT_KEYS, newestFirst);
  const filters: PaymentFilters = {
    q: state.q,
    method: state.filter("method"),
    state: state.filter("state"),
    kind: state.filter("kind"),
    from: state.filter("from"),
    to: state.filter("to"),
    by: state.filter("by"),
  };
  const place = { page: state.page, descending: state.sort.descending };
  const payments = useAdminQuery(
    ["payments", filters, place],
    (client) => listPaymentPage(client, filters, place),
    { keepPrevious: true, refreshing: true },
  );
  const people = useAdminQuery(["payments", "people"], listPaymentPeople);
  const sums = payments.data?.sums;
  return (
    <AdminList
      label="Payments"
      one="payment"
      many="payments"
      columns={columns}
      rowId={({ id }) => id}
      page={payments}
      state={state}
      sortKeys={SORT_KEYS}
      search="Reference or order number"
      filters={
        <>
          <ListFilter
            name="method"
            label="Filter by method"
            all="All methods"
            choices={methodChoices}
            state={state}
          />
          <ListFilter
            name="state"
            label="Filter by state"
            all="All states"
            choices={stateChoices}
            state={state}
          />
          <ListFilter
            name="kind"
            label="Filter by kind"
            all="Payments and refunds"
            choices={kindChoices}
            state={state}
          />
          <ListFilter
            name="by"
            label="Filter by person"
            all="Everyone"
            choices={(people.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
            state={state}
          />
          <DayField label="From" day={filters.from} onChange={(from) => state.change({ from })} />
          <DayField label="To" day={filters.to} onChange={(to) => state.change({ to })} />
        </>
      }
      actions={
        <div className="mb-3 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
          <p className="figures">
            {sums && (
              <>
                Paid {formatCedis(sums.paid)}, refunded {formatCedis(sums.refunded)}
              </>
            )}
          </p>
          <div className="print:hidden">
            <ExportButtons
              of={paymentExport}
              filters={{ filter: filters.state, ...filters }}
              total={payments.isPlaceholderData ? undefined : payments.data?.total}
            />
          </div>
        </div>
      }
      empty="No payments found"
    />
  );
}
