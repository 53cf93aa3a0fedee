import { useCallback, useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { showToast } from "#app/components/toast.ts";
import { cart, useCart } from "#app/features/cart/use-cart.ts";
import { findOwnOrder } from "#app/features/orders/order.queries.ts";
import { getBackend } from "#app/features/session/backend.ts";
import { useSession } from "#app/features/session/session.ts";
import { logFailure } from "#app/lib/backend/failure-message.ts";
import { type CheckoutDraft, changeDraft, forgetDraft, readDraft } from "./checkout-draft.ts";

const EMPTY_CART = "Your cart is empty";
const SIGN_IN_TO_ORDER = "Please sign in to place an order";

/**
 * Admits signed-in customers with a non-empty cart and redirects the others: visitors to /auth, an empty cart to /shop,
 * and an order that was already placed to its confirmation. It waits while the session or the cart is loading.
 * @returns the draft, null while waiting; `leave` navigates away once, replacing the history entry
 */
export function useCheckoutEntry() {
  const session = useSession();
  const { status, lines } = useCart();
  const navigate = useNavigate();
  const left = useRef(false);
  const [draft, setDraft] = useState<CheckoutDraft | null>(null);
  const userId = session.status === "signed-in" ? session.user.id : null;
  const signedOut = session.status === "signed-out";
  const empty = status === "ready" && lines.length === 0;

  const leave = useCallback(
    async (to: string, problem?: string) => {
      if (left.current) return;
      left.current = true;
      if (problem) showToast("error", problem);
      await navigate(to, { replace: true });
    },
    [navigate],
  );

  /** Opens the confirmation if the order was placed although no response arrived; returns whether it was. */
  const leaveIfPlaced = useCallback(
    async ({ userId: customer, orderId }: CheckoutDraft): Promise<boolean> => {
      try {
        const order = await findOwnOrder(await getBackend(), customer, orderId);
        if (!order) return false;
        forgetDraft();
        await leave(`/order-confirmation/${orderId}`);
        return true;
      } catch (error) {
        logFailure("Failed to look for an order that was sent", error);
        return false;
      }
    },
    [leave],
  );

  useEffect(() => {
    if (signedOut) void leave("/auth", SIGN_IN_TO_ORDER);
    if (!userId) return;
    let current = true;
    // Prices and stock may have changed since the page was loaded.
    if (cart.get().status === "ready") void cart.load({ quiet: true });
    const stored = readDraft(userId);
    void (async () => {
      if (stored.sent && (await leaveIfPlaced(stored))) return;
      if (!current) return;
      changeDraft(stored);
      setDraft(stored);
    })();
    return () => {
      current = false;
    };
  }, [signedOut, userId, leave, leaveIfPlaced]);

  useEffect(() => {
    if (!empty || !draft) return;
    void (async () => {
      const newest = readDraft(draft.userId);
      if (newest.sent && (await leaveIfPlaced(newest))) return;
      await leave("/shop", EMPTY_CART);
    })();
  }, [empty, draft, leave, leaveIfPlaced]);

  return {
    draft: status === "ready" && lines.length > 0 ? draft : null,
    lines,
    cartFailed: status === "failed",
    leave,
  };
}
