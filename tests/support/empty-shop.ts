import { startPreparedShop } from "./prepared-folder.ts";
import { type ShopServer, START_MS } from "./shop-server.ts";
import { test } from "./test.ts";

/**
 * The tests of one file, in a shop without the demo catalogue and with only one admin. Each call starts shops of its own:
 * Playwright gives workers to other files that use the same extension, and these would find what the first has added.
 */
export const inEmptyShop = () =>
  test.extend<object, { shop: ShopServer }>({
    shop: [
      // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from the pattern
      async ({}, use) => {
        const shop = await startPreparedShop("empty");
        await use(shop);
        await shop.stop();
      },
      { scope: "worker", timeout: START_MS + 10_000 },
    ],
  });
