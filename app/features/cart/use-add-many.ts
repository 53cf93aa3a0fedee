import { useState } from "react";
import { useNavigate } from "react-router";
import { showToast } from "#app/components/toast.ts";
import { getBackend } from "#app/features/session/backend.ts";
import { keepPlace } from "#app/features/session/kept-place.ts";
import { historyEntry, rememberPlace } from "#app/features/session/sign-in-return.ts";
import { waitForSession } from "#app/features/session/wait-for-session.ts";
import type { BackendClient } from "#app/lib/backend-client.ts";
import { customerMessage, logFailure } from "#app/lib/failure-message.ts";
import { isUnanswered } from "#app/lib/retry-rule.ts";
import { cartMessages } from "./cart-store.ts";
import { showAddedToCart } from "./use-cart.ts";

const CHECK_THE_CART = "Your books may already be in your cart. Check it before you add them again.";

/**
 * Puts many books into the cart in one call. A visitor is led through the sign-in page, or the email of a new
 * account, and back to `path`, where the page still has what they chose; a failure is shown as a toast.
 */
export function useAddMany(path: string) {
  const [adding, setAdding] = useState(false);
  const navigate = useNavigate();

  /** The call's result; null if there was no call or it failed. */
  async function addMany<Result>(call: (client: BackendClient) => Promise<Result>): Promise<Result | null> {
    // Set before the session is known: a second press would add everything twice.
    setAdding(true);
    try {
      const session = await waitForSession();
      if (session.status === "signed-out") {
        rememberPlace(path, historyEntry());
        keepPlace(path);
        await navigate("/auth");
        return null;
      }
      const result = await call(await getBackend());
      showAddedToCart();
      return result;
    } catch (error) {
      logFailure(cartMessages.addFailed, error);
      const description = isUnanswered(error) ? CHECK_THE_CART : (customerMessage(error) ?? undefined);
      showToast("error", cartMessages.addFailed, { description });
      return null;
    } finally {
      setAdding(false);
    }
  }

  return { adding, addMany };
}
