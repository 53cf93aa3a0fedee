import { useRef, useState } from "react";
import { showToast } from "#app/components/toast.ts";
import { cartTotal } from "#app/features/cart/cart.ts";
import { cart, showOrderedCart } from "#app/features/cart/use-cart.ts";
import { updateOwnPhone } from "#app/features/customers/profile.queries.ts";
import { createOrder } from "#app/features/orders/order.queries.ts";
import { confirmSession } from "#app/features/session/confirm-session.ts";
import { getBackend } from "#app/features/session/session-store.ts";
import { BackendFailure, logFailure } from "#app/lib/backend-failure.ts";
import { cedisFromPesewas } from "#app/lib/money.ts";
import { type CheckoutDraft, changeDraft, forgetDraft } from "./checkout-draft.ts";
import { explainRefusal, FAILED_TO_PLACE, isUnanswered, sendOrder } from "./place-order.ts";
import { type ShippingForm, shippingAddress } from "./shipping-form.ts";

/**
 * Places the order of a filled-in form: once, however often it is pressed. On success it leaves for the confirmation
 * before the cart empties; on failure it says why, in a toast and for longer in `problem`, and reads the cart again.
 */
export function usePlaceOrder(draft: CheckoutDraft, leave: (to: string) => Promise<void>) {
  const [placing, setPlacing] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const running = useRef(false);

  async function placeOrder(form: ShippingForm): Promise<void> {
    if (running.current) return;
    running.current = true;
    setPlacing(true);
    setProblem(null);
    try {
      await attempt(form);
    } finally {
      running.current = false;
      setPlacing(false);
    }
  }

  async function attempt(form: ShippingForm): Promise<void> {
    const user = await confirmSession();
    // Without a session the page is on its way to /auth already.
    if (user?.id !== draft.userId) return;
    await cart.settled();
    const { lines } = cart.get();
    const client = await getBackend();
    await updateOwnPhone(client, user.id, form.phone.trim()).catch((error) =>
      logFailure("Failed to update the profile's phone", error),
    );
    changeDraft(draft, { form, sent: true });
    try {
      await sendOrder(() =>
        createOrder(client, {
          id: draft.orderId,
          user_id: user.id,
          total_amount: cedisFromPesewas(cartTotal(lines)),
          status: "pending",
          shipping_address: shippingAddress(form),
          recipient_name: form.fullName.trim(),
          recipient_email: form.email.trim(),
          recipient_phone: form.phone.trim(),
        }),
      );
    } catch (error) {
      logFailure("Failed to place order", error);
      changeDraft(draft, { form, sent: isUnanswered(error) });
      // An empty cart has its own words, on the way out of here.
      if (!(error instanceof BackendFailure && error.code === "cart_empty")) {
        const description = explainRefusal(error, lines);
        showToast("error", FAILED_TO_PLACE, { description });
        setProblem(description);
      }
      if (!isUnanswered(error)) await cart.load({ quiet: true });
      return;
    }
    forgetDraft();
    showToast("success", "Order placed successfully!");
    await leave(`/order-confirmation/${draft.orderId}`);
    showOrderedCart();
  }

  return { placing, problem, placeOrder };
}
