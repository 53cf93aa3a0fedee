import { useState } from "react";
import { ORDER_STATUSES, type OrderStatus, readStatus } from "#app/features/orders/order.ts";
import { isSent } from "#app/lib/delivery.ts";
import { CompactSelect } from "#app/office/components/compact-select.tsx";
import { useAdminMutation } from "#app/office/frame/admin-data.ts";
import { orderLabel } from "#app/office/frame/order-number.ts";
import { type OrderRow, updateOrderStatus } from "./order.admin-queries.ts";
import { ShipDialog, type ShippedOrder } from "./ship-dialog.tsx";

export const STATUS_NAMES: Record<OrderStatus, string> = {
  pending: "Pending",
  processing: "Processing",
  shipped: "Shipped",
  delivered: "Delivered",
  cancelled: "Cancelled",
};

/** Whether shipping it asks for shipping details. */
export const travels = (order: Pick<OrderRow, "delivery_method">) => isSent(order.delivery_method);

/** Allows any change of status; disabled while it is saved. Shipping asks for shipping details, unless the customer collects the order. */
export function OrderStatusSelect({ order }: { order: ShippedOrder & Pick<OrderRow, "delivery_method"> }) {
  const [shipping, setShipping] = useState(false);
  const change = useAdminMutation({
    run: (client, status: OrderStatus) => updateOrderStatus(client, order, status),
    success: (_, status) => ({ title: `Order status updated to ${status}` }),
    failure: "Failed to update order status",
  });
  return (
    <>
      <CompactSelect
        aria-label={`Status of order ${orderLabel(order)}`}
        className="min-w-30 grow"
        value={change.isPending ? change.variables : order.status}
        disabled={change.isPending}
        onChange={(event) => {
          const status = readStatus(event.target.value);
          if (status === "shipped" && travels(order)) setShipping(true);
          else change.mutate(status);
        }}
      >
        {ORDER_STATUSES.map((status) => (
          <option key={status} value={status}>
            {STATUS_NAMES[status]}
          </option>
        ))}
      </CompactSelect>
      {shipping && <ShipDialog orders={[order]} onClose={() => setShipping(false)} />}
    </>
  );
}
