import { bookPath } from "#app/features/books/book-address.ts";
import { listSitemapBooks, listSitemapParts } from "#app/features/catalogue/sitemap.queries.ts";
import { readSitemapPart, sitemapIndexXml, sitemapXml } from "#app/features/catalogue/sitemap.ts";
import { eventPath } from "#app/features/events/event-kinds.ts";
import { listEvents } from "#app/features/events/events.queries.ts";
import { listPublishers } from "#app/features/publishers/publisher.queries.ts";
import { publisherPagePath } from "#app/features/publishers/publisher.ts";
import { allPublishers, publicPages } from "#app/features/site/navigation.ts";
import { isBackendFailure, logFailure } from "#app/lib/backend/failure-message.ts";
import { pageContext } from "#app/lib/pages/request-context.ts";
import type { Route } from "./+types/sitemap.ts";

const headers = { "Content-Type": "application/xml; charset=utf-8" };

/** The shop's pages and every book's; in a large shop an index of parts, the first of which also has the shop's pages. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { siteUrl, backend, cached } = context.get(pageContext);
  try {
    const parts = await cached("sitemap", () => listSitemapParts(backend));
    const asked = readSitemapPart(new URL(request.url).search, parts.length);
    if (asked === "index") return new Response(sitemapIndexXml(siteUrl, parts.length), { headers });
    const part = asked === null ? undefined : parts[asked];
    if (!part) return new Response(null, { status: 404 });
    const books = (await listSitemapBooks(backend, part)).map(bookPath);
    const pages = asked === 0 ? publicPages.map(({ to }) => to) : [];
    const publishers = asked === 0 ? await cached("publishers", () => listPublishers(backend)) : [];
    const events = asked === 0 ? await listEvents(backend) : [];
    if (publishers.length > 0) pages.push(allPublishers.to);
    for (const { slug } of publishers) pages.push(publisherPagePath(slug));
    for (const { slug } of events) pages.push(eventPath(slug));
    return new Response(sitemapXml(siteUrl, [...pages, ...books]), { headers });
  } catch (error) {
    if (!isBackendFailure(error)) throw error;
    logFailure("Failed to read books", error);
    // A list without the books would make search engines drop them.
    return new Response(null, { status: 503, headers: { "Retry-After": "60" } });
  }
}
