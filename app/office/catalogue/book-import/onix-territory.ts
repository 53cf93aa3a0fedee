import type { XmlElement } from "#app/lib/tables/read-xml-records.ts";
import { elementOf, elementsOf, textOf, textsOf } from "./onix-elements.ts";

/*
 * What a message says of Ghana: whether a price or a publisher's rights are for it, by the countries and regions (list 49) that an element names,
 * or leaves out of the world.
 */

const HOME = "GH";

/** How an element means Ghana: by its name, as part of the world, as what is left of the world, or not at all. */
export const REACH = { named: 0, world: 1, rest: 2, elsewhere: 3 } as const;
export type Reach = (typeof REACH)[keyof typeof REACH];

/** Null if the element names no territory, or one whose countries aren't known. */
export function reachOf(element: XmlElement): Reach | null {
  const territory = elementOf(element, "territory");
  const codes = (...names: string[]) =>
    names
      .flatMap((name) => [...textsOf(territory, name), ...textsOf(element, name)])
      .flatMap((text) => text.split(" "))
      .filter(Boolean);
  const countries = codes("countriesincluded", "countrycode", "rightscountry");
  // In 2.1 the territory is a text of its own.
  const regions = [
    ...codes("regionsincluded", "rightsterritory", "rightsregion"),
    ...textsOf(element, "territory").flatMap((text) => text.split(" ")),
  ];
  if (countries.includes(HOME)) return REACH.named;
  if (codes("countriesexcluded", "countryexcluded").includes(HOME)) return REACH.elsewhere;
  if (regions.includes("WORLD") || regions.includes("000")) return REACH.world;
  if (regions.includes("ROW") || regions.includes("001")) return REACH.rest;
  // List 47 of 2.1, such as the open market.
  if (regions.some((region) => /^\d/.test(region))) return null;
  return countries.length > 0 || territory ? REACH.elsewhere : null;
}

/** List 46; the two last are for sale with a restriction, such as to one retailer. */
const FOR_SALE = /^0[1278]$/;
const NOT_FOR_SALE = /^0[3-6]$/;

/**
 * False only where a message says so: by rights that exclude Ghana, or by rights to sell elsewhere without a word on Ghana or the rest of the
 * world. The closest statement counts, and of two that contradict each other the one to sell.
 * @param publishing what has the rights: in 2.1 the product itself
 */
export function isSoldInGhana(publishing: XmlElement): boolean {
  const rest = textOf(publishing, "rowsalesrightstype");
  const rights: { type: string; reach: Reach | null }[] = [
    ...elementsOf(publishing, "salesrights").map((one) => ({
      type: textOf(one, "salesrightstype"),
      reach: reachOf(one),
    })),
    ...elementsOf(publishing, "notforsale").map((one) => ({ type: "03", reach: reachOf(one) })),
    ...(rest === "" ? [] : [{ type: rest, reach: REACH.rest }]),
  ];
  for (const closest of [REACH.named, REACH.world, REACH.rest]) {
    const types = rights.flatMap(({ type, reach }) => (reach === closest ? [type] : []));
    if (types.length > 0) return !types.every((type) => NOT_FOR_SALE.test(type));
  }
  const forSale = rights.filter(({ type }) => FOR_SALE.test(type));
  return forSale.length === 0 || forSale.some(({ reach }) => reach === null);
}
