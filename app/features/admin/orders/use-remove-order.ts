import { useCallback, useRef } from "react";
import { useAdminMutation } from "#app/features/admin/admin-data.ts";
import { removeOrder, restoreOrder } from "./order.admin-queries.ts";

/** Deletes an order without asking; the message offers to take it back (decision: no confirmation, but an Undo). */
export function useRemoveOrder(): (id: string) => void {
  const restore = useAdminMutation({
    run: (client, id: string) => restoreOrder(client, id),
    success: () => ({ title: "Order restored" }),
    failure: "Failed to restore order",
  });
  const { mutateAsync } = useAdminMutation({
    run: (client, id: string) => removeOrder(client, id),
    success: (_, id) => ({
      title: "Order deleted successfully",
      description: "It can also be restored later, in Activity.",
      action: { label: "Undo", onClick: () => restore.mutate(id) },
    }),
    failure: "Failed to delete order",
  });
  const going = useRef(new Set<string>());
  return useCallback(
    (id) => {
      // A second press comes before the list shows that the order is gone.
      if (going.current.has(id)) return;
      going.current.add(id);
      // That it failed is told already.
      void mutateAsync(id)
        .catch(() => {})
        .finally(() => going.current.delete(id));
    },
    [mutateAsync],
  );
}
