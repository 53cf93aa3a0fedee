import type { Browser } from "@playwright/test";
import { chromium } from "#tests/support/chromium.ts";
import { addBook, fillCart } from "#tests/support/factories.ts";
import { expectMessage } from "#tests/support/messages.ts";
import { expect, test } from "#tests/support/test.ts";
import { fillIn, placeOrder } from "../shop/checkout-steps.ts";
import { expectSignedIn, signInByForm } from "./account-pages.ts";

/** A host name of the shop's own network: no secure origin, unlike the loopback addresses. */
const LAN_NAME = "shop.test";

/** SITE_URL of every test's shop is http://localhost:PORT. */
test.describe("at a URL that is not SITE_URL", () => {
  let browser: Browser;
  test.beforeAll(async ({ playwright }) => {
    const { args = [], ...options } = chromium("chromium-headless-shell");
    const rules = `--host-resolver-rules=MAP ${LAN_NAME} 127.0.0.1`;
    browser = await playwright.chromium.launch({ ...options, args: [...args, rules] });
  });
  test.afterAll(() => browser?.close());

  for (const host of ["127.0.0.1", LAN_NAME])
    test(`customers sign in and order (${host})`, async ({ shop, admin, member }) => {
      const cover = "/storage/v1/object/public/book-covers/not-there.jpg";
      const book = await addBook(admin.client, { image_url: shop.url + cover });
      await fillCart(member.client, book.id);
      const page = await browser.newPage({ baseURL: shop.url.replace("localhost", host) });
      const problems: string[] = [];
      page.on("console", (line) => line.type() === "error" && problems.push(line.text()));
      page.on("pageerror", ({ message }) => problems.push(message));
      await signInByForm(page, member);
      await expectMessage(page, "Welcome back!");
      await expectSignedIn(page, member.email);

      const { origin } = new URL(page.url());
      const coverAsked = page.waitForRequest((request) =>
        request.url().startsWith(`${origin}/covers/not-there.jpg/`),
      );
      await page.goto(`/shop?q=${encodeURIComponent(book.title)}`);
      await coverAsked;
      await page.goto("/checkout");
      await fillIn(page);
      await placeOrder(page).click();
      await expectMessage(page, "Order placed successfully!");
      await page.close();
      expect(problems.filter((line) => !line.startsWith("Failed to load resource"))).toEqual([]);
    });
});
