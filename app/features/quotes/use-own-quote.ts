import { useRef, useState } from "react";
import { useNavigate } from "react-router";
import { showToast } from "#app/components/toast.ts";
import { sendOrder } from "#app/features/checkout/place-order.ts";
import { readOrSaved } from "#app/features/offline/saved-copy.ts";
import { getBackend } from "#app/features/session/backend.ts";
import { useRequireMember } from "#app/features/session/use-require-member.ts";
import { customerMessage, logFailure } from "#app/lib/backend/failure-message.ts";
import { isUnanswered } from "#app/lib/backend/retry-rule.ts";
import { requireConnection } from "#app/lib/browser/offline.ts";
import { useRead } from "#app/lib/react/use-read.ts";
import { isUuid } from "#shared/text/uuid.ts";
import { type Acceptance, acceptQuote, declineQuote, findOwnQuote, type OwnQuote } from "./quote.queries.ts";

const FAILED_TO_ACCEPT = "Failed to accept the quote";
const FAILED_TO_DECLINE = "Failed to decline the quote";
const SAFE_TO_RETRY =
  "The connection was interrupted. It's safe to try again: your order will be placed only once.";

/** The saved copy of a quote. */
export const quoteCopy = (quoteId: string) => `quote:${quoteId}`;

/**
 * One of the signed-in user's quotes, or its saved copy. Visitors are redirected to /auth.
 * @returns the state of the read, with null for a quote that does not exist; `accept` orders it and opens the order, and
 * after a refusal shows the quote as it is now, with the reason in `problem`
 */
export function useOwnQuote(quoteId: string) {
  const userId = useRequireMember()?.id;
  const navigate = useNavigate();
  const [working, setWorking] = useState<"accept" | "decline" | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const running = useRef(false);

  const read = async () =>
    userId && isUuid(quoteId)
      ? readOrSaved(quoteCopy(quoteId), userId, async () => findOwnQuote(await getBackend(), quoteId))
      : null;
  const { status, result, retry, set } = useRead(userId ? `${userId} ${quoteId}` : null, read, {
    onFailure: (error) => logFailure("Failed to read the quote", error),
  });

  async function run(work: "accept" | "decline", failure: string, step: () => Promise<void>) {
    if (running.current) return;
    running.current = true;
    setWorking(work);
    setProblem(null);
    try {
      requireConnection();
      await step();
    } catch (error) {
      logFailure(failure, error);
      const reason = isUnanswered(error) ? SAFE_TO_RETRY : customerMessage(error);
      showToast("error", failure, { description: reason ?? undefined });
      setProblem(reason ?? `${failure}. Please try again.`);
      // Staff may have changed it, or stock may have sold out: the page shows its current state.
      await read().then(set, () => undefined);
    } finally {
      running.current = false;
      setWorking(null);
    }
  }

  const accept = (quote: OwnQuote, acceptance: Acceptance) =>
    run("accept", FAILED_TO_ACCEPT, async () => {
      const client = await getBackend();
      let orderId = "";
      await sendOrder(async () => {
        orderId = await acceptQuote(client, quote, acceptance);
      });
      showToast("success", "Order placed successfully!");
      await navigate(`/order-confirmation/${orderId}`);
    });

  const decline = (quote: OwnQuote) =>
    run("decline", FAILED_TO_DECLINE, async () => {
      await declineQuote(await getBackend(), quote.id);
      set({ ...quote, status: "declined" });
      showToast("success", quote.sent_at ? "Quote declined" : "Request cancelled");
    });

  return { status, quote: result, retry, accept, decline, working, problem };
}
