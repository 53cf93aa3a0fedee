import type { BookImportDefaults } from "#app/features/books/book-import.queries.ts";
import { cedisFromPesewas, parseCedis } from "#app/lib/money.ts";

/** What was typed for new books whose row says nothing. */
export type TypedDefaults = { price: string; stock: string; publisher: string };

export type DefaultsErrors = Partial<Record<keyof TypedDefaults, string>>;

const MOST_STOCK = 10_000_000;
const LONGEST_PUBLISHER = 200;

/** The defaults, or what is wrong with them, field by field. */
export function readDefaults({
  price,
  stock,
  publisher,
}: TypedDefaults):
  | { defaults: BookImportDefaults; errors: null }
  | { defaults: null; errors: DefaultsErrors } {
  const errors: DefaultsErrors = {};
  const pesewas = price.trim() === "" ? null : parseCedis(price);
  if (price.trim() !== "" && pesewas === null) errors.price = "Price must be an amount such as 49.50";
  const copies = stock.trim() === "" ? 0 : Number(stock);
  if (!/^\d*$/.test(stock.trim()) || copies > MOST_STOCK)
    errors.stock = "Stock must be a whole number of at least 0";
  if ([...publisher].length > LONGEST_PUBLISHER)
    errors.publisher = "Publisher must have at most 200 characters";
  if (Object.keys(errors).length > 0) return { defaults: null, errors };
  return {
    errors: null,
    defaults: {
      priceCedis: pesewas === null ? null : cedisFromPesewas(pesewas),
      stock: copies,
      publisher: publisher.trim() || null,
    },
  };
}
