import { formatDay } from "#shared/text/dates.ts";
import { formatCedis } from "#shared/text/money.ts";
import type { LineMatch } from "./statement.admin-queries.ts";
import type { StatementLine } from "./statement-lines.ts";

const foundBy: Readonly<Record<NonNullable<LineMatch["reason"]>, string>> = {
  named: "The order's number is in the text.",
  number: "The order's number is in the text, and the amount or the payer matches.",
  phone: "The amount due and the phone number match.",
  name: "The amount due and the payer's name match.",
  amount: "The only order with this amount due. Check the payer.",
};

const sharedBy: Readonly<Record<NonNullable<LineMatch["reason"]>, string>> = {
  named: "orders are named in the text",
  number: "orders have a number that is in the text",
  phone: "orders with this phone number have this amount due",
  name: "orders under this name have this amount due",
  amount: "orders have this amount due",
};

/** Why an order is proposed for a line, or why none is, in a sentence. */
export function reasonInWords(
  match: LineMatch,
  { amount, day }: Pick<StatementLine, "amount" | "day">,
): string {
  const { outcome, reason, doubt, aboutLine, aboutOrder, matches, orders } = match;
  const [first] = orders;
  if (outcome === "recorded") return `Already recorded for order ${aboutOrder}.`;
  if (outcome === "repeated") return `Line ${aboutLine} has the same transaction ID.`;
  if (outcome === "unknown" || (outcome === "proposed" && !reason)) return "No order found.";
  if (outcome === "proposed" && reason) return foundBy[reason];
  switch (doubt) {
    case "similar":
      return `${formatCedis(amount)} on ${formatDay(day)} is already recorded${aboutOrder ? ` for order ${aboutOrder}` : ""}. Is this another payment?`;
    case "other_line":
      return `Line ${aboutLine} already pays order ${first?.number}.`;
    case "nothing_due":
      return `Order ${first?.number} is in the text, but nothing is due.`;
    case "more_than_due":
      return `Order ${first?.number} is in the text, but only ${first && formatCedis(first.due)} is due.`;
    case "other_amount":
      return `${first?.number} is in the text, but ${first && formatCedis(first.due)} is due. Is it the order's number?`;
    default:
      return reason ? `${matches} ${sharedBy[reason]}.` : "No order found.";
  }
}
