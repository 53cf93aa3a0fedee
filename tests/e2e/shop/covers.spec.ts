import type { Page } from "@playwright/test";
import { addBook } from "#tests/support/factories.ts";
import { holdBack } from "#tests/support/intercept.ts";
import { expect, findOnShelf, test } from "#tests/support/test.ts";

const hosted = "https://covers.example/cover.jpg";
/** One grey pixel. */
const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==",
  "base64",
);

const cardOf = (page: Page, title: string) =>
  page.getByRole("article").filter({ has: page.getByRole("heading", { name: title }) });

/** A drawn cover writes the subject a second time, beside the card's own line. */
const subject = "Mathematics";

test.describe("a book's cover on the shelf", () => {
  test("is the uploaded image", async ({ page, admin }) => {
    await page.route(hosted, (route) => route.fulfill({ contentType: "image/png", body: pixel }));
    const book = await addBook(admin.client, { image_url: hosted, subject });
    await findOnShelf(page, book.title);
    const image = cardOf(page, book.title).getByRole("presentation");
    await expect(image).toHaveAttribute("src", hosted);
    await expect(image).toHaveJSProperty("naturalWidth", 1);
  });

  test("is drawn from the book's data when it has none", async ({ page, admin }) => {
    const book = await addBook(admin.client, { subject });
    await findOnShelf(page, book.title);
    await expect(cardOf(page, book.title).getByRole("presentation")).toHaveCount(0);
    await expect(cardOf(page, book.title).getByText(subject, { exact: true })).toHaveCount(2);
  });

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
    for (const address of ['https://x" y', "https://x y/a.jpg", "https://exa%20mple/a"]) {
      const book = await addBook(admin.client, { image_url: address, subject });
      await findOnShelf(page, book.title);
      await expect(cardOf(page, book.title).getByRole("presentation")).toHaveCount(0);
      await expect(cardOf(page, book.title).getByText(subject, { exact: true })).toHaveCount(2);
    }
  });

  test("is never loaded without encryption", async ({ page, admin }) => {
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    const book = await addBook(admin.client, { image_url: "http://covers.example/cover.jpg", subject });
    await findOnShelf(page, book.title);
    await expect(cardOf(page, book.title).getByText(subject, { exact: true })).toHaveCount(2);
    expect(asked.filter((url) => url.includes("covers.example"))).toEqual([]);
  });

  test("is a built-in one if the title's series has one, cached by browsers for ever", async ({
    page,
    admin,
  }) => {
    const book = await addBook(admin.client, {
      title: `Big Cat: The River Crossing ${process.pid}-${Date.now()}`,
    });
    await findOnShelf(page, book.title);
    const image = cardOf(page, book.title).getByRole("presentation");
    await expect(image).toHaveAttribute(
      "src",
      /\/pictures\/covers\/big-cat-the-river-crossing-.+-300\.avif$/,
    );
    await expect(image).not.toHaveJSProperty("naturalWidth", 0);
    const file = await page.request.get((await image.getAttribute("src")) ?? "");
    expect(file.headers()["cache-control"]).toContain("immutable");
  });
});
