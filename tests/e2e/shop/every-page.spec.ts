import type { Page } from "@playwright/test";
import { bookPath } from "#app/features/books/book-address.ts";
import { addBook } from "#tests/support/factories.ts";
import { shopPages } from "#tests/support/shop-pages.ts";
import { expect, expectAccessible, expectAccessibleAtWidths, test } from "#tests/support/test.ts";

/** Sums up how far things moved on the page that is loaded next. */
async function watchShifts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value);
    }).observe({ type: "layout-shift", buffered: true });
  });
  return () =>
    page.evaluate(() =>
      (window as unknown as { shifts: number[] }).shifts.reduce((sum, shift) => sum + shift, 0),
    );
}

/** One component with other texts: the pages of the other publishers stand for them. */
const alike = /^\/products\/(hachette|schofield|skoldo|cgp)$/;

for (const path of shopPages.filter((each) => !alike.test(each))) {
  test(`the page ${path} is accessible, moves nothing while it loads, and fits windows from 320 to 1920 px`, async ({
    page,
  }) => {
    const shifted = await watchShifts(page);
    await page.setViewportSize({ width: 360, height: 800 });
    await page.goto(path);
    await page.evaluate(() => document.fonts.ready);
    expect(await shifted()).toBeLessThanOrEqual(0.02);
    await expectAccessibleAtWidths(page);
    for (const width of [320, 768, 1920]) {
      await page.setViewportSize({ width, height: 800 });
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(overflow, `${width} px`).toBeLessThanOrEqual(0);
    }
  });
}

test("every page is the same for members, with their header", async ({ page, context, member, signIn }) => {
  test.slow();
  await signIn(context, member);
  const shifted = await watchShifts(page);
  for (const path of shopPages) {
    await page.goto(path);
    const header = page.getByRole("banner");
    await expect(header.getByRole("link", { name: /Wishlist/ })).toBeVisible();
    await expect(header.getByRole("button", { name: /Account/ })).toBeVisible();
    await expect(header.getByRole("link", { name: "Sign In" })).toBeHidden();
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    expect(await shifted(), path).toBeLessThanOrEqual(0.02);
  }
  await expectAccessible(page);
});

test("checks the home page, the catalogue and a book's page with axe, on a phone", { tag: "@gate" }, async ({
  page,
  admin,
}) => {
  for (const path of ["/", "/shop", bookPath(await addBook(admin.client))]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expectAccessibleAtWidths(page, [360]);
  }
});
