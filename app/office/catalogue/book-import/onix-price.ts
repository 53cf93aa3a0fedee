import type { XmlElement } from "#app/lib/tables/read-xml-records.ts";
import { CEDIS } from "#shared/text/currencies.ts";
import { priceTypeWords, qualifierRank, retailRank, UNPRICED } from "./onix-codes.ts";
import { elementOf, elementsOf, textOf } from "./onix-elements.ts";
import { REACH, reachOf } from "./onix-territory.ts";

/*
 * Which of a product's prices is the one that a shop in Ghana goes by. A message has one for each territory, currency, kind of customer and
 * period, with tax and without. What a supplier charges the shop is never taken for what the shop charges.
 */

/** What a message's header says of prices that do not say it themselves. */
export type PriceDefaults = { currency: string; type: string };

export type OnixPrice = {
  /** Of the chosen price; empty if there is none for customers. */
  amount: string;
  currency: string;
  /** What the chosen price is, or why there is none. */
  words: string;
  /** What a supplier charges the shop, where that is all there is. */
  tradePrice: string;
  /** The supply it is from, for its availability. */
  supply: XmlElement | undefined;
  supplies: readonly XmlElement[];
  notSoldSeparately: boolean;
};

/** The days from which and until which a price holds, as '20261130'; empty where it has no such day. */
function periodOf(price: XmlElement): { from: string; until: string } {
  let from = textOf(price, "priceeffectivefrom");
  let until = textOf(price, "priceeffectiveuntil");
  for (const date of elementsOf(price, "pricedate")) {
    const role = textOf(date, "pricedaterole");
    const day = textOf(date, "date").split(/\D+/).join("").slice(0, 8);
    if (role === "14") from = day;
    if (role === "15") until = day;
    if (role === "24") [from = "", until = ""] = textOf(date, "date").split(/\D+/);
  }
  return { from, until };
}

const dayOf = (digits: string) => digits.replace(/^(\d{4})(\d\d)(\d\d)$/, "$1-$2-$3");

type Offer = {
  amount: string;
  currency: string;
  type: string;
  words: string;
  supply: XmlElement;
  rank: readonly number[];
  isRetail: boolean;
};

function readOffer(
  price: XmlElement,
  supply: XmlElement,
  market: XmlElement | undefined,
  defaults: PriceDefaults,
  today: string,
): Offer | null {
  const amount = textOf(price, "priceamount");
  if (amount === "") return null;
  // As written: GBp is not GBP, which the reader of prices knows.
  const currency = textOf(price, "currencycode") || defaults.currency;
  const type = textOf(price, "pricetype", "pricetypecode") || defaults.type;
  const reach = reachOf(price) ?? (market && reachOf(market)) ?? REACH.world;
  const { from, until } = periodOf(price);
  const isNow = (from === "" || from <= today) && (until === "" || until >= today);
  const least = Number(textOf(price, "minimumorderquantity") || 1);
  const retail = retailRank(type);
  const rank = [
    Number(currency.toUpperCase() !== CEDIS),
    reach,
    // A price that applies later is preferred to one that has expired.
    isNow ? 0 : until !== "" && until < today ? 2 : 1,
    qualifierRank(textOf(price, "pricequalifier")),
    Number(least > 1),
    retail ?? 0,
  ];
  const notes = [
    reach === REACH.elsewhere ? "not for Ghana" : "",
    isNow ? "" : from > today ? `from ${dayOf(from)}` : `until ${dayOf(until)}`,
    least > 1 ? `for ${least} copies or more` : "",
  ].filter(Boolean);
  return {
    amount,
    currency,
    type,
    words: [priceTypeWords(type), ...notes].join(", "),
    supply,
    rank,
    isRetail: retail !== null,
  };
}

function isBefore(one: readonly number[], other: readonly number[]): boolean {
  const at = one.findIndex((value, place) => value !== other[place]);
  return at !== -1 && (one[at] ?? 0) < (other[at] ?? 0);
}

/** The first of the best, so that staff aren't asked to choose between equal prices. */
function bestOf(offers: readonly Offer[]): Offer | undefined {
  let best: Offer | undefined;
  for (const offer of offers) if (!best || isBefore(offer.rank, best.rank)) best = offer;
  return best;
}

/** @param today as '20261130' */
export function choosePrice(product: XmlElement, defaults: PriceDefaults, today: string): OnixPrice {
  const offers: Offer[] = [];
  const supplies: XmlElement[] = [];
  const unpriced = new Set<string>();
  // In 2.1 a product has its supplies itself.
  for (const part of [...elementsOf(product, "productsupply"), product]) {
    const market = elementOf(part, "market");
    for (const supply of elementsOf(part, "supplydetail")) {
      supplies.push(supply);
      const code = textOf(supply, "unpriceditemtype");
      if (code) unpriced.add(code);
      for (const price of elementsOf(supply, "price")) {
        const without = textOf(price, "unpriceditemtype");
        if (without) unpriced.add(without);
        const offer = readOffer(price, supply, market, defaults, today);
        if (offer) offers.push(offer);
      }
    }
  }
  const retail = bestOf(offers.filter(({ isRetail }) => isRetail));
  const trade = retail ? undefined : bestOf(offers);
  const [reason = ""] = [...unpriced].map((code) => UNPRICED[code] ?? "Without a price");
  return {
    amount: retail?.amount ?? "",
    currency: retail?.currency ?? "",
    words: retail?.words ?? (trade ? `${trade.words}: not what a shop charges` : reason),
    tradePrice: trade ? `${trade.currency} ${trade.amount}`.trim() : "",
    supply: retail?.supply ?? trade?.supply ?? supplies[0],
    supplies,
    notSoldSeparately: offers.length === 0 && unpriced.has("03"),
  };
}
