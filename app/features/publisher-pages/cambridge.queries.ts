import { CARD_COLUMNS, type CardBook } from "#app/features/books/book-fields.ts";
import type { BackendClient } from "#app/lib/backend-client.ts";
import { unwrap } from "#app/lib/backend-response.ts";
import { inPesewas } from "#app/lib/money.ts";

/** In the order of the page. */
export const CAMBRIDGE_SECTIONS = ["Primary", "Secondary/IGCSE", "A Level"] as const;

export type CambridgeSection = { section: (typeof CAMBRIDGE_SECTIONS)[number]; books: CardBook[] };

/**
 * Cambridge's books in their sections, at most 8 each; a section without books is left out.
 * @throws BackendFailure
 */
export async function listCambridgeSections(client: BackendClient): Promise<CambridgeSection[]> {
  const sections = CAMBRIDGE_SECTIONS.map(async (section) => {
    const answer = await client.rpc("list_cambridge_books", { _section: section }).select(CARD_COLUMNS);
    return { section, books: unwrap(answer).map((book) => inPesewas(book, "price")) };
  });
  return (await Promise.all(sections)).filter(({ books }) => books.length > 0);
}
