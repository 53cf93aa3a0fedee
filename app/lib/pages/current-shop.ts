import { readSetting } from "#app/lib/browser/env.ts";
import type { Shop } from "#shared/owner/settings.ts";
import { oftenEmpty, type ShownShop } from "#shared/owner/shown-shop.ts";

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
