/** The six publishers that the shop stocks: their names and their pages. */

export interface Publisher {
  /** Exactly as stored in books.publisher and used in links. */
  name: string;
  /** Last part of the publisher page's address, /products/{slug}. */
  slug: string;
  /** Whether the shop's publisher list offers the name; a filtered link works for every publisher. */
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

/** The publisher whose page has this slug, or null. */
export function findPublisherBySlug(slug: string): (typeof publishers)[number] | null {
  return publishers.find((publisher) => publisher.slug === slug) ?? null;
}

/** Address of the publisher's own page. */
export function publisherPagePath(slug: PublisherSlug): `/products/${PublisherSlug}` {
  return `/products/${slug}`;
}

/** Address of the shop filtered to one publisher; works for any name, fixed or not. */
export function publisherShopPath(name: string): string {
  return `/shop?publisher=${encodeURIComponent(name)}`;
}

/** Choices of the shop's publisher list: the fixed six and those in the catalogue, without the two left out. */
export function shopPublisherChoices(catalogueNames: Iterable<string>): string[] {
  const leftOut = new Set<string>(publishers.filter((one) => !one.offeredInShop).map((one) => one.name));
  return allPublisherNames(catalogueNames).filter((name) => !leftOut.has(name));
}

/** Choices of the back office's publisher lists: the fixed six and those in the catalogue, none left out. */
export function allPublisherNames(catalogueNames: Iterable<string>): string[] {
  const names = new Set<string>([...publishers.map((one) => one.name), ...catalogueNames]);
  return [...names].sort((a, b) => a.localeCompare(b, "en-GB"));
}
