import type { Json } from "#shared/calls/database.types.ts";
import type { Shop } from "#shared/owner/settings.ts";
import type { Block } from "./law-text.ts";
import { lawBlocks, type Site } from "./law-values.ts";

/** The two texts of the terms, and what the names in them stood for; null in a database that has not kept it yet. */
export type TermsVersion = {
  version: number;
  published_at: string;
  terms: string;
  delivery_and_returns: string;
  settings: Json;
};

/** A page of a version of the terms, with the words that it showed while it applied. Only the site's address is today's. */
export function versionBlocks(
  page: "terms" | "delivery_and_returns",
  version: TermsVersion,
  shop: Shop,
  site: Site,
): Block[] {
  const { paysOnline = site.paysOnline, ...kept } = (version.settings ?? {}) as Partial<
    Shop & Pick<Site, "paysOnline">
  >;
  return lawBlocks(version[page], { ...shop, ...kept }, { siteUrl: site.siteUrl, paysOnline });
}
