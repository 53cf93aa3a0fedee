import type { Page } from "@playwright/test";
import { addBook, newTitle } from "#tests/support/factories.ts";
import { expectLightPictures } from "#tests/support/first-screen.ts";
import { holdBack } from "#tests/support/intercept.ts";
import { jpegOf } from "#tests/support/jpeg.ts";
import { uploadCovers } from "#tests/support/photo-covers.ts";
import { expect, findOnShelf, test } from "#tests/support/test.ts";

const hosted = "https://covers.example/cover.jpg";
const cardOf = (page: Page, title: string) =>
  page.getByRole("article").filter({ has: page.getByRole("heading", { name: title }) });

/** A drawn cover writes the subject a second time, beside the card's own line. */
const subject = "Mathematics";

test.describe("a book's cover on the shelf", () => {
  test("is drawn when its image fails before hydration", { tag: "@gate" }, async ({ page, admin }) => {
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

  test("is drawn while the shop is too busy to make it, and shown once it is made", async ({
    page,
    admin,
  }) => {
    const [image_url] = await uploadCovers(admin.client, 1);
    const book = await addBook(admin.client, { image_url, subject });
    const requests: string[] = [];
    await page.route("/covers/**", async (route) => {
      requests.push(route.request().method());
      if (requests.length > 2) await route.continue();
      else await route.fulfill({ status: 503, headers: { "Retry-After": "1" } });
    });
    await page.goto(`/shop?q=${encodeURIComponent(book.title)}`);
    const card = cardOf(page, book.title);
    await expect(card.getByText(subject, { exact: true })).toHaveCount(2);
    const image = card.getByRole("presentation");
    await expect.poll(() => image.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBeGreaterThan(0);
    await expect(card.getByText(subject, { exact: true })).toHaveCount(1);
    expect(requests).toEqual(["GET", "HEAD", "HEAD", "GET"]);
  });

  test("is drawn when the uploaded file holds no picture", async ({ page, admin }) => {
    const bucket = admin.client.storage.from("book-covers");
    const path = `book-cover-${Date.now()}7.jpg`;
    const { error } = await bucket.upload(path, new Blob([jpegOf("no picture")], { type: "image/jpeg" }));
    expect(error).toBeNull();
    const image_url = bucket.getPublicUrl(path).data.publicUrl;
    const book = await addBook(admin.client, { image_url, subject });
    await page.goto(`/shop?q=${encodeURIComponent(book.title)}`);
    await expect(cardOf(page, book.title).getByRole("presentation")).toHaveCount(0);
    await expect(cardOf(page, book.title).getByText(subject, { exact: true })).toHaveCount(2);
  });
});

test.describe("uploaded covers on a phone", () => {
  test.use({ viewport: { width: 360, height: 740 }, deviceScaleFactor: 3 });

  test("weigh at most 60 kB on the first screen, and shift nothing", async ({ page, admin }) => {
    const words = newTitle("Photographed");
    const covers = await uploadCovers(admin.client, 24);
    for (const [at, image_url] of covers.entries())
      await addBook(admin.client, { title: `${words} ${at}`, image_url });
    await page.addInitScript(() => {
      Object.assign(window, { shift: 0 });
      new PerformanceObserver((list) => {
        const target = window as unknown as { shift: number };
        for (const entry of list.getEntries()) target.shift += (entry as unknown as { value: number }).value;
      }).observe({ type: "layout-shift", buffered: true });
    });
    await page.goto(`/shop?q=${encodeURIComponent(words)}`);
    const images = page.getByRole("article").getByRole("presentation");
    await expect(images).toHaveCount(covers.length);
    await expectLightPictures(page, 2);
    expect(await page.evaluate(() => (window as unknown as { shift: number }).shift)).toBe(0);
    await images.last().scrollIntoViewIfNeeded();
    await expect
      .poll(() => images.last().evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0);
  });
});
