import { useState } from "react";
import { showToast } from "#app/components/toast.ts";
import { updateOwnProfile } from "#app/features/account/profile.queries.ts";
import { type CartLine, cartTotal, isDownloaded } from "#app/features/cart/cart.ts";
import { cart, showOrderedCart } from "#app/features/cart/use-cart.ts";
import { asOrdered, type OrderForm, orderTextsOf, toRemember } from "#app/features/delivery/delivery-form.ts";
import { addressOf } from "#app/features/delivery/shipping-form.ts";
import { createOrder, findOwnOrder } from "#app/features/orders/order.queries.ts";
import { getBackend } from "#app/features/session/backend.ts";
import { confirmSession } from "#app/features/session/check-session.ts";
import { listBooksByIds } from "#app/features/wishlist/wishlist.queries.ts";
import type { BackendClient } from "#app/lib/backend/client.ts";
import { isBackendFailure, logFailure } from "#app/lib/backend/failure-message.ts";
import { isUnanswered } from "#app/lib/backend/retry-rule.ts";
import { type Pesewas, pesewasFromCedis, sumPesewas } from "#shared/text/money.ts";
import { type CheckoutDraft, changeDraft, forgetDraft, readDraft } from "./checkout-draft.ts";
import { explainRefusal, FAILED_TO_PLACE, findLostLines, sendOrder } from "./place-order.ts";

const ALREADY_PLACED = "Your order was already placed";
const CHECK_THE_ORDER =
  "It has the details of your first attempt. If they are wrong, cancel it and order again.";

/**
 * Places the order. On success it opens the confirmation before the cart empties; on failure it shows the reason in a
 * toast and, for longer, in `problem`, and reads the cart and the fee again.
 */
export function usePlaceOrder(
  draft: CheckoutDraft,
  leave: (to: string) => Promise<void>,
  readFeeAgain: () => void,
) {
  const [problem, setProblem] = useState<string | null>(null);

  /** @param shownFee the delivery fee that the page shows, null if it is unknown */
  async function placeOrder(form: OrderForm, shownFee: Pesewas | null): Promise<void> {
    setProblem(null);
    // The database refuses an order whose fee is unknown, and says why.
    const fee = shownFee ?? pesewasFromCedis(0);
    const user = await confirmSession();
    // Without a session the page is already redirecting to /auth.
    if (user?.id !== draft.userId) return;
    await cart.settled();
    const { lines } = cart.get();
    const client = await getBackend();
    const ordered = asOrdered(form, isDownloaded(lines));
    await updateOwnProfile(client, user.id, { ...addressOf(ordered), ...toRemember(ordered) }).catch(
      (error) => logFailure("Failed to update the profile's phone and delivery", error),
    );
    // An attempt without a response may have placed the order, as the form was then.
    let mayBePlaced = readDraft(user.id).sent;
    let isPlaced = false;
    try {
      if (mayBePlaced) isPlaced = (await findOwnOrder(client, user.id, draft.orderId)) !== null;
      mayBePlaced = false;
      changeDraft(draft, { form, sent: true });
      if (!isPlaced)
        await sendOrder(() =>
          createOrder(client, {
            id: draft.orderId,
            user_id: user.id,
            total_amount: sumPesewas([cartTotal(lines), fee]),
            status: "pending",
            ...orderTextsOf(ordered),
            delivery_fee: fee,
          }),
        );
    } catch (error) {
      logFailure("Failed to place order", error);
      changeDraft(draft, { form, sent: mayBePlaced || isUnanswered(error) });
      const deleted = await findDeletedTitles(client, findLostLines(error, lines));
      // For a cart emptied in another tab, the redirect shows its own message.
      if (!(isBackendFailure(error) && error.code === "cart_empty") || deleted.length > 0) {
        const description = explainRefusal(error, lines, deleted, fee);
        showToast("error", FAILED_TO_PLACE, { description });
        setProblem(description);
      }
      if (isUnanswered(error)) return;
      readFeeAgain();
      await cart.load({ quiet: true });
      return;
    }
    forgetDraft();
    if (isPlaced) showToast("success", ALREADY_PLACED, { description: CHECK_THE_ORDER });
    else showToast("success", "Order placed successfully!");
    await leave(`/order-confirmation/${draft.orderId}`);
    showOrderedCart();
  }

  return { problem, placeOrder };
}

/** The titles among these lines that the shop no longer sells; none when that cannot be read. */
async function findDeletedTitles(client: BackendClient, lines: readonly CartLine[]): Promise<string[]> {
  const requested = lines.slice(0, 100);
  try {
    const found = await listBooksByIds(
      client,
      requested.map(({ book }) => book.id),
    );
    const sold = new Set(found.map(({ id }) => id));
    return requested.filter(({ book }) => !sold.has(book.id)).map(({ book }) => book.title);
  } catch (error) {
    logFailure("Failed to look for deleted books", error);
    return [];
  }
}
