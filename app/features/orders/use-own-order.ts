import { useState } from "react";
import { useNavigate } from "react-router";
import { showToast } from "#app/components/toast.ts";
import { readOrSaved } from "#app/features/offline/saved-copy.ts";
import { getBackend } from "#app/features/session/backend.ts";
import { useRequireMember } from "#app/features/session/use-require-member.ts";
import { customerMessage, logFailure } from "#app/lib/backend/failure-message.ts";
import { isOffline, requireConnection } from "#app/lib/browser/offline.ts";
import { useRead } from "#app/lib/react/use-read.ts";
import { isUuid } from "#shared/text/uuid.ts";
import { cancelOrder, findOwnOrder } from "./order.queries.ts";

const CANCELLED = "Order cancelled successfully";
const CANCEL_FAILED = "Failed to cancel order";

/** The saved copy of an order. */
export const orderCopy = (orderId: string) => `order:${orderId}`;

/**
 * One of the signed-in user's orders, or its saved copy. Visitors are redirected to /auth; a failed read is logged and
 * redirects to /shop, unless the shop is out of reach.
 * @returns the order, `undefined` while it is being read or after it has `failed`, null when there is none; the function
 * that cancels it, and the one that reads it again
 */
export function useOwnOrder(orderId: string) {
  const userId = useRequireMember()?.id;
  const navigate = useNavigate();
  const [cancelling, setCancelling] = useState(false);

  const read = async () =>
    userId && isUuid(orderId)
      ? readOrSaved(orderCopy(orderId), userId, async () => findOwnOrder(await getBackend(), userId, orderId))
      : null;
  const {
    status,
    result: order,
    set: setOrder,
    retry,
  } = useRead(userId ? `${userId} ${orderId}` : null, read, {
    onFailure(error) {
      logFailure("Failed to read the order", error);
      if (!isOffline()) void navigate("/shop", { replace: true });
    },
  });

  /** Shows the order's current state; without a response, the last known one stays. */
  const refresh = () => read().then(setOrder, () => undefined);

  async function cancel() {
    if (!userId || !order) return;
    setCancelling(true);
    try {
      requireConnection();
      await cancelOrder(await getBackend(), userId, orderId);
      setOrder({ ...order, status: "cancelled" });
      showToast("success", CANCELLED);
      await refresh();
    } catch (error) {
      logFailure(CANCEL_FAILED, error);
      showToast("error", CANCEL_FAILED, { description: customerMessage(error) ?? undefined });
      // It may have been delivered or cancelled in the meantime; then the page shows it.
      await refresh();
    } finally {
      setCancelling(false);
    }
  }

  return { order, failed: status === "failed", retry, cancel, cancelling, refresh };
}
