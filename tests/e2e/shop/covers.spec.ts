import type { Page } from "@playwright/test";
import { addBook, newTitle } from "#tests/support/factories.ts";
import { holdBack } from "#tests/support/intercept.ts";
import { expect, findOnShelf, test } from "#tests/support/test.ts";

const hosted = "https://covers.example/cover.jpg";
const cardOf = (page: Page, title: string) =>
  page.getByRole("article").filter({ has: page.getByRole("heading", { name: title }) });

/** A drawn cover writes the subject a second time, beside the card's own line. */
const subject = "Mathematics";

test.describe("a book's cover on the shelf", () => {
  test("is drawn when its image fails before hydration", async ({ page, admin }) => {
    await page.route(hosted, (route) => route.abort());
    const book = await addBook(admin.client, { image_url: hosted, subject });
    const release = await holdBack(page, /\/assets\/.*\.js$/);
    const failed = page.waitForEvent("requestfailed", (request) => request.url() === hosted);
    await page.goto(`/shop?q=${encodeURIComponent(book.title)}`, { waitUntil: "commit" });
    await failed;
    release();
    await expect(cardOf(page, book.title).getByRole("presentation")).toHaveCount(0);
    await expect(cardOf(page, book.title).getByText(subject, { exact: true })).toHaveCount(2);
  });

  test("is drawn when its image's URL is valid only in Chromium", async ({ page, admin }) => {
    // The server's and the browser's page must be the same: an unexpected console line fails this test.
    const words = newTitle("Odd");
    const addresses = ['https://x" y', "https://x y/a.jpg", "https://exa%20mple/a"];
    for (const [at, image_url] of addresses.entries())
      await addBook(admin.client, { title: `${words} ${at}`, image_url, subject });
    await findOnShelf(page, words);
    const cards = page.getByRole("article");
    await expect(cards).toHaveCount(addresses.length);
    await expect(cards.getByRole("presentation")).toHaveCount(0);
    await expect(cards.getByText(subject, { exact: true })).toHaveCount(2 * addresses.length);
  });
});
