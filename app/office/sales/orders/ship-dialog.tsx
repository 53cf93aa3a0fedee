import { useState } from "react";
import { Button } from "#app/components/button.tsx";
import { useAdminMutation } from "#app/office/frame/admin-data.ts";
import { FormDialog } from "#app/office/frame/form-dialog.tsx";
import { useKeptForm } from "#app/office/frame/use-kept.ts";
import { type Shipment, shipmentFacts, shipmentFields } from "#shared/orders/order-fields.ts";
import { countOf } from "#shared/text/count-of.ts";
import {
  type OrderRow,
  type StatusOutcome,
  type StepBack,
  setOrderStatuses,
  shipOrder,
} from "./order.admin-queries.ts";
import { ShippingFields } from "./shipping-fields.tsx";
import { StatusSummary, useStatusPlan } from "./status-summary.tsx";
import { undoOf, useUndoStatuses } from "./undo-statuses.ts";

export type ShippedOrder = Pick<OrderRow, "id" | "number" | "status"> & Shipment;

type ShipDialogProps = {
  /** Orders to ship, or a shipped one whose details are to be changed. */
  orders: readonly ShippedOrder[];
  /** Whether copies of the one order were sent before. */
  isRest?: boolean;
  onClose: () => void;
  /** Called with the outcome of each order before the dialog closes. */
  onShipped?: (outcomes: StatusOutcome[]) => void;
};

/** Marks orders as shipped and asks for shipping details, all of them optional. */
export function ShipDialog({ orders, isRest = false, onClose, onShipped }: ShipDialogProps) {
  const [first, ...others] = orders;
  const isMany = others.length > 0;
  const [stepsBack, setStepsBack] = useState<StepBack[]>([]);
  const summary = useStatusPlan({ orders, status: "shipped", stepsBack }, { enabled: isMany });
  const isChange = first?.status === "shipped" && !isMany;
  const undo = useUndoStatuses();
  const ship = useAdminMutation({
    run: (client, shipment: Shipment) =>
      first && !isMany
        ? shipOrder(client, first, shipment)
        : setOrderStatuses(client, orders, "shipped", { shipment, stepsBack }),
    success(outcomes) {
      const shipped = outcomes.filter(({ problem }) => problem === null).length;
      if (isChange) return { title: "Shipping details changed" };
      const undoing = undoOf(undo, { orders, status: "shipped" }, outcomes);
      if (!isMany) return { title: "Order status updated to shipped", ...undoing };
      return shipped > 0 ? { title: `${countOf(shipped, "order")} set to shipped`, ...undoing } : null;
    },
    failure: "Failed to update order status",
    onSuccess(outcomes) {
      kept.forget();
      onShipped?.(outcomes);
      onClose();
    },
    long: true,
  });
  const { values, dirty, field, formProps, kept } = useKeptForm({
    kept: `shipping ${orders.map(({ id }) => id).join(" ")}`,
    fields: Object.fromEntries(shipmentFields.map(({ name }) => [name, first?.[name] ?? ""])) as Record<
      keyof Shipment,
      string
    >,
    send: (typed) => ship.mutate(typed),
  });
  const hasDetails = shipmentFacts(values).length > 0;
  return (
    <FormDialog
      dirty={dirty}
      kept={kept}
      title={
        isChange
          ? "Shipping details"
          : orders.length === 1
            ? "Mark as shipped"
            : `Ship ${orders.length} orders`
      }
      description={
        orders.length === 1
          ? `Order ${first?.number}. ${isRest ? "All copies that are left count as sent. " : ""}The customer gets these details by email and sees them with the order.`
          : "The same details apply to all these orders, also to those that were shipped already. Customers get them by email and see them with their order."
      }
      onClose={onClose}
    >
      <form {...formProps} className="grid gap-4">
        {isMany && <StatusSummary {...summary} stepsBack={stepsBack} onChoose={setStepsBack} />}
        <ShippingFields field={field} />
        <Button
          type="submit"
          busy={ship.isPending || (isMany && summary.isPending)}
          disabled={isChange && !dirty}
        >
          {isChange
            ? "Save and Email the Customer"
            : hasDetails
              ? "Mark as Shipped"
              : "Mark as Shipped without Details"}
        </Button>
      </form>
    </FormDialog>
  );
}
