import type { MetaDescriptor } from "react-router";
import { currentShop } from "#app/lib/pages/current-shop.ts";
import { isPrivatePage } from "#shared/shop/private-pages.ts";

type Page = {
  /** Without the shop's name, which is appended; the home page has none. */
  title?: string;
  /** One or two sentences for search engines and link previews. */
  description: string;
  /** The canonical path, with its query. */
  path: string;
  /** False keeps the page out of search engines. Private pages always are. */
  index?: boolean;
  /** A picture of its own for link previews, as an absolute URL. */
  imageUrl?: string | null;
};

type Matches = readonly ({ id: string; loaderData?: unknown } | undefined)[];

/** A page's metadata: title, description, canonical URL, link preview. */
export function pageHead(
  matches: Matches,
  { title, description, path, index = true, imageUrl }: Page,
): MetaDescriptor[] {
  const shop = currentShop();
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
    ...(imageUrl
      ? { "og:image": imageUrl, "og:image:alt": title ?? shop.name }
      : {
          "og:image": `${siteUrl}/link-preview.png`,
          "og:image:width": "1200",
          "og:image:height": "630",
          "og:image:alt": `${shop.name}: ${shop.tagline}`,
        }),
  };
  return [
    { title: fullTitle },
    { name: "description", content: description },
    ...(index && !isPrivatePage(path)
      ? [{ tagName: "link", rel: "canonical", href: siteUrl + path }]
      : [{ name: "robots", content: "noindex" }]),
    ...Object.entries(preview).map(([property, content]) => ({ property, content })),
    { name: "twitter:card", content: "summary_large_image" },
  ];
}

/** For a private page that no one links to. */
export function privateHead(title: string): MetaDescriptor[] {
  return [{ title: `${title} | ${currentShop().name}` }, { name: "robots", content: "noindex" }];
}

/** For a page that does not exist or cannot be shown now. */
export function notFoundHead(title = "Page not found"): MetaDescriptor[] {
  return privateHead(title);
}
