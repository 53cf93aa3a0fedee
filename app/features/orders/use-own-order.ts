import { useState } from "react";
import { useNavigate } from "react-router";
import { showToast } from "#app/components/toast.ts";
import { getBackend } from "#app/features/session/backend.ts";
import { useRequireMember } from "#app/features/session/use-require-member.ts";
import { logFailure } from "#app/lib/failure-message.ts";
import { useRead } from "#app/lib/use-read.ts";
import { isUuid } from "#app/lib/uuid.ts";
import { cancelOrder, findOwnOrder } from "./order.queries.ts";

const CANCELLED = "Order cancelled successfully";
const CANCEL_FAILED = "Failed to cancel order";

/**
 * One of the signed-in user's orders. Visitors are redirected to /auth; a failed read is logged and redirects to /shop.
 * @returns the order, `undefined` while it is being read, null when there is none; the function that cancels it, and the one that reads it again
 */
export function useOwnOrder(orderId: string) {
  const userId = useRequireMember()?.id;
  const navigate = useNavigate();
  const [cancelling, setCancelling] = useState(false);

  const read = async () =>
    userId && isUuid(orderId) ? findOwnOrder(await getBackend(), userId, orderId) : null;
  const { result: order, set: setOrder } = useRead(userId ? `${userId} ${orderId}` : null, read, {
    onFailure(error) {
      logFailure("Failed to read the order", error);
      void navigate("/shop", { replace: true });
    },
  });

  /** Shows the order's current state; without a response, the last known one stays. */
  const refresh = () => read().then(setOrder, () => undefined);

  async function cancel() {
    if (!userId || !order) return;
    setCancelling(true);
    try {
      await cancelOrder(await getBackend(), userId, orderId);
      setOrder({ ...order, status: "cancelled" });
      showToast("success", CANCELLED);
      await refresh();
    } catch (error) {
      logFailure(CANCEL_FAILED, error);
      showToast("error", CANCEL_FAILED);
      // It may have been delivered or cancelled in the meantime; then the page shows it.
      await refresh();
    } finally {
      setCancelling(false);
    }
  }

  return { order, cancel, cancelling, refresh };
}
