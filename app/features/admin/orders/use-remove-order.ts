import { useAdminMutation } from "#app/features/admin/admin-data.ts";
import { removeOrder, restoreOrder } from "./order.admin-queries.ts";

/** Deletes an order without asking; the message offers to take it back (decision: no confirmation, but an Undo). */
export function useRemoveOrder() {
  const restore = useAdminMutation({
    run: (client, id: string) => restoreOrder(client, id),
    success: () => ({ title: "Order restored" }),
    failure: "Failed to restore order",
  });
  return useAdminMutation({
    run: (client, id: string) => removeOrder(client, id),
    success: (_, id) => ({
      title: "Order deleted successfully",
      description: "It can also be restored later, in Activity.",
      action: { label: "Undo", onClick: () => restore.mutate(id) },
    }),
    failure: "Failed to delete order",
  });
}
