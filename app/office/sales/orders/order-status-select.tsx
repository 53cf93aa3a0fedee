import { useState } from "react";
import { ORDER_STATUSES, type OrderStatus } from "#app/features/orders/order.ts";
import { ChoiceMenu } from "#app/office/components/choice-menu.tsx";
import { useAdminMutation } from "#app/office/frame/admin-data.ts";
import { orderLabel } from "#app/office/frame/order-number.ts";
import { isSent } from "#shared/orders/delivery.ts";
import { type OrderRow, updateOrderStatus } from "./order.admin-queries.ts";
import { ShipDialog, type ShippedOrder } from "./ship-dialog.tsx";
import { undoOf, useUndoStatuses } from "./undo-statuses.ts";

export const STATUS_NAMES: Record<OrderStatus, string> = {
  pending: "Pending",
  processing: "Processing",
  shipped: "Shipped",
  delivered: "Delivered",
  cancelled: "Cancelled",
};

const choices = ORDER_STATUSES.map((value) => ({ value, label: STATUS_NAMES[value] }));

/** Whether shipping it asks for shipping details. */
export const travels = (order: Pick<OrderRow, "delivery_method">) => isSent(order.delivery_method);

/** Allows any change of status. Shipping asks for shipping details, unless the customer collects the order. */
export function OrderStatusSelect({ order }: { order: ShippedOrder & Pick<OrderRow, "delivery_method"> }) {
  const [shipping, setShipping] = useState(false);
  const undo = useUndoStatuses();
  const change = useAdminMutation({
    run: (client, status: OrderStatus) => updateOrderStatus(client, order, status),
    success: (_, status) => ({
      title: `Order status updated to ${status}`,
      ...undoOf(undo, { orders: [order], status }),
    }),
    failure: "Failed to update order status",
  });
  return (
    <>
      <ChoiceMenu
        label={`Status of order ${orderLabel(order)}`}
        value={change.isPending ? change.variables : order.status}
        choices={choices}
        busy={change.isPending}
        onChoose={(status) => {
          if (status === "shipped" && travels(order)) setShipping(true);
          else change.mutate(status);
        }}
      />
      {shipping && <ShipDialog orders={[order]} onClose={() => setShipping(false)} />}
    </>
  );
}
