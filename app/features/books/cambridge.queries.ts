import type { BackendClient } from "#app/lib/backend-client.ts";
import { CARD_COLUMNS, type CardBook } from "./book.ts";
import { readFailureFrom } from "./read-failure.ts";

/** In the order of the page. */
export const CAMBRIDGE_SECTIONS = ["Primary", "Secondary/IGCSE", "A Level"] as const;

export type CambridgeSection = { section: (typeof CAMBRIDGE_SECTIONS)[number]; books: CardBook[] };

/**
 * Cambridge's books in their sections, at most 8 each; a section without books is left out.
 * @throws ReadFailure
 */
export async function listCambridgeSections(client: BackendClient): Promise<CambridgeSection[]> {
  const { data, error, status } = await client
    .rpc("list_cambridge_sections")
    .select(`section,position,${CARD_COLUMNS}`);
  if (error) throw readFailureFrom(error, status);
  return CAMBRIDGE_SECTIONS.map((section) => ({
    section,
    books: data.filter((row) => row.section === section).sort((a, b) => a.position - b.position),
  })).filter(({ books }) => books.length > 0);
}
