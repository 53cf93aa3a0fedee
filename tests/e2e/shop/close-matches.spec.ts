import type { Page } from "@playwright/test";
import { expect, expectAccessible, test } from "#tests/support/test.ts";

const matches = (page: Page) => page.getByRole("region", { name: "Close matches" });
const titles = (page: Page) => matches(page).getByRole("article").getByRole("heading").allInnerTexts();

test.describe("a search that finds little", () => {
  test("shows close matches apart from its own result and count, and what was probably meant", async ({
    page,
  }) => {
    await page.goto("/shop?q=cambrige%20primery%20maths");
    await expect(page.getByText("0 Book(s) Found", { exact: true })).toBeVisible();
    await expect(page.getByText("No books found matching your search criteria.")).toBeVisible();
    await expect(page.getByRole("list", { name: "Books", exact: true })).toHaveCount(0);
    for (const title of await titles(page)) expect(title).toMatch(/Primary.*Math/);
    expect(await titles(page)).toContain("Cambridge Primary Mathematics Learner's Book 1");
    await expectAccessible(page);
    await matches(page).getByRole("link", { name: "cambridge primary maths" }).click();
    await expect(page).toHaveURL("/shop?q=cambridge%20primary%20maths");
    await expect(page.getByText("Did you mean")).toHaveCount(0);
    await expect(matches(page).getByRole("article").first()).toBeVisible();
  });

  test("shows its own result when the code for close matches can't be loaded", async ({ page }) => {
    const refused: string[] = [];
    await page.route(/\/near-books-[^/]*\.js$/, (route) => {
      refused.push(route.request().url());
      return route.abort();
    });
    await page.goto("/shop?q=cambrige%20primery%20maths");
    await expect.poll(() => refused.length).toBeGreaterThan(0);
    await expect(page.getByText("0 Book(s) Found", { exact: true })).toBeVisible();
    // Links of what the server rendered work without code.
    await matches(page).getByRole("link", { name: "cambridge primary maths" }).click();
    await expect(page).toHaveURL("/shop?q=cambridge%20primary%20maths");
    await expect(page.getByText("0 Book(s) Found", { exact: true })).toBeVisible();
    await expect(page.getByRole("search").first()).toBeVisible();
  });

  test("works by keyboard on a phone, without JavaScript", async ({ browser, baseURL }) => {
    const context = await browser.newContext({
      javaScriptEnabled: false,
      baseURL,
      viewport: { width: 360, height: 740 },
    });
    const page = await context.newPage();
    await page.goto("/search");
    const box = page.getByRole("searchbox", { name: "Search for" });
    await box.focus();
    await page.keyboard.type("sience class 4");
    await page.keyboard.press("Enter");
    const link = matches(page).getByRole("link", { name: "science class 4" });
    await link.focus();
    await expect(link).toBeInViewport();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL("/search?q=science%20class%204");
    expect(await titles(page)).toContain("Cambridge Primary Science Learner's Book 4");
    await context.close();
  });

  test("fits a narrow phone, however long the text", async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 640 });
    await page.goto(`/shop?q=${encodeURIComponent(`mathematics cambridge ${"w".repeat(150)}`)}`);
    await expect(matches(page)).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  });
});
