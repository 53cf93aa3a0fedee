import type { CardBook } from "#app/features/books/book-fields.ts";
import { unavailableWords } from "#app/features/books/left-words.ts";
import { type Pesewas, sumPesewas, timesQuantity } from "#shared/text/money.ts";

export type CartBook = Pick<
  CardBook,
  | "id"
  | "title"
  | "publisher"
  | "price"
  | "stock_quantity"
  | "image_url"
  | "subject"
  | "course"
  | "kind"
  | "digital_by"
>;

export type CartLine = { id: string; quantity: number; book: CartBook };

/** Copies per title; the database refuses more. */
export const MAX_QUANTITY = 999;

export const TOO_MANY = `You can order up to ${MAX_QUANTITY} copies of a title.`;

/** For the badge and '{n} items': copies, not titles. */
export function countItems(lines: readonly CartLine[]): number {
  return lines.reduce((sum, { quantity }) => sum + quantity, 0);
}

export function lineTotal({ book, quantity }: CartLine): Pesewas {
  return timesQuantity(book.price, quantity);
}

/** What the books cost together. */
export function cartTotal(lines: readonly CartLine[]): Pesewas {
  return sumPesewas(lines.map(lineTotal));
}

/** Whether everything is digital, so that nothing has to be delivered. */
export const isDownloaded = (lines: readonly { book: { kind: string } }[]): boolean =>
  lines.length > 0 && lines.every(({ book }) => book.kind === "digital");

/** Copies left when the line has more, otherwise null. Adding more is allowed; placing the order decides. */
export function copiesShort({ book, quantity }: CartLine): number | null {
  return quantity > book.stock_quantity ? book.stock_quantity : null;
}

/** Says how many copies are left of a title that is short. */
export function shortageNote(left: number): string {
  return left > 0 ? `Only ${left} left` : unavailableWords(left);
}

/** A whole number from 0 to the limit; 0 removes the line. */
export function clampQuantity(quantity: number): number {
  return Math.min(MAX_QUANTITY, Math.max(0, Math.trunc(quantity)));
}

/**
 * Parses a typed quantity, with or without commas or spaces between thousands; null when it is not a whole number, and
 * the old one stays. A quantity over the limit is not clamped: the customer sees a message about the limit.
 */
export function parseQuantity(text: string): number | null {
  const digits = text.trim().replace(/(?<=\d)[, ](?=\d{3}(\D|$))/g, "");
  return /^-?\d{1,9}$/.test(digits) ? Math.max(0, Number(digits)) : null;
}
