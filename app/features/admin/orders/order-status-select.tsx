import { CompactSelect } from "#app/components/compact-select.tsx";
import { useAdminMutation } from "#app/features/admin/admin-data.ts";
import { ORDER_STATUSES, type OrderStatus, readStatus } from "#app/features/orders/order.ts";
import { type OrderRow, updateOrderStatus } from "./order.admin-queries.ts";
import { shortOrderId } from "./order-number.ts";

/** As written in selectors. */
export const STATUS_NAMES: Record<OrderStatus, string> = {
  pending: "Pending",
  processing: "Processing",
  shipped: "Shipped",
  delivered: "Delivered",
  cancelled: "Cancelled",
};

/** Sets any status from any other; disabled while it does. */
export function OrderStatusSelect({ order }: { order: Pick<OrderRow, "id" | "status"> }) {
  const change = useAdminMutation({
    run: (client, status: OrderStatus) => updateOrderStatus(client, order.id, status),
    success: (_, status) => ({ title: `Order status updated to ${status}` }),
    failure: "Failed to update order status",
  });
  return (
    <CompactSelect
      aria-label={`Status of order ${shortOrderId(order.id)}`}
      className="min-w-32 grow"
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
