import { pageContext } from "#app/lib/request-context.ts";
import type { Route } from "./+types/robots.ts";

/** Keeps search engines away from personal pages and from every combination of filters. */
const disallowed = [
  "/admin",
  "/auth/",
  "/wishlist",
  "/checkout",
  "/order-confirmation",
  "/quotes",
  "/search",
  "/rest/",
  "/outbox",
];

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
