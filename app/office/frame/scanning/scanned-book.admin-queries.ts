import { CARD_COLUMNS } from "#app/features/books/book-fields.ts";
import { isbnKey } from "#app/features/books/isbn.ts";
import type { BackendClient } from "#app/lib/backend/client.ts";
import { unwrap } from "#app/lib/backend/response.ts";
import { inPesewas } from "#shared/text/money.ts";

/**
 * The books with these ISBNs or codes of the shop's own, however they are written; `isbn_key` is the code's `isbnKey`.
 * @throws BackendFailure
 */
export async function findScannedBooks(client: BackendClient, codes: readonly string[]) {
  const keys = [...new Set(codes.map(isbnKey))].filter((key) => key !== "");
  const rows = unwrap(
    await client
      .from("books")
      .select(`${CARD_COLUMNS},copies:stock_quantity,isbn,isbn_key,shelf`)
      .in("isbn_key", keys)
      .order("id"),
  );
  return rows.map((book) => inPesewas(book, "price"));
}

export type ScannedBook = Awaited<ReturnType<typeof findScannedBooks>>[number];
