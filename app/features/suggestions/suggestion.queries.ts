import type { BackendClient } from "#app/lib/backend/client.ts";
import { unwrap } from "#app/lib/backend/response.ts";
import { inPesewas } from "#shared/text/money.ts";

/**
 * At most 5 books for the text being typed, best first: by the start of a title, words in any order, or an ISBN's
 * first digits; where there are none, what the search shows first.
 * @throws BackendFailure
 */
export async function suggestBooks(client: BackendClient, typed: string) {
  const books = unwrap(await client.rpc("suggest_books", { _q: typed }));
  return books.map((book) => inPesewas(book, "price"));
}
