import { publicPages } from "#app/features/site/navigation.ts";
import { pageContext } from "#app/lib/request-context.ts";
import type { Route } from "./+types/sitemap.ts";

/** Books have no pages of their own, so the map is the pages of the shop. */
export function loader({ context }: Route.LoaderArgs) {
  const { siteUrl } = context.get(pageContext);
  const urls = publicPages.map(({ to }) => `  <url><loc>${siteUrl}${to}</loc></url>`);
  const xml = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join("\n")}
</urlset>
`;
  return new Response(xml, { headers: { "Content-Type": "application/xml; charset=utf-8" } });
}
