import { pageContext } from "#app/lib/pages/request-context.ts";
import { privatePaths } from "#shared/shop/private-pages.ts";
import type { Route } from "./+types/robots.ts";

/** Private pages, searches, and URLs for programs. `/auth/` leaves the sign-in page itself. */
const disallowed = [...privatePaths(), "/auth/", "/search", "/rest/", "/payments/", "/outbox"];

export function loader({ context }: Route.LoaderArgs) {
  const { siteUrl } = context.get(pageContext);
  const lines = [
    "User-agent: *",
    ...disallowed.map((path) => `Disallow: ${path}`),
    "",
    `Sitemap: ${siteUrl}/sitemap.xml`,
  ];
  return new Response(`${lines.join("\n")}\n`, { headers: { "Content-Type": "text/plain; charset=utf-8" } });
}
