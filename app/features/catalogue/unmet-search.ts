import type { PageContext } from "#app/lib/pages/request-context.ts";
import { type CatalogueQuery, catalogueHref } from "./catalogue-query.ts";

/** Staff see searches that found fewer books than this. */
export const FOUND_LITTLE = 3;

/** Counts a search of the whole catalogue that finds little; with filters, few results say nothing about the text. */
export function noteIfUnmet(query: CatalogueQuery, found: number, note: PageContext["noteUnmet"]): void {
  const isUnfiltered = catalogueHref({ ...query, sort: "" }) === catalogueHref({ q: query.q });
  if (query.q && isUnfiltered && found < FOUND_LITTLE) note(query.q, found);
}
