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
  resalable: boolean;
  /** Null until staff change it: the price of the copies. */
  refund: string | null;
};

const nothing = 0 as Pesewas;

/** The copies in a field; 0 if it is empty, null if it says nothing that can be returned. */
export function readCopies({ copies, most }: Pick<TypedReturn, "copies" | "most">): number | null {
  const typed = copies.trim();
  const count = typed === "" ? 0 : Number(typed);
  return /^\d*$/.test(typed) && count <= most ? count : null;
}

/** What is refunded by default. */
export const fullRefund = (line: TypedReturn): Pesewas => timesQuantity(line.price, readCopies(line) ?? 0);

/** What is wrong with a line; null if nothing is. */
export function findError(line: TypedReturn): string | null {
  if (readCopies(line) === null) return `Enter a number up to ${line.most}`;
  const refund = line.refund === null ? fullRefund(line) : readPrice(line.refund.trim() || "0");
  if (refund === null || refund === "ambiguous") return "Enter an amount, such as 45.50";
  return refund > fullRefund(line) ? "The refund can't be more than the price of these copies" : null;
}

/** The lines with copies, once none has an error. */
export function readReturn(lines: readonly TypedReturn[]): LineToReturn[] {
  return lines.flatMap((line) => {
    const copies = readCopies(line) ?? 0;
    const refund = line.refund === null ? fullRefund(line) : readPrice(line.refund.trim() || "0");
    if (copies === 0) return [];
    return [
      {
        order_item_id: line.id,
        copies,
        left: line.most,
        resalable: line.resalable,
        refund: typeof refund === "number" ? refund : nothing,
      },
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
