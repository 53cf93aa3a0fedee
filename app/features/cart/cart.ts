import type { CardBook } from "#app/features/books/book.ts";
import { type Pesewas, pesewasFromCedis, sumPesewas, timesQuantity } from "#app/lib/money.ts";

export type CartBook = Pick<
  CardBook,
  "id" | "title" | "publisher" | "price" | "stock_quantity" | "image_url" | "subject" | "course"
>;

/** One title in the cart with the number of copies wanted. */
export type CartLine = { id: string; quantity: number; book: CartBook };

/** Copies of one title; the database refuses more. */
export const MAX_QUANTITY = 999;

/** The figure of the badge and of '{n} items': copies, not titles. */
export function countItems(lines: readonly CartLine[]): number {
  return lines.reduce((sum, { quantity }) => sum + quantity, 0);
}

export function lineTotal({ book, quantity }: CartLine): Pesewas {
  return timesQuantity(pesewasFromCedis(book.price), quantity);
}

/** Subtotal and total alike: shipping is free. */
export function cartTotal(lines: readonly CartLine[]): Pesewas {
  return sumPesewas(lines.map(lineTotal));
}

/** Copies left when the line wants more of them, else null. Wanting more is allowed; placing the order decides. */
export function copiesShort({ book, quantity }: CartLine): number | null {
  return quantity > book.stock_quantity ? book.stock_quantity : null;
}

/** A whole number within what a line may hold; 0 and less mean that the line goes. */
export function clampQuantity(quantity: number): number {
  return Math.min(MAX_QUANTITY, Math.max(0, Math.trunc(quantity)));
}

/** Reads a typed quantity; null when it is no whole number, and the old one stays. */
export function parseQuantity(text: string): number | null {
  const trimmed = text.trim();
  return /^-?\d{1,9}$/.test(trimmed) ? clampQuantity(Number(trimmed)) : null;
}
