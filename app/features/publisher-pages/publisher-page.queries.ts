import { bookCoverUrl } from "#app/features/book-covers/cover-url.ts";
import { CARD_COLUMNS, type CardBook } from "#app/features/books/book-fields.ts";
import { listCatalogueBooks } from "#app/features/catalogue/catalogue.queries.ts";
import { readCatalogueQuery } from "#app/features/catalogue/catalogue-query.ts";
import {
  findPublisher,
  listTitledBooks,
  type PublisherRecord,
} from "#app/features/publishers/publisher.queries.ts";
import type { BackendClient } from "#app/lib/backend/client.ts";
import { unwrap } from "#app/lib/backend/response.ts";
import { inPesewas } from "#shared/text/money.ts";
import { type Showcase, showcaseOf } from "./showcase.ts";

/** In the order of the page. */
export const SECTIONS = ["Primary", "Secondary/IGCSE", "A Level"] as const;

export type PublisherSection = { section: (typeof SECTIONS)[number]; books: CardBook[] };

/** What a publisher's page shows: its listed titles, its books in sections, or its first books. */
export type PublisherPage = {
  publisher: Pick<
    PublisherRecord,
    "name" | "slug" | "description" | "known_for" | "note" | "has_order_links"
  > & {
    /** The address to load its logo from. */
    logo: string | null;
  };
} & ({ titles: Showcase } | { sections: PublisherSection[] } | { books: CardBook[] });

/**
 * The page of a publisher, or null if there is none. `backendUrl` is the address of today's backend ("" for this origin).
 * @throws BackendFailure
 */
export async function readPublisherPage(
  client: BackendClient,
  slug: string,
  backendUrl: string,
): Promise<PublisherPage | null> {
  const found = await findPublisher(client, slug);
  if (!found) return null;
  const { name, slug: path, description, known_for, note, has_order_links } = found;
  const logo = bookCoverUrl(found.logo_url, backendUrl);
  const publisher = { name, slug: path, description, known_for, note, has_order_links, logo };
  if (found.page === "showcase")
    return { publisher, titles: showcaseOf(name, found.titles, await listTitledBooks(client, found.id)) };
  const sections = await listSections(client, name);
  if (sections.length > 0) return { publisher, sections };
  const query = readCatalogueQuery(new URLSearchParams({ publisher: name }));
  return { publisher, books: await listCatalogueBooks(client, query) };
}

/**
 * A publisher's books in the page's sections, at most 8 each; a section without books is left out.
 * @throws BackendFailure
 */
export async function listSections(client: BackendClient, publisher: string): Promise<PublisherSection[]> {
  const sections = SECTIONS.map(async (section) => {
    const response = await client
      .rpc("list_publisher_books", { _publisher: publisher, _section: section })
      .select(CARD_COLUMNS);
    return { section, books: unwrap(response).map((book) => inPesewas(book, "price")) };
  });
  return (await Promise.all(sections)).filter(({ books }) => books.length > 0);
}
