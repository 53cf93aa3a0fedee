import { bookPath } from "#app/features/books/book-address.ts";
import { listBooksForSitemap } from "#app/features/catalogue/sitemap.queries.ts";
import { publicPages } from "#app/features/site/navigation.ts";
import { isBackendFailure, logFailure } from "#app/lib/failure-message.ts";
import { pageContext } from "#app/lib/request-context.ts";
import type { Route } from "./+types/sitemap.ts";

/** The shop's pages and every book's. */
export async function loader({ context }: Route.LoaderArgs) {
  const { siteUrl, backend, cached } = context.get(pageContext);
  try {
    const books = await cached("sitemap", async () => (await listBooksForSitemap(backend)).map(bookPath));
    const paths = [...publicPages.map(({ to }) => to), ...books];
    const urls = paths.map((path) => `  <url><loc>${siteUrl}${path}</loc></url>`);
    const xml = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join("\n")}
</urlset>
`;
    return new Response(xml, { headers: { "Content-Type": "application/xml; charset=utf-8" } });
  } catch (error) {
    if (!isBackendFailure(error)) throw error;
    logFailure("Failed to read books", error);
    // A list without the books would make search engines drop them.
    return new Response(null, { status: 503, headers: { "Retry-After": "60" } });
  }
}
