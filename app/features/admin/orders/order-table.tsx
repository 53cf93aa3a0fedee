import { useMemo, useState } from "react";
import { dataColumns } from "#app/components/data-table-columns.ts";
import { iconButtonClass } from "#app/components/dialog.tsx";
import { ListFilter } from "#app/components/list-filter.tsx";
import { Icon } from "#app/components/office-icon.tsx";
import { useAdminQuery } from "#app/features/admin/admin-data.ts";
import { AdminList } from "#app/features/admin/admin-list.tsx";
import { CustomerCell } from "#app/features/admin/customer-cell.tsx";
import { ExportOrders } from "#app/features/admin/export/export-button.tsx";
import { ORDER_STATUSES } from "#app/features/orders/order.ts";
import { OrderStatusBadge } from "#app/features/orders/order-status-badge.tsx";
import { formatDay } from "#app/lib/dates.ts";
import { useListState } from "#app/lib/list-state.ts";
import { formatCedis, pesewasFromCedis } from "#app/lib/money.ts";
import { listOrders, ORDER_SORT_KEYS, type OrderRow } from "./order.admin-queries.ts";
import { OrderDetailsDialog } from "./order-details-dialog.tsx";
import { shortOrderId } from "./order-number.ts";
import { OrderStatusSelect, STATUS_NAMES } from "./order-status-select.tsx";
import { useRemoveOrder } from "./use-remove-order.ts";

const newestFirst = { key: "created_at", descending: true } as const;
const column = dataColumns<OrderRow>();

const statusChoices = ORDER_STATUSES.map((status) => ({ value: status, label: STATUS_NAMES[status] }));

/** All orders, newest first, read again every 30 s. */
export function OrderTable() {
  const state = useListState(ORDER_SORT_KEYS, newestFirst);
  const query = { page: state.page, q: state.q, sort: state.sort, status: state.filter("status") };
  const orders = useAdminQuery(["orders", "list", query], (client) => listOrders(client, query), {
    keepPrevious: true,
    refreshing: true,
  });
  const [shownId, setShownId] = useState<string | null>(null);
  const remove = useRemoveOrder();
  // The same columns each time: a new cell function would be a new component, which forgets what runs in it.
  const columns = useMemo(() => columnsWith(setShownId, remove), [remove]);
  return (
    <>
      <AdminList
        label="Orders"
        one="order"
        many="orders"
        columns={columns}
        rowId={(order) => order.id}
        page={orders}
        state={state}
        sortKeys={ORDER_SORT_KEYS}
        search="Search order number, name, email, phone"
        filters={
          <>
            <ListFilter
              name="status"
              label="Filter by status"
              all="All statuses"
              choices={statusChoices}
              state={state}
            />
            <ExportOrders
              filters={{ q: query.q, filter: query.status }}
              total={orders.isPlaceholderData ? undefined : orders.data?.total}
            />
          </>
        }
        empty="No orders found"
      />
      {shownId && <OrderDetailsDialog id={shownId} onClose={() => setShownId(null)} />}
    </>
  );
}

function columnsWith(onShow: (id: string) => void, onDelete: (id: string) => void) {
  return column.columns([
    column.accessor("id", {
      id: "id",
      header: "Order ID",
      meta: { className: "figures whitespace-nowrap" },
      cell: ({ getValue }) => shortOrderId(getValue()),
    }),
    column.display({
      id: "customer",
      header: "Customer",
      cell: ({ row: { original: order } }) => (
        <CustomerCell name={order.customerName} email={order.customerEmail} />
      ),
    }),
    column.accessor("totalCedis", {
      id: "total_amount",
      sortDescFirst: true,
      header: "Total",
      meta: { align: "right" },
      cell: ({ getValue }) => formatCedis(pesewasFromCedis(getValue())),
    }),
    column.accessor("status", {
      id: "status",
      header: "Status",
      cell: ({ getValue }) => <OrderStatusBadge status={getValue()} />,
    }),
    column.accessor("placedAt", {
      id: "created_at",
      header: "Date",
      meta: { className: "figures whitespace-nowrap" },
      cell: ({ getValue }) => formatDay(getValue()),
    }),
    column.display({
      id: "actions",
      header: "Actions",
      meta: { card: "actions", className: "@4xl:w-64 @4xl:py-0.5" },
      cell: ({ row: { original: order } }) => (
        <div className="flex items-center gap-1">
          <button
            type="button"
            className={iconButtonClass}
            aria-label={`View details of order ${shortOrderId(order.id)}`}
            onClick={() => onShow(order.id)}
          >
            <Icon name="eye" />
          </button>
          <OrderStatusSelect order={order} />
          <button
            type="button"
            className={`${iconButtonClass} hover:text-clay`}
            aria-label={`Delete order ${shortOrderId(order.id)}`}
            // The second press of a double click would meet the order that has moved up.
            onClick={({ detail }) => detail < 2 && onDelete(order.id)}
          >
            <Icon name="trash" />
          </button>
        </div>
      ),
    }),
  ]);
}
