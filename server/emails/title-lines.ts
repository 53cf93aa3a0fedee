import { countOf } from "#shared/text/count-of.ts";
import { formatCedis, pesewasFromCedis, timesQuantity } from "#shared/text/money.ts";
import { oneLine } from "./typed-text.ts";

/** Longer emails are cut off by some email programs. */
const maxLines = 100;

type TitleLine = { title: string; publisher: string | null; quantity: number; price: number };

/**
 * The titles of an order or a quote, prices in cedis; `more` says how many are left out and is null when none are.
 */
export function titleLines(lines: readonly TitleLine[], what: "order" | "quote") {
  const shown = lines.slice(0, maxLines).map(({ title, publisher, quantity, price }) => ({
    text: `${quantity} × ${oneLine(title)}`,
    note: oneLine(publisher),
    amount: formatCedis(timesQuantity(pesewasFromCedis(price), quantity)),
  }));
  const left = lines.length - shown.length;
  return { shown, more: left > 0 ? `${countOf(left, "more title")} in this ${what}.` : null };
}
