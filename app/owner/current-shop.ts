import { readSetting } from "#app/lib/env.ts";
import type { Shop } from "./settings.ts";

/** The shop as a page shows it, and what the page carries of it as JSON. */
export type ShownShop = { shop: Shop; json: string };

/** Often empty, and left out of a page then: each page carries the shop's values. */
export const oftenEmpty = {
  mobileMoneyNetwork: "",
  mobileMoneyNumber: "",
  mobileMoneyName: "",
} as const satisfies Partial<Shop>;

let onServer: () => ShownShop = () => {
  throw new Error("No page is being rendered");
};
let inBrowser: Shop | undefined;

/**
 * The shop's name, words and figures as the owner has set them, for pages and whatever they call. They stay the same while a
 * document is open. In the browser, those that only the server reads are missing.
 */
export function currentShop(): Shop {
  if (import.meta.env.SSR) return onServer().shop;
  inBrowser ??= { ...oftenEmpty, ...(JSON.parse(shopJson()) as Shop) };
  return inBrowser;
}

/** The same as the page carries it. */
export const shopJson = (): string => (import.meta.env.SSR ? onServer().json : readSetting("shop"));

/** Has the server's entry say what the page that is being rendered shows. */
export function provideShop(shown: () => ShownShop): void {
  onServer = shown;
}
