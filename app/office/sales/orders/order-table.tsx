import { useState } from "react";
import { useSearchParams } from "react-router";
import { isOpen, ORDER_STATUSES } from "#app/features/orders/order.ts";
import { OrderStatusBadge } from "#app/features/orders/order-status-badge.tsx";
import { type ListState, useListState } from "#app/lib/react/list-state.ts";
import type { DataColumn } from "#app/office/components/data-column.ts";
import { IconAction } from "#app/office/components/icon-action.tsx";
import { ListFilter } from "#app/office/components/list-filter.tsx";
import { useAdminQuery } from "#app/office/frame/admin-data.ts";
import { AdminList } from "#app/office/frame/admin-list.tsx";
import { CustomerCell } from "#app/office/frame/customer-cell.tsx";
import { useDuty } from "#app/office/frame/duties.tsx";
import { ExportButtons } from "#app/office/frame/export/export-buttons.tsx";
import { customerColumn, dateColumn } from "#app/office/frame/list-columns.tsx";
import { orderLabel, readSelection, shortOrderId } from "#app/office/frame/order-number.ts";
import { DELIVERY_METHODS, deliveryMethodNames, REGIONS } from "#shared/orders/delivery.ts";
import { referenceFacts } from "#shared/orders/order-fields.ts";
import { formatCedis } from "#shared/text/money.ts";
import { listOrders, ORDER_SORT_KEYS, type OrderRow } from "./order.admin-queries.ts";
import { OrderDetailsDialog } from "./order-details-dialog.tsx";
import { orderExport } from "./order-export.ts";
import { OrderStatusSelect } from "./order-status-select.tsx";
import { SelectedOrders } from "./selected-orders.tsx";
import { isPartSent } from "./send-dialog.tsx";
import { STATUS_NAMES } from "./status-names.ts";
import { useRemoveOrder } from "./use-remove-order.ts";
import { WaitingEmails } from "./waiting-emails.tsx";

const newestFirst = { key: "created_at", descending: true } as const;

const statusChoices = ORDER_STATUSES.map((status) => ({ value: status, label: STATUS_NAMES[status] }));

const methodChoices = [
  ...DELIVERY_METHODS.map((method) => ({ value: method as string, label: deliveryMethodNames[method] })),
  { value: "send", label: "All that are sent" },
  { value: "pack", label: "All but downloads" },
];

const paymentChoices = [
  { value: "due", label: "Payment due" },
  { value: "paid", label: "Paid" },
  { value: "to_refund", label: "To refund" },
  { value: "needs_decision", label: "Needs a decision" },
];

const paidNotes: Readonly<Record<string, string>> = {
  due: "Not paid",
  part_paid: "Paid in part",
  paid: "Paid",
};

/** Shown below an order's total. */
function PaidNote({ payment_state, owed_back, kept_amount }: OrderRow) {
  if (owed_back > 0)
    return <p className="text-13 font-semibold text-clay">{formatCedis(owed_back)} to refund</p>;
  const note = kept_amount > 0 ? `${formatCedis(kept_amount)} kept` : paidNotes[payment_state];
  return note ? <p className="text-13 text-muted">{note}</p> : null;
}

const regionChoices = REGIONS.map((region) => ({ value: region, label: region }));

/** All orders, newest first, refetched every 30 s. */
export function OrderTable() {
  const state = useListState(ORDER_SORT_KEYS, newestFirst);
  const query = { page: state.page, q: state.q, sort: state.sort, ...filtersOf(state) };
  const orders = useAdminQuery(["orders", "list", query], (client) => listOrders(client, query), {
    keepPrevious: true,
    refreshing: true,
  });
  const [shown, show] = useShownOrder();
  const remove = useRemoveOrder();
  const mayDelete = useDuty("deletions");
  const [selectedNumbers, select] = useSelection();
  const rows = orders.data?.rows ?? [];
  const selected = rows.filter(({ number }) => selectedNumbers.has(number));
  return (
    // The bar is at the end of the window even where the list is short.
    <div className="flex flex-col has-data-end-bar:min-h-[calc(100dvh-8rem)]">
      <AdminList
        label="Orders"
        one="order"
        many="orders"
        columns={[selectColumn(selectedNumbers, select), ...columnsWith(show, mayDelete ? remove : null)]}
        rowId={(order) => order.id}
        page={orders}
        state={state}
        sortKeys={ORDER_SORT_KEYS}
        search="Number, name, email, phone"
        filters={
          <>
            <ListFilter
              name="status"
              label="Filter by status"
              all="All statuses"
              choices={statusChoices}
              state={state}
            />
            <ListFilter
              name="payment"
              label="Filter by payment"
              all="All payments"
              choices={paymentChoices}
              state={state}
            />
            <ListFilter
              name="method"
              label="Filter by delivery"
              all="All deliveries"
              choices={methodChoices}
              state={state}
            />
            <ListFilter
              name="region"
              label="Filter by region"
              all="All regions"
              choices={regionChoices}
              state={state}
            />
          </>
        }
        actions={
          <SelectedOrders
            orders={selected}
            all={rows}
            onSelect={(ids) =>
              select(new Set(rows.filter(({ id }) => ids.includes(id)).map(({ number }) => number)))
            }
            otherwise={
              <ExportButtons
                of={orderExport}
                filters={{
                  q: query.q,
                  filter: query.status,
                  method: query.method,
                  region: query.region,
                  payment: query.payment,
                }}
                total={orders.isPlaceholderData ? undefined : orders.data?.total}
              />
            }
          />
        }
        empty="No orders found"
      />
      <WaitingEmails />
      {shown && <OrderDetailsDialog orderKey={shown} onClose={() => show(null)} />}
    </div>
  );
}

