/** The six publishers that the shop stocks: their names and their pages. */

export interface Publisher {
  /** As in books.publisher and in links. */
  name: string;
  /** In the publisher page's path, /products/{slug}. */
  slug: string;
  /** Whether the shop's publisher filter offers the name; links to the filter work for every publisher. */
  offeredInShop: boolean;
}

export const publishers = [
  {
    name: "Cambridge University Press",
    slug: "cambridge",
    offeredInShop: false,
  },
  {
    name: "Collins",
    slug: "collins",
    offeredInShop: true,
  },
  {
    name: "CGP",
    slug: "cgp",
    offeredInShop: true,
  },
  {
    name: "Hachette Learning",
    slug: "hachette",
    offeredInShop: false,
  },
  {
    name: "Schofield & Sims",
    slug: "schofield",
    offeredInShop: true,
  },
  {
    name: "Skoldo",
    slug: "skoldo",
    offeredInShop: true,
  },
] as const satisfies readonly Publisher[];

export type PublisherName = (typeof publishers)[number]["name"];
export type PublisherSlug = (typeof publishers)[number]["slug"];

export function findPublisherBySlug(slug: string): (typeof publishers)[number] | null {
  return publishers.find((publisher) => publisher.slug === slug) ?? null;
}

export function publisherPagePath(slug: PublisherSlug): `/products/${PublisherSlug}` {
  return `/products/${slug}`;
}

/** The shop filtered by publisher; works for any name, fixed or not. */
export function publisherShopPath(name: string): string {
  return `/shop?publisher=${encodeURIComponent(name)}`;
}

/** Choices of the back office's publisher lists: the fixed six and all those in the catalogue. */
export function allPublisherNames(catalogueNames: Iterable<string>): string[] {
  const names = new Set<string>([...publishers.map((one) => one.name), ...catalogueNames]);
  return [...names].sort((a, b) => a.localeCompare(b, "en-GB"));
}
