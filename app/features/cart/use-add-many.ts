import { useState } from "react";
import { useNavigate } from "react-router";
import { showToast } from "#app/components/toast.ts";
import { getBackend } from "#app/features/session/backend.ts";
import { rememberPage } from "#app/features/session/remembered-page.ts";
import { waitForSession } from "#app/features/session/session.ts";
import { historyEntry, rememberPlace } from "#app/features/session/sign-in-return.ts";
import type { BackendClient } from "#app/lib/backend/client.ts";
import { customerMessage, logFailure } from "#app/lib/backend/failure-message.ts";
import { isUnanswered } from "#app/lib/backend/retry-rule.ts";
import { requireConnection } from "#app/lib/browser/offline.ts";
import { cartMessages } from "./cart-store.ts";
import { showAddedToCart } from "./use-cart.ts";

const TRY_AGAIN =
  "The connection was interrupted. It's safe to try again: your books will be added only once.";

/**
 * Puts many books into the cart in one call. A visitor is led through the sign-in page, or the email of a new
 * account, and back to `path`, where the page still has what they chose; a failure is shown as a toast. The call has a
 * request id, so that a retry adds nothing twice.
 */
export function useAddMany(path: string) {
  const [adding, setAdding] = useState(false);
  const navigate = useNavigate();

  /** The call's result, once the cart has been read again; null if there was no call or it failed. */
  async function addMany<Result>(call: (client: BackendClient) => Promise<Result>): Promise<Result | null> {
    setAdding(true);
    try {
      const session = await waitForSession();
      if (session.status === "signed-out") {
        rememberPlace(path, historyEntry());
        rememberPage(path);
        await navigate("/auth");
        return null;
      }
      requireConnection();
      const result = await call(await getBackend());
      await showAddedToCart();
      return result;
    } catch (error) {
      logFailure(cartMessages.addFailed, error);
      const description = isUnanswered(error) ? TRY_AGAIN : (customerMessage(error) ?? undefined);
      showToast("error", cartMessages.addFailed, { description });
      return null;
    } finally {
      setAdding(false);
    }
  }

  return { adding, addMany };
}
