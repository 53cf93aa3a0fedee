import type { Pesewas } from "#shared/text/money.ts";
import type { LineMatch, PayableOrder, PaymentOfLine, StatementMethod } from "./statement.admin-queries.ts";
import type { StatementLine } from "./statement-lines.ts";

/** What staff have chosen for a line; anything absent stays as proposed. */
export type LineChoice = { order?: PayableOrder | null; ticked?: boolean };

/** A line with the order that it will be recorded for. */
export type CheckedLine = {
  line: StatementLine;
  match: LineMatch;
  order: PayableOrder | null;
  ticked: boolean;
  /** Why it can't be ticked, in a sentence. */
  obstacle: string | null;
};

/** A match by amount alone isn't ticked: staff must check it. */
const isSure = ({ outcome, reason }: LineMatch) => outcome === "proposed" && reason !== "amount";

type CheckedSoFar = {
  choices: ReadonlyMap<number, LineChoice>;
  method: StatementMethod;
  /** The order number of each line recorded here: without a transaction ID the database can't recognise the line. */
  recorded: ReadonlyMap<number, number>;
};

/** Combines what is proposed for each line with what staff have chosen. */
export function checkLines(
  lines: readonly StatementLine[],
  matches: readonly LineMatch[],
  { choices, method, recorded }: CheckedSoFar,
): CheckedLine[] {
  return lines.flatMap((line, index) => {
    const found = matches[index];
    if (!found) return [];
    const number = recorded.get(line.line);
    const match: LineMatch =
      number === undefined ? found : { ...found, outcome: "recorded", aboutOrder: number };
    const choice = choices.get(line.line) ?? {};
    const proposed = match.outcome === "proposed" ? (match.orders[0] ?? null) : null;
    const isDone = match.outcome === "recorded" || match.outcome === "repeated";
    const order = isDone ? null : choice.order === undefined ? proposed : choice.order;
    const obstacle =
      method === "mobile_money" && line.reference === "" && !isDone
        ? "Mobile money needs a transaction ID, and this line has none."
        : null;
    const isTicked = choice.ticked ?? (choice.order ? true : isSure(match));
    return [{ line, match, order, obstacle, ticked: isTicked && order !== null && obstacle === null }];
  });
}

/** The ticked lines as payments; staff have confirmed that the orders in `confirmed` are overpaid. */
export function paymentsOf(
  checked: readonly CheckedLine[],
  confirmed: readonly PayableOrder[],
): PaymentOfLine[] {
  return checked.flatMap(({ line, order, ticked }) => {
    if (!ticked || !order) return [];
    const moreThanDue = confirmed.some(({ id }) => id === order.id);
    return [{ ...line, orderId: order.id, moreThanDue }];
  });
}

/** Orders for which the ticked lines add up to more than is due, and by how much. */
export function overpaidOrders(checked: readonly CheckedLine[]): { order: PayableOrder; excess: Pesewas }[] {
  const sums = new Map<string, { order: PayableOrder; sum: number }>();
  for (const { line, order, ticked } of checked) {
    if (ticked && order) sums.set(order.id, { order, sum: (sums.get(order.id)?.sum ?? 0) + line.amount });
  }
  return [...sums.values()].flatMap(({ order, sum }) =>
    sum > order.due ? [{ order, excess: (sum - order.due) as Pesewas }] : [],
  );
}
