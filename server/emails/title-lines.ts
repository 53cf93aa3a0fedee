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
  return { shown, more: moreThan(shown.length, lines.length, `in this ${what}`) };
}

const moreThan = (shown: number, all: number, where: string) =>
  all > shown ? `${countOf(all - shown, "more title")} ${where}.` : null;

/** The titles of a part of an order, with their copies; `more` as in titleLines. */
export function copyLines(lines: readonly { title: string; copies: number }[]) {
  const shown = lines.slice(0, maxLines).map(({ title, copies }) => ({
    text: oneLine(title),
    note: "",
    amount: countOf(copies, "copy", "copies"),
  }));
  return { shown, more: moreThan(shown.length, lines.length, "on your order's page") };
}
