import { CompactSelect } from "#app/components/office/compact-select.tsx";
import { useAdminMutation } from "#app/features/admin/admin-data.ts";
import { ORDER_STATUSES, type OrderStatus, readStatus } from "#app/features/orders/order.ts";
import { type OrderRow, updateOrderStatus } from "./order.admin-queries.ts";
import { orderLabel } from "./order-number.ts";

export const STATUS_NAMES: Record<OrderStatus, string> = {
  pending: "Pending",
  processing: "Processing",
  shipped: "Shipped",
  delivered: "Delivered",
  cancelled: "Cancelled",
};

/** Allows any change of status; disabled while it is saved. */
export function OrderStatusSelect({ order }: { order: Pick<OrderRow, "id" | "number" | "status"> }) {
  const change = useAdminMutation({
    run: (client, status: OrderStatus) => updateOrderStatus(client, order, status),
    success: (_, status) => ({ title: `Order status updated to ${status}` }),
    failure: "Failed to update order status",
  });
  return (
    <CompactSelect
      aria-label={`Status of order ${orderLabel(order)}`}
      className="min-w-30 grow"
      value={change.isPending ? change.variables : order.status}
      disabled={change.isPending}
      onChange={(event) => change.mutate(readStatus(event.target.value))}
    >
      {ORDER_STATUSES.map((status) => (
        <option key={status} value={status}>
          {STATUS_NAMES[status]}
        </option>
      ))}
    </CompactSelect>
  );
}
