import type { BackendClient } from "#app/lib/backend/client.ts";
import { unwrap } from "#app/lib/backend/response.ts";
import type { SitemapPart } from "./sitemap.ts";

/** Books in one part: with the shop's own pages, far below the protocol's 50,000 URLs and 50 MB. */
const PART_BOOKS = 20_000;
const PAGE_SIZE = 1_000;

/**
 * The parts of the sitemap, by id of the books for sale; at least one.
 * @throws BackendFailure
 */
export async function listSitemapParts(
  client: BackendClient,
  partBooks = PART_BOOKS,
): Promise<SitemapPart[]> {
  const parts: SitemapPart[] = [];
  for (let from: string | null = null; ; ) {
    const ids = client.from("books").select("id").order("id").range(partBooks, partBooks);
    const [next]: { id: string }[] = unwrap(await (from ? ids.gte("id", from) : ids));
    parts.push({ from, before: next?.id ?? null });
    if (!next) return parts;
    from = next.id;
  }
}

/**
 * Ids and titles of the books in a part, by id, without those that are not for sale.
 * @throws BackendFailure
 */
export async function listSitemapBooks(
  client: BackendClient,
  { from, before }: SitemapPart,
): Promise<{ id: string; title: string }[]> {
  const books: { id: string; title: string }[] = [];
  for (;;) {
    let query = client.from("books").select("id,title").gt("for_sale", -2).order("id").limit(PAGE_SIZE);
    const last = books.at(-1);
    if (last) query = query.gt("id", last.id);
    else if (from) query = query.gte("id", from);
    if (before) query = query.lt("id", before);
    const page = unwrap(await query);
    books.push(...page);
    if (page.length < PAGE_SIZE) return books;
  }
}
