import { useState } from "react";
import { ORDER_STATUSES, type OrderStatus } from "#app/features/orders/order.ts";
import { ChoiceMenu } from "#app/office/components/choice-menu.tsx";
import { useAdminMutation } from "#app/office/frame/admin-data.ts";
import { orderLabel } from "#app/office/frame/order-number.ts";
import { isSent } from "#shared/orders/delivery.ts";
import { type OrderRow, updateOrderStatus } from "./order.admin-queries.ts";
import { ShipDialog, type ShippedOrder } from "./ship-dialog.tsx";
import { StatusDialog } from "./status-dialog.tsx";
import { STATUS_NAMES } from "./status-names.ts";
import { undoOf, useUndoStatuses } from "./undo-statuses.ts";

const choices = ORDER_STATUSES.map((value) => ({ value, label: STATUS_NAMES[value] }));

/** Whether shipping it asks for shipping details. */
export const travels = (order: Pick<OrderRow, "delivery_method">) => isSent(order.delivery_method);

type OrderStatusSelectProps = {
  order: ShippedOrder & Pick<OrderRow, "delivery_method" | "paid_amount">;
  /** Whether copies of it were sent before the rest, as far as the list knows. */
  isPartSent?: boolean;
};

/**
 * Allows any change of status. Shipping asks for shipping details, unless the customer collects the order; cancelling a paid or part-sent
 * order asks first, since its money is then owed back, and its copies stay away.
 */
export function OrderStatusSelect({ order, isPartSent = false }: OrderStatusSelectProps) {
  const [asking, setAsking] = useState<"shipping" | "cancelling" | null>(null);
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
          if (status === "shipped" && travels(order)) setAsking("shipping");
          else if (status === "cancelled" && order.status !== status && (isPartSent || order.paid_amount > 0))
            setAsking("cancelling");
          else change.mutate(status);
        }}
      />
      {asking === "shipping" && (
        <ShipDialog orders={[order]} isRest={isPartSent} onClose={() => setAsking(null)} />
      )}
      {asking === "cancelling" && (
        <StatusDialog orders={[order]} status="cancelled" onClose={() => setAsking(null)} />
      )}
    </>
  );
}
