import type { ToastAction } from "#app/components/toast.ts";
import type { OrderStatus } from "#app/features/orders/order.ts";
import { useAdminMutation } from "#app/office/frame/admin-data.ts";
import { countOf } from "#shared/text/count-of.ts";
import {
  type OrderRow,
  type StatusOutcome,
  type StepBackTo,
  setBackStatuses,
} from "./order.admin-queries.ts";

type Undo = (orders: readonly StepBackTo[], then?: { onSettled: () => void }) => void;

/** Takes orders back to the statuses that they had. Waiting emails about the change are dropped. */
export function useUndoStatuses(): Undo {
  const { mutate } = useAdminMutation({
    run: (client, orders: readonly StepBackTo[]) => setBackStatuses(client, orders),
    success: sayWhatIsBack,
    failure: "Failed to set the status back",
    long: true,
  });
  return mutate;
}

/** Orders with the status that they had before, and the one that they have now. */
type ChangedStatuses = { orders: readonly Pick<OrderRow, "id" | "status">[]; status: OrderStatus };

/** The Undo of a message about these orders, of which those with a problem did not change. */
export function undoOf(
  undo: Undo,
  { orders, status }: ChangedStatuses,
  outcomes?: readonly StatusOutcome[],
): { action?: ToastAction } {
  const failed = new Set(outcomes?.filter(({ problem }) => problem !== null).map(({ id }) => id));
  const changed = orders
    .filter((order) => order.status !== status && !failed.has(order.id))
    .map((order) => ({ id: order.id, status, former: order.status }));
  return changed.length > 0 ? { action: { label: "Undo", onClick: () => undo(changed) } } : {};
}

function sayWhatIsBack(outcomes: readonly StatusOutcome[]): { title: string; description?: string } {
  const left = outcomes.filter(({ problem }) => problem !== null);
  return {
    title: `${countOf(outcomes.length - left.length, "order")} set back`,
    ...(left.length > 0 && {
      description: left.map(({ number, problem }) => `Order ${number ?? ""}: ${problem}`).join(" "),
    }),
  };
}
