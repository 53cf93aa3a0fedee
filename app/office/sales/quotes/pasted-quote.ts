import type { CardBook } from "#app/features/books/book-fields.ts";
import { readOrderLines } from "#app/features/bulk-order/order-lines.ts";
import {
  type Matches,
  type OpenLine,
  type PadLine,
  sortPad,
  withReadings,
} from "#app/features/bulk-order/pad.ts";

export type QuotedBook = { book: CardBook; quantity: number };

/** A pasted list as the lines of a bulk order's pad. */
export const readPasted = (text: string): PadLine[] =>
  readOrderLines(text).map((line) => ({ ...line, bookId: null, refusal: null }));

/** The books of a list with their copies, and the lines that name none. What is out of stock can be quoted too. */
export function sortPasted(lines: readonly PadLine[], matches: Matches) {
  const { ready, open } = sortPad(withReadings(lines, matches), matches);
  const copies = new Map(ready.map(({ book, quantity }) => [book.id, { book, quantity }]));
  const left: OpenLine[] = [];
  for (const one of open) {
    const { soldOut, line } = one;
    if (soldOut && line.quantity !== null) {
      const before = copies.get(soldOut.id)?.quantity ?? 0;
      copies.set(soldOut.id, { book: soldOut, quantity: before + line.quantity });
    } else left.push(one);
  }
  return { found: [...copies.values()], left };
}

/** A line as it can be pasted again. */
export const writtenLine = ({ line: { isbn, title, written, typed } }: Pick<OpenLine, "line">): string =>
  typed ?? [isbn || title, written].filter(Boolean).join("\t");

/** A line as people read it: 'Atlas of Ghana, 30'. */
export const namedLine = (one: Pick<OpenLine, "line">): string => writtenLine(one).replace("\t", ", ");

/** The lines of a list that hasn't been added, for naming them. */
export const namedLines = (text: string): string[] => [
  ...new Set(readPasted(text).map((line) => namedLine({ line }))),
];