function filtersOf({ filter }: Pick<ListState, "filter">) {
  return {
    status: filter("status"),
    method: filter("method"),
    region: filter("region"),
    payment: filter("payment"),
  };
}

/** The order whose details are open, by number or id. It is in the URL, so that other pages can link to it. */
function useShownOrder(): [string | null, (key: string | null) => void] {
  const [params, setParams] = useSearchParams();
  const show = (key: string | null) =>
    setParams(
      (current) => {
        const next = new URLSearchParams(current);
        if (key === null) next.delete("order");
        else next.set("order", key);
        return next;
      },
      { preventScrollReset: true, replace: key === null },
    );
  return [params.get("order"), show];
}

/**
 * The numbers of the selected orders. They are in the URL, so that Back from a pick list finds them selected. The state
 * is what counts while the list is shown: a URL changes too late for quick clicks.
 */
function useSelection(): [ReadonlySet<number>, (numbers: ReadonlySet<number>) => void] {
  const [params, setParams] = useSearchParams();
  const [selected, setSelected] = useState<ReadonlySet<number>>(() => readSelection(params.get("selected")));
  const select = (numbers: ReadonlySet<number>) => {
    setSelected(numbers);
    setParams(
      (current) => {
        const next = new URLSearchParams(current);
        if (numbers.size === 0) next.delete("selected");
        else next.set("selected", [...numbers].join("-"));
        return next;
      },
      { preventScrollReset: true, replace: true },
    );
  };
  return [selected, select];
}

function selectColumn(
  selected: ReadonlySet<number>,
  select: (numbers: ReadonlySet<number>) => void,
): DataColumn<OrderRow> {
  const toggle = (number: number) => {
    const next = new Set(selected);
    if (!next.delete(number)) next.add(number);
    select(next);
  };
  return {
    id: "select",
    header: "Select",
    className: "@4xl:w-11 @4xl:min-w-0!",
    cell: (order) => (
      <input
        type="checkbox"
        aria-label={`Select order ${orderLabel(order)}`}
        className="size-5 accent-green"
        checked={selected.has(order.number)}
        onChange={() => toggle(order.number)}
      />
    ),
  };
}

function columnsWith(
  onShow: (key: string) => void,
  /** Null without the duty. */
  onDelete: ((id: string) => void) | null,
): readonly DataColumn<OrderRow>[] {
  return [
    {
      id: "id",
      header: "Order ID",
      className: "figures whitespace-nowrap",
      cell: (order) => (
        <div>
          {shortOrderId(order.id)}
          <p className="text-13 text-muted">No. {order.number}</p>
        </div>
      ),
    },
    // Names and addresses get the remaining width.
    {
      ...customerColumn,
      className: "@4xl:w-full",
      cell: (order) => (
        <div>
          <CustomerCell
            name={order.customer_name}
            email={order.customer_email}
            phone={order.recipient_phone || order.customer_phone}
            userId={order.user_id}
          />
          {referenceFacts(order, "staff").map(([name, value]) => (
            <p key={name} className="text-13 wrap-anywhere text-muted">
              {name} {value}
            </p>
          ))}
        </div>
      ),
    },
    {
      id: "total_amount",
      descendingFirst: true,
      header: "Total",
      align: "right",
      className: "@4xl:whitespace-nowrap",
      cell: (order) => (
        <div>
          <span className="block">{formatCedis(order.total_amount)}</span>
          <PaidNote {...order} />
        </div>
      ),
    },
    {
      id: "status",
      header: "Status",
      cell: (row) => (
        <div>
          <OrderStatusBadge status={row.status} />
          {isOpen(row) && isPartSent(row) && <p className="text-13 text-muted">Sent in part</p>}
        </div>
      ),
    },
    dateColumn,
    {
      id: "actions",
      header: "Actions",
      card: "actions",
      className: "@max-4xl:-ml-3 @4xl:w-56 @4xl:py-0.5",
      cell: (order) => (
        <div className="flex items-center gap-1">
          <IconAction
            icon="eye"
            label={`View details of order ${orderLabel(order)}`}
            onClick={() => onShow(String(order.number))}
          />
          <OrderStatusSelect order={order} isPartSent={isOpen(order) && isPartSent(order)} />
          {onDelete && (
            <IconAction
              icon="trash"
              label={`Delete order ${orderLabel(order)}`}
              // The second click of a double click would hit the order that has moved up.
              onClick={({ detail }) => detail < 2 && onDelete(order.id)}
            />
          )}
        </div>
      ),
    },
  ];
}
