import type { Page } from "@playwright/test";
import { expect, expectAccessible, test } from "#tests/support/test.ts";

const cards = (page: Page) => page.getByRole("list", { name: "Books", exact: true }).getByRole("article");
const advanced = (page: Page) => page.getByRole("form", { name: "Advanced Filters" });
const found = async (page: Page) =>
  Number((await page.getByText(/^\d+ Book\(s\) Found$/).textContent())?.replace(/\D/g, ""));
const prices = async (page: Page) =>
  (await cards(page).getByText(/^GH₵/).allInnerTexts()).map((text) => Number(text.replace(/[^\d.]/g, "")));

test.describe("the shop's further filters", () => {
  test("come after the specified ones, and each choice shows as many books as it says", async ({ page }) => {
    await page.goto("/shop?publisher=Collins&subject=Mathematics");
    await expect(advanced(page).getByRole("combobox")).toHaveCount(6);
    for (const [label, parameter] of [
      ["Grade level", "grade"],
      ["Price", "price"],
      ["Stock", "stock"],
    ] as const) {
      const select = advanced(page).getByLabel(label);
      const [, choice = ""] = await select.getByRole("option").allInnerTexts();
      const [, books] = /\((\d+)\)$/.exec(choice) ?? [];
      await select.selectOption({ label: choice });
      await expect(page).toHaveURL(new RegExp(`[?&]${parameter}=`));
      await expect(page.getByText(`${books} Book(s) Found`, { exact: true })).toBeVisible();
    }
    await expect(page.getByText("Active", { exact: true })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("link", { name: "Clear All" }).click();
    await expect(page).toHaveURL("/shop");
  });

  test("are in the URL, and stay with the next search and sort order", async ({ page }) => {
    await page.goto("/shop?grade=KS2&price=50-100&stock=in");
    await expect(advanced(page).getByLabel("Grade level")).toHaveValue("KS2");
    await expect(advanced(page).getByLabel("Price")).toHaveValue("50-100");
    expect(await found(page)).toBeGreaterThan(2);
    for (const card of await cards(page).all()) await expect(card).toContainText("KS2");
    for (const price of await prices(page)) {
      expect(price).toBeGreaterThanOrEqual(50);
      expect(price).toBeLessThan(100);
    }
    await expect(cards(page).filter({ hasText: "Out of stock" })).toHaveCount(0);
    await page.getByRole("combobox", { name: "Sort by" }).selectOption("price-desc");
    await expect(page).toHaveURL("/shop?grade=KS2&price=50-100&stock=in&sort=price-desc");
    const search = page.getByRole("searchbox", { name: "Search the catalogue" });
    await search.fill("KS2");
    await search.press("Enter");
    await expect(page).toHaveURL("/shop?q=KS2&grade=KS2&price=50-100&stock=in&sort=price-desc");
  });

  test("work by keyboard on a phone, without JavaScript", async ({ browser, baseURL }) => {
    const context = await browser.newContext({
      javaScriptEnabled: false,
      baseURL,
      viewport: { width: 360, height: 740 },
    });
    const page = await context.newPage();
    await page.goto("/shop?q=maths");
    await page.getByText("Advanced Filters").focus();
    await page.keyboard.press("Enter");
    await advanced(page).getByLabel("Grade level").selectOption("KS2");
    await advanced(page).getByLabel("Stock").selectOption("in");
    await advanced(page).getByRole("button", { name: "Apply Filters" }).press("Enter");
    await expect(page).toHaveURL(/q=maths.*grade=KS2/);
    const books = await found(page);
    expect(books).toBeGreaterThan(0);
    await page.getByRole("combobox", { name: "Sort by" }).selectOption("price");
    await page.getByRole("searchbox", { name: "Search the catalogue" }).press("Enter");
    await expect(page).toHaveURL(/sort=price/);
    expect(await found(page)).toBe(books);
    const sorted = await prices(page);
    expect(sorted).toEqual([...sorted].sort((a, b) => a - b));
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
    await context.close();
  });
});
