import type { MetaDescriptor } from "react-router";
import { shop } from "#app/shop.ts";

type Page = {
  /** Without the shop's name, which is added; the home page has none. */
  title?: string;
  /** One or two sentences for search engines and link previews. */
  description: string;
  /** Path with the query that makes the page what it is; the address that search engines shall keep. */
  path: string;
  /** Pages that only make sense to the person who opened them are kept out of search engines. */
  index?: boolean;
};

type Matches = readonly ({ id: string; loaderData?: unknown } | undefined)[];

/** Everything about a page that stands in its head: title, description, canonical address, link preview. */
export function pageHead(
  matches: Matches,
  { title, description, path, index = true }: Page,
): MetaDescriptor[] {
  const root = matches.find((match) => match?.id === "root")?.loaderData as { siteUrl: string } | undefined;
  const siteUrl = root?.siteUrl ?? "";
  const fullTitle = title ? `${title} | ${shop.name}` : `${shop.name} | ${shop.tagline}`;
  const preview: Record<string, string> = {
    "og:type": "website",
    "og:site_name": shop.name,
    "og:locale": "en_GB",
    "og:title": title ?? shop.name,
    "og:description": description,
    "og:url": siteUrl + path,
    "og:image": `${siteUrl}/link-preview.png`,
    "og:image:width": "1200",
    "og:image:height": "630",
    "og:image:alt": `${shop.name}: ${shop.tagline}`,
  };
  return [
    { title: fullTitle },
    { name: "description", content: description },
    ...(index
      ? [{ tagName: "link", rel: "canonical", href: siteUrl + path }]
      : [{ name: "robots", content: "noindex" }]),
    ...Object.entries(preview).map(([property, content]) => ({ property, content })),
    { name: "twitter:card", content: "summary_large_image" },
  ];
}

/** The head of an address that leads nowhere. */
export function notFoundHead(): MetaDescriptor[] {
  return [{ title: `Page not found | ${shop.name}` }, { name: "robots", content: "noindex" }];
}
