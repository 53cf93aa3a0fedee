import type { CartLine } from "#app/features/cart/cart.ts";
import { BackendFailure } from "#app/lib/backend-failure.ts";
import { formatCedis, pesewasFromCedis } from "#app/lib/money.ts";

export const FAILED_TO_PLACE = "Failed to place order. Please try again.";

/** The database's codes that mean something here. */
const DUPLICATE = "23505";
const DEADLOCK = "40P01";

/** Waits before the second and the third try when no answer came. */
const RETRY_AFTER_MS = [0, 1_500];

/**
 * Sends an order until there is an answer. Sending it again is safe because it carries its own id: an order that is
 * there already counts as placed.
 * @param send places the order once
 * @throws BackendFailure when the order was refused, or no answer came at all
 */
export async function sendOrder(
  send: () => Promise<void>,
  pause: (milliseconds: number) => Promise<void> = wait,
): Promise<void> {
  let deadlocks = 0;
  let silences = 0;
  for (;;) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof BackendFailure)) throw error;
      if (error.code === DUPLICATE) return;
      if (error.code === DEADLOCK && deadlocks === 0) {
        deadlocks += 1;
        continue;
      }
      const delay = isUnanswered(error) ? RETRY_AFTER_MS[silences] : undefined;
      if (delay === undefined) throw error;
      silences += 1;
      await pause(delay);
    }
  }
}

/** Whether it is unknown what became of the call: nothing came back, or a gateway answered in the backend's place. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof BackendFailure && [0, 502, 503, 504].includes(error.status);
}

/** The second line under the failure: which titles are short or cost something else now, or what else to do. */
export function explainRefusal(error: unknown, lines: readonly CartLine[]): string {
  if (isUnanswered(error))
    return "The connection was interrupted. Trying again is safe: your order is placed only once.";
  if (!(error instanceof BackendFailure)) return "Something went wrong on this page.";
  const facts = readLines(error.facts.lines);
  if (error.code === "insufficient_stock" && facts.length > 0)
    return facts
      .map(({ title, left }) => (left === 0 ? `${title}: sold out.` : `${title}: only ${left} left.`))
      .join(" ");
  if (error.code === "total_changed") {
    const changed = facts.filter(({ book_id, price }) => {
      const seen = lines.find(({ book }) => book.id === book_id);
      return seen !== undefined && seen.book.price !== price;
    });
    if (changed.length > 0)
      return changed
        .map(({ title, price }) => `${title} now costs ${formatCedis(pesewasFromCedis(price))}.`)
        .join(" ");
  }
  return error.sentence ?? "Nothing was ordered, and your cart is as it was.";
}

type LineFacts = { book_id: string; title: string; left: number; price: number };

function readLines(value: unknown): LineFacts[] {
  return Array.isArray(value) ? (value as LineFacts[]) : [];
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
