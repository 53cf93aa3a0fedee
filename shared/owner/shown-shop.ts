import type { Shop } from "./settings.ts";

/** The shop as a page shows it, and what the page carries of it as JSON. */
export type ShownShop = { shop: Shop; json: string };

/** Often empty, and left out of a page then: each page carries the shop's values. */
export const oftenEmpty = {
  mobileMoneyNetwork: "",
  mobileMoneyNumber: "",
  mobileMoneyName: "",
} as const satisfies Partial<Shop>;
