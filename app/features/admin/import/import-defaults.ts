import { longestText } from "#app/features/books/book-fields.ts";
import type { BookImportDefaults } from "#app/features/books/book-import.queries.ts";
import { readPrice } from "#app/lib/typed-price.ts";

/** What was typed for new books whose row says nothing. */
export type TypedDefaults = { price: string; stock: string; publisher: string };

export type DefaultsErrors = Partial<Record<keyof TypedDefaults, string>>;

const MOST_STOCK = 10_000_000;
const LONGEST_PUBLISHER = longestText("publisher");

/** The defaults, or what is wrong with them, field by field. */
export function readDefaults({
  price,
  stock,
  publisher,
}: TypedDefaults):
  | { defaults: BookImportDefaults; errors: null }
  | { defaults: null; errors: DefaultsErrors } {
  const errors: DefaultsErrors = {};
  const amount = readPrice(price);
  if (amount === "ambiguous" || (price.trim() !== "" && amount === null))
    errors.price = "Price must be an amount such as 49.50";
  const copies = Number(stock);
  if (!/^\d*$/.test(stock.trim()) || copies > MOST_STOCK)
    errors.stock = "Stock must be a whole number of at least 0";
  if ([...publisher].length > LONGEST_PUBLISHER)
    errors.publisher = `Publisher must have at most ${LONGEST_PUBLISHER} characters`;
  if (amount === "ambiguous" || Object.keys(errors).length > 0) return { defaults: null, errors };
  return {
    errors: null,
    defaults: {
      price: amount,
      stock: copies,
      publisher: publisher.trim() || null,
    },
  };
}
