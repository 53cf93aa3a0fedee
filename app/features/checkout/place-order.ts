import { unavailableWords } from "#app/features/books/left-words.ts";
import type { CartLine } from "#app/features/cart/cart.ts";
import { customerMessage, isBackendFailure } from "#app/lib/backend/failure-message.ts";
import { retry } from "#app/lib/backend/retry.ts";
import { isUnanswered } from "#app/lib/backend/retry-rule.ts";
import { formatCedis, type Pesewas, pesewasFromCedis } from "#shared/text/money.ts";

export const FAILED_TO_PLACE = "Failed to place order. Please try again.";

/** PostgreSQL's unique_violation and deadlock_detected. */
const DUPLICATE = "23505";
const DEADLOCK = "40P01";

/** Delays before the second and the third attempt without a response. */
const RETRY_AFTER_MS = [0, 1_500];

/**
 * Sends an order until there is a response. Retrying is safe because the client chooses the order's id: an order that
 * exists already counts as placed.
 * @param send places the order once
 * @throws BackendFailure when the order was refused, or there was no response at all
 */
export async function sendOrder(
  send: () => Promise<void>,
  pause?: (milliseconds: number) => Promise<void>,
): Promise<void> {
  let deadlocks = 0;
  let noResponses = 0;
  const delayAfter = (error: unknown) => {
    if (isRefused(error, DEADLOCK) && deadlocks++ === 0) return 0;
    return isUnanswered(error) ? RETRY_AFTER_MS[noResponses++] : undefined;
  };
  try {
    await retry(send, { delayAfter, pause });
  } catch (error) {
    if (!isRefused(error, DUPLICATE)) throw error;
  }
}

const isRefused = (error: unknown, code: string) => isBackendFailure(error) && error.code === code;

/** Sent lines that are missing from the refusal: deleted from the shop, or removed in another tab. */
export function findLostLines(error: unknown, lines: readonly CartLine[]): CartLine[] {
  if (!isBackendFailure(error) || !["total_changed", "cart_empty"].includes(error.code)) return [];
  const left = new Set(readLines(error.facts.lines).map(({ book_id }) => book_id));
  return lines.filter(({ book }) => !left.has(book.id));
}

/**
 * The second line of the error: which titles are short, have a new price or are no longer sold, or what else to do.
 * @param deleted titles that have been deleted from the shop
 * @param fee the delivery fee when the order was sent
 */
export function explainRefusal(
  error: unknown,
  lines: readonly CartLine[],
  deleted: readonly string[] = [],
  fee: Pesewas = pesewasFromCedis(0),
): string {
  if (isUnanswered(error))
    return "The connection was interrupted. It's safe to try again: your order will be placed only once.";
  if (!isBackendFailure(error)) return "Something went wrong on this page.";
  const facts = readLines(error.facts.lines);
  if (error.code === "insufficient_stock" && facts.length > 0)
    return facts
      .map(({ title, left }) =>
        left === 0
          ? `${title}: sold out.`
          : left < 0
            ? `${title}: ${unavailableWords(left).toLowerCase()}.`
            : `${title}: only ${left} left.`,
      )
      .join(" ");
  const reasons = deleted.map((title) => `${title} is no longer sold.`);
  if (error.code === "total_changed") {
    for (const { book_id, title, price } of facts) {
      const seen = lines.find(({ book }) => book.id === book_id);
      if (seen && seen.book.price !== price) reasons.push(`${title} now costs ${formatCedis(price)}.`);
    }
    const newFee = pesewasFromCedis(Number(error.facts.delivery_fee ?? 0));
    if (newFee !== fee) reasons.push(`Delivery ${newFee > 0 ? `costs ${formatCedis(newFee)}` : "is free"}.`);
  }
  if (reasons.length > 0) return reasons.join(" ");
  return customerMessage(error) ?? "Nothing was ordered, and your cart is unchanged.";
}

type LineFacts = { book_id: string; title: string; left: number; price: Pesewas };

function readLines(value: unknown): LineFacts[] {
  const lines = Array.isArray(value) ? (value as (Omit<LineFacts, "price"> & { price?: number })[]) : [];
  return lines.map((line) => ({ ...line, price: pesewasFromCedis(line.price ?? 0) }));
}
