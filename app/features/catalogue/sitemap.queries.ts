import type { BackendClient } from "#app/lib/backend-client.ts";
import { unwrap } from "#app/lib/backend-response.ts";

/** The most that a sitemap may list besides the shop's own pages (50,000 URLs in all, says the protocol). */
const MOST_BOOKS = 49_000;
const PAGE_SIZE = 1_000;

/**
 * Ids and titles of the books for sale, by id.
 * @throws BackendFailure
 */
export async function listBooksForSitemap(client: BackendClient): Promise<{ id: string; title: string }[]> {
  const books: { id: string; title: string }[] = [];
  for (;;) {
    const query = client.from("books").select("id,title").order("id").limit(PAGE_SIZE);
    const last = books.at(-1);
    const page = unwrap(await (last ? query.gt("id", last.id) : query));
    books.push(...page);
    if (page.length < PAGE_SIZE || books.length >= MOST_BOOKS) return books.slice(0, MOST_BOOKS);
  }
}
