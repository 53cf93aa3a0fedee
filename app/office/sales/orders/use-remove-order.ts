import { useRef } from "react";
import { useAdminMutation } from "#app/office/frame/admin-data.ts";
import { removeOrder, restoreOrder } from "./order.admin-queries.ts";

/** Deletes an order without confirmation (spec section 5); the toast offers Undo. */
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
      description: "You can also restore it later in Activity.",
      action: { label: "Undo", onClick: () => restore.mutate(id) },
    }),
    failure: "Failed to delete order",
  });
  const pending = useRef(new Set<string>());
  return (id) => {
    // Ignores a second click before the list is refetched.
    if (pending.current.has(id)) return;
    pending.current.add(id);
    // The mutation has already shown the failure.
    void mutateAsync(id)
      .catch(() => {})
      .finally(() => pending.current.delete(id));
  };
}
