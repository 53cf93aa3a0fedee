import { useCallback, useEffect, useState } from "react";
import { useNavigate } from "react-router";
import { showToast } from "#app/components/toast.ts";
import { getBackend } from "#app/features/session/session-store.ts";
import { useRequireMember } from "#app/features/session/use-require-member.ts";
import { logFailure } from "#app/lib/backend-failure.ts";
import { cancelOrder, findOwnOrder, type OwnOrder } from "./order.queries.ts";
import { isOrderId } from "./order.ts";

const CANCELLED = "Order cancelled successfully";
const CANCEL_FAILED = "Failed to cancel order";

/**
 * One of the signed-in person's orders. Visitors are sent to /auth; a failing read is logged and leads to /shop.
 * @returns the order, `undefined` while it is being read, null when there is none; and the way to cancel it
 */
export function useOwnOrder(orderId: string) {
  const userId = useRequireMember()?.id;
  const navigate = useNavigate();
  const [order, setOrder] = useState<OwnOrder | null | undefined>();
  const [cancelling, setCancelling] = useState(false);
  const isNamed = isOrderId(orderId);

  const read = useCallback(
    async () => (userId && isNamed ? findOwnOrder(await getBackend(), userId, orderId) : null),
    [userId, orderId, isNamed],
  );

  useEffect(() => {
    if (!userId) return;
    let current = true;
    setOrder(undefined);
    read().then(
      (found) => {
        if (current) setOrder(found);
      },
      (error) => {
        logFailure("Failed to read the order", error);
        if (current) void navigate("/shop", { replace: true });
      },
    );
    return () => {
      current = false;
    };
  }, [userId, read, navigate]);

  async function cancel() {
    if (!userId) return;
    setCancelling(true);
    try {
      await cancelOrder(await getBackend(), userId, orderId);
      setOrder((known) => known && { ...known, status: "cancelled" });
      showToast("success", CANCELLED);
    } catch (error) {
      logFailure(CANCEL_FAILED, error);
      showToast("error", CANCEL_FAILED);
      // It may have been delivered or cancelled meanwhile; then the page says so.
      await read().then(setOrder, () => undefined);
    } finally {
      setCancelling(false);
    }
  }

  return { order, cancel, cancelling };
}
