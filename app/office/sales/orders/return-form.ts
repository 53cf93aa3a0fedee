import { type Pesewas, sumPesewas, timesQuantity } from "#shared/text/money.ts";
import { readPrice } from "#shared/text/typed-price.ts";
import type { LineToReturn, ReturnedLine } from "./order.admin-queries.ts";

/** Why copies came back (private.return_reasons in the database). */
export const returnReasons: Readonly<Record<string, string>> = {
  not_needed: "Not needed",
  wrong_title: "Wrong title",
  damaged: "Damaged",
  faulty_print: "Faulty print",
  not_collected: "Not collected",
  other: "Other",
};

/** The reason of what cancelling a part-sent order returned to stock. */
export const UNSENT = "unsent";

/** A line of an order, and what staff type about its copies. */
export type TypedReturn = {
  id: string;
  title: string;
  price: Pesewas;
  sold: number;
  /** The copies that can still be returned. */
  most: number;
  copies: string;
  /** Of the copies. */
  unsalable: string;
  /** Null until staff change it: the price of the copies. */
  refund: string | null;
};

const nothing = 0 as Pesewas;

function readCount(field: string, most: number): number | null {
  const typed = field.trim();
  const count = typed === "" ? 0 : Number(typed);
  return /^\d*$/.test(typed) && count <= most ? count : null;
}

/** The copies in a field; 0 if it is empty, null if it says nothing that can be returned. */
export const readCopies = ({ copies, most }: Pick<TypedReturn, "copies" | "most">): number | null =>
  readCount(copies, most);

/** How many of the copies can't be sold again; null if they are not a part of those. */
export const readUnsalable = (line: Pick<TypedReturn, "copies" | "most" | "unsalable">): number | null =>
  readCount(line.unsalable, readCopies(line) ?? line.most);

/** What is refunded by default. */
export const fullRefund = (line: TypedReturn): Pesewas => timesQuantity(line.price, readCopies(line) ?? 0);

/** What is wrong with a line; null if nothing is. */
export function findError(line: TypedReturn): string | null {
  if (readCopies(line) === null) return `Enter a number up to ${line.most}`;
  if (readUnsalable(line) === null) return "More copies can't be sold again than came back";
  const refund = line.refund === null ? fullRefund(line) : readPrice(line.refund.trim() || "0");
  if (refund === null || refund === "ambiguous") return "Enter an amount, such as 45.50";
  return refund > fullRefund(line) ? "The refund can't be more than the price of these copies" : null;
}

/** The lines with copies, once none has an error. */
export function readReturn(lines: readonly TypedReturn[]): LineToReturn[] {
  return lines.flatMap((line) => {
    const copies = readCopies(line) ?? 0;
    const unsalable = readUnsalable(line) ?? 0;
    const typed = line.refund === null ? fullRefund(line) : readPrice(line.refund.trim() || "0");
    const refund = typeof typed === "number" ? typed : nothing;
    // No copy is refunded at more than its price, so what the others can't hold is for those that are written off.
    const ofSalable = Math.min(refund, timesQuantity(line.price, copies - unsalable)) as Pesewas;
    const part = (count: number, resalable: boolean, share: Pesewas) =>
      count === 0
        ? []
        : [{ order_item_id: line.id, copies: count, left: line.most, resalable, refund: share }];
    return [
      ...part(copies - unsalable, true, ofSalable),
      ...part(unsalable, false, (refund - ofSalable) as Pesewas),
    ];
  });
}

/** How many copies, and what is refunded for them. */
export function sumReturn(lines: readonly Pick<ReturnedLine, "copies" | "refund">[]) {
  return {
    copies: lines.reduce((sum, { copies }) => sum + copies, 0),
    refund: sumPesewas(lines.map(({ refund }) => refund)),
  };
}
