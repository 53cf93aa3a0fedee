import { printedIsbn } from "#app/features/books/book.ts";
import { formatIsbn } from "#app/features/books/isbn.ts";

/**
 * A book's ISBN as every document of an order shows it: thirteen digits with hyphens, whatever form the book has.
 * Null for the shop's own codes.
 */
export function documentIsbn(book: { isbn: string | null }): string | null {
  const isbn = printedIsbn(book);
  return isbn && formatIsbn(isbn);
}
