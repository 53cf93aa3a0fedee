import { useCallback, useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { showToast } from "#app/components/toast.ts";
import { cart, useCart } from "#app/features/cart/use-cart.ts";
import { findOwnOrder } from "#app/features/orders/order.queries.ts";
import { getBackend, useSession } from "#app/features/session/session-store.ts";
import { logFailure } from "#app/lib/backend-failure.ts";
import { type CheckoutDraft, changeDraft, forgetDraft, readDraft } from "./checkout-draft.ts";

export const EMPTY_CART = "Your cart is empty";
export const SIGN_IN_TO_ORDER = "Please sign in to place an order";

/**
 * Lets into the checkout who is signed in and has something in the cart, and sends everybody else on: visitors to
 * /auth, an empty cart to /shop, an order that was sent before and does stand to its confirmation. Nothing happens
 * while session or cart are still loading.
 * @returns the draft to work on, null while waiting; `leave` goes to another page for good
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

  /** Goes to the order's confirmation when it stands although no answer came; tells whether it does. */
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

  // Prices and stock may have moved since the page was loaded.
  useEffect(() => {
    if (cart.get().status === "ready") void cart.load({ quiet: true });
  }, []);

  useEffect(() => {
    if (signedOut) void leave("/auth", SIGN_IN_TO_ORDER);
  }, [signedOut, leave]);

  useEffect(() => {
    if (!userId) return;
    let current = true;
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
  }, [userId, leaveIfPlaced]);

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
