import type { Page } from "@playwright/test";
import { expect, expectAccessible, test } from "#tests/support/test.ts";

const tabs = (page: Page) => page.getByRole("navigation", { name: "Results" }).getByRole("link");
const count = async (page: Page, tab: string) => {
  const text = await page
    .getByRole("navigation", { name: "Results" })
    .getByRole("link", { name: new RegExp(`^${tab} `) })
    .textContent();
  return Number(text?.replace(/\D/g, ""));
};

test.describe("the master search", () => {
  test("without a text shows its box and a hint", async ({ page }) => {
    await page.goto("/search");
    await expect(page.getByRole("searchbox", { name: "Search for" })).toBeVisible();
    await expect(page.getByText("Type a title, publisher, course, subject or ISBN.")).toBeVisible();
    await expect(tabs(page)).toHaveCount(0);
  });

  test("sends only a text that is not blank", async ({ page }) => {
    await page.goto("/search");
    const box = page.getByRole("searchbox", { name: "Search for" });
    await box.fill("   ");
    await box.press("Enter");
    await expect(page).toHaveURL("/search");
    await box.fill("biology");
    await box.press("Enter");
    await expect(page).toHaveURL("/search?q=biology");
    await expect(page.getByRole("heading", { level: 1, name: "Results for “biology”" })).toBeVisible();
  });

  test("shows five tabs with counts, and on All the first 8 books and a link to the rest", async ({
    page,
  }) => {
    await page.goto("/search?q=mathematics");
    await expect(tabs(page)).toHaveText([
      /^All \d+$/,
      /^Books \d+$/,
      /^Publishers \d+$/,
      /^Courses \d+$/,
      /^Subjects \d+$/,
    ]);
    const books = await count(page, "Books");
    expect(books).toBeGreaterThan(8);
    expect(await count(page, "All")).toBe(
      books +
        (await count(page, "Publishers")) +
        (await count(page, "Courses")) +
        (await count(page, "Subjects")),
    );
    await expect(page.getByRole("article")).toHaveCount(8);
    await page.getByRole("link", { name: `View All ${books} Books` }).click();
    await expect(page).toHaveURL("/shop?q=mathematics");
    await expect(page.getByText(`${books} Book(s) Found`)).toBeVisible();
  });

  for (const [tab, path] of [
    ["Books", "/search?q=mathematics&tab=books"],
    ["Publishers", "/search?q=mathematics&tab=publishers"],
    ["Courses", "/search?q=mathematics&tab=courses"],
    ["Subjects", "/search?q=mathematics&tab=subjects"],
    ["All", "/search?q=mathematics"],
  ] as const) {
    test(`keeps the tab ${tab} in the URL, and shows only its results`, async ({ page }) => {
      await page.goto(tab === "All" ? "/search?q=mathematics&tab=books" : "/search?q=mathematics");
      const link = tabs(page).filter({ hasText: tab });
      await link.click();
      await expect(page).toHaveURL(path);
      await expect(link).toHaveAttribute("aria-current", "page");
      if (tab !== "All") {
        await expect(page.getByRole("main").getByRole("heading", { level: 2 }).first()).toHaveText(tab);
        const others = ["Books", "Publishers", "Courses", "Subjects"].filter((other) => other !== tab);
        for (const other of others) await expect(page.getByRole("region", { name: other })).toHaveCount(0);
        // The tab All is checked with every other page.
        await expectAccessible(page);
      }
    });
  }

  for (const [tab, parameter] of [
    ["Publishers", "publisher"],
    ["Courses", "course"],
    ["Subjects", "subject"],
  ] as const) {
    test(`leads from ${tab} to the shop with ?${parameter}=, and counts what is there`, async ({ page }) => {
      await page.goto(`/search?q=cambridge&tab=${tab.toLowerCase()}`);
      const cards = page.getByRole("region", { name: tab }).getByRole("link");
      expect(await cards.count()).toBe(await count(page, tab));
      const name = (await cards.first().textContent())?.replace(/\d+ books?$/, "") ?? "";
      await cards.first().click();
      await expect(page).toHaveURL(`/shop?${parameter}=${encodeURIComponent(name)}`);
      await expect(page.getByText(/^[1-9]\d* Book\(s\) Found$/)).toBeVisible();
    });
  }

  test("says so when nothing matches", async ({ page }) => {
    await page.goto("/search?q=zzzzqqq");
    await expect(page.getByText("No results found")).toBeVisible();
    await expect(tabs(page).first()).toHaveText("All 0");
    await expect(page.getByRole("article")).toHaveCount(0);
  });

  for (const text of ["100% %_\\*", '"a, b" (c)', "O'Brien", "📚", "x".repeat(5000)]) {
    test(`takes ${text.slice(0, 12)} as search text`, async ({ page }) => {
      const response = await page.goto(`/search?q=${encodeURIComponent(text)}`);
      expect(response?.status()).toBe(200);
      await expect(page.getByRole("searchbox", { name: "Search for" })).toHaveValue(text.slice(0, 200));
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
    });
  }

  test("works without JavaScript", async ({ browser, baseURL }) => {
    const context = await browser.newContext({ javaScriptEnabled: false, baseURL });
    const page = await context.newPage();
    await page.goto("/search");
    await page.getByRole("searchbox", { name: "Search for" }).fill("chemistry");
    await page.getByRole("button", { name: "Search", exact: true }).last().click();
    await expect(page.getByRole("article").filter({ hasText: "Chemistry" }).first()).toBeVisible();
    await tabs(page).filter({ hasText: "Subjects" }).click();
    await page
      .getByRole("region", { name: "Subjects" })
      .getByRole("link", { name: /^Chemistry/ })
      .click();
    await expect(page).toHaveURL("/shop?subject=Chemistry");
    await context.close();
  });
});
