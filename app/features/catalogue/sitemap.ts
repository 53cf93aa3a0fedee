/** A range of book ids: from `from` up to, not including, `before`; null is unbounded. */
export type SitemapPart = { from: string | null; before: string | null };

const schema = "http://www.sitemaps.org/schemas/sitemap/0.9";

/**
 * Which part a sitemap's URL requests.
 * @returns the part's index, from 0; "index" for /sitemap.xml if there are several parts; null if there is no such sitemap
 */
export function readSitemapPart(search: string, parts: number): number | "index" | null {
  if (search === "") return parts === 1 ? 0 : "index";
  const [, part = ""] = /^\?part=([1-9]\d{0,5})$/.exec(search) ?? [];
  return part && parts > 1 && Number(part) <= parts ? Number(part) - 1 : null;
}

/** The sitemap of these pages. */
export function sitemapXml(siteUrl: string, paths: readonly string[]): string {
  return xml(
    "urlset",
    paths.map((path) => `  <url><loc>${siteUrl}${path}</loc></url>`),
  );
}

/** The sitemap index, which lists this many parts. */
export function sitemapIndexXml(siteUrl: string, parts: number): string {
  return xml(
    "sitemapindex",
    Array.from(
      { length: parts },
      (_, n) => `  <sitemap><loc>${siteUrl}/sitemap.xml?part=${n + 1}</loc></sitemap>`,
    ),
  );
}

const xml = (root: string, lines: string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="${schema}">\n${lines.join("\n")}\n</${root}>\n`;
