import { useState } from "react";
import { Button } from "#app/components/button.tsx";
import { Dialog } from "#app/components/dialog.tsx";
import type { OrderStatus } from "#app/features/orders/order.ts";
import { useAdminMutation } from "#app/office/frame/admin-data.ts";
import { countOf } from "#shared/text/count-of.ts";
import { type OrderRow, type StatusOutcome, type StepBack, setOrderStatuses } from "./order.admin-queries.ts";
import { STATUS_NAMES } from "./status-names.ts";
import { StatusSummary, useStatusPlan } from "./status-summary.tsx";
import { undoOf, useUndoStatuses } from "./undo-statuses.ts";

type StatusDialogProps = {
  orders: readonly Pick<OrderRow, "id" | "number" | "status">[];
  status: OrderStatus;
  onClose: () => void;
  /** Called with the outcome of each order before the dialog closes. */
  onChanged?: (outcomes: StatusOutcome[]) => void;
};

/** Asks before a status is set for several orders: it says what changes, who is emailed and what happens to the stock. */
export function StatusDialog({ orders, status, onClose, onChanged }: StatusDialogProps) {
  const [stepsBack, setStepsBack] = useState<StepBack[]>([]);
  const summary = useStatusPlan({ orders, status, stepsBack });
  const undo = useUndoStatuses();
  const change = useAdminMutation({
    run: (client) => setOrderStatuses(client, orders, status, { stepsBack }),
    success: (outcomes) => {
      const changed = outcomes.filter(({ problem }) => problem === null).length;
      return changed > 0
        ? {
            title: `${countOf(changed, "order")} set to ${status}`,
            ...undoOf(undo, { orders, status }, outcomes),
          }
        : null;
    },
    failure: "Failed to update the orders",
    onSuccess(outcomes) {
      onChanged?.(outcomes);
      onClose();
    },
    long: true,
  });
  const changing = summary.plan?.changing ?? 0;
  const one = orders.length === 1 ? orders[0] : null;
  return (
    <Dialog
      open
      title={`Set ${one ? `order ${one.number}` : countOf(orders.length, "order")} to ${STATUS_NAMES[status]}?`}
      onClose={onClose}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            {/* "Cancel" would say both. */}
            {status === "cancelled" ? (one ? "Keep Order" : "Keep Orders") : "Cancel"}
          </Button>
          <Button
            variant={status === "cancelled" ? "danger" : "primary"}
            busy={summary.isPending || change.isPending}
            disabled={!summary.isPending && changing === 0}
            onClick={() => change.mutate()}
          >
            {changing === 0 ? "Set Status" : `Set ${countOf(changing, "Order")} to ${STATUS_NAMES[status]}`}
          </Button>
        </>
      }
    >
      <StatusSummary {...summary} stepsBack={stepsBack} onChoose={setStepsBack} />
    </Dialog>
  );
}
