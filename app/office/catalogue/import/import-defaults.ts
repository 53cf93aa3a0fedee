import { longestText } from "#app/features/books/book-fields.ts";
import type { BookImportDefaults } from "#app/office/catalogue/book-import/book-import.queries.ts";
import { readPrice } from "#shared/text/typed-price.ts";

/** What was typed for new books whose row says nothing. */
export type TypedDefaults = { price: string; stock: string; publisher: string };

export type DefaultsErrors = Partial<Record<keyof TypedDefaults, string>>;

const MAX_STOCK = 10_000_000;
const MAX_PUBLISHER_LENGTH = longestText("publisher");

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
  if (!/^\d*$/.test(stock.trim()) || copies > MAX_STOCK)
    errors.stock = "Stock must be a whole number, 0 or more";
  if ([...publisher].length > MAX_PUBLISHER_LENGTH)
    errors.publisher = `Publisher can have up to ${MAX_PUBLISHER_LENGTH} characters`;
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
