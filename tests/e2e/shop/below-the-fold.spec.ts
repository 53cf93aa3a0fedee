import type { Locator } from "@playwright/test";
import { expect, test } from "#tests/support/test.ts";

test.use({ viewport: { width: 412, height: 823 } });

/** Whether the browser has laid it out; it leaves out what is far below the window. */
const isLaidOut = (part: Locator) =>
  part.evaluate((element) => element.checkVisibility({ contentVisibilityAuto: true }));

/** The drawing or picture of a book's cover. */
const coverOf = (card: Locator) => card.locator("svg, img").first();

test("covers far below the window are not laid out with the first paint, and nothing moves when they are", async ({
  page,
}) => {
  await page.goto("/shop");
  const cards = page.getByRole("list", { name: "Books" }).getByRole("article");
  const heights = () => cards.evaluateAll((all) => all.map((card) => card.getBoundingClientRect().height));
  const first = await heights();
  expect(first).toHaveLength(24);
  expect(await isLaidOut(coverOf(cards.first()))).toBe(true);
  expect(await isLaidOut(coverOf(cards.last()))).toBe(false);
  await cards.last().scrollIntoViewIfNeeded();
  await expect.poll(() => isLaidOut(coverOf(cards.last()))).toBe(true);
  expect(await heights()).toEqual(first);
});

test("the shelves of the home page are not laid out with the first paint", async ({ page }) => {
  await page.goto("/");
  const shelf = page.getByRole("list", { name: "Primary" });
  expect(await isLaidOut(shelf)).toBe(false);
  await shelf.scrollIntoViewIfNeeded();
  await expect.poll(() => isLaidOut(shelf)).toBe(true);
});

for (const width of [360, 1280])
  test(`Back returns to the same book on the last shelf of the home page, ${width} pixels wide`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 823 });
    await page.goto("/");
    const book = page
      .getByRole("region", { name: "From the shop" })
      .getByRole("list")
      .last()
      .getByRole("article")
      .first()
      .getByRole("link")
      .first();
    await book.scrollIntoViewIfNeeded();
    await expect(page.locator("[data-late]")).toHaveCount(0);
    const top = () => book.evaluate((link) => Math.round(link.getBoundingClientRect().top));
    const before = await top();
    await book.click();
    await expect(page).toHaveURL(/\/books\//);
    await page.goBack();
    await expect.poll(top).toBe(before);
  });
