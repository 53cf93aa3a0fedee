import type { Page } from "@playwright/test";
import { expect, test } from "#tests/support/test.ts";

const tabs = (page: Page) => page.getByRole("navigation", { name: "Results" }).getByRole("link");

test.describe("the master search", () => {
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

  for (const text of ["📚 100% %_\\*", "x".repeat(5000)])
    test(`shows ${text.slice(0, 12)} in its box and in the catalogue's, within the window`, async ({
      page,
    }) => {
      for (const path of ["/search", "/shop"]) {
        await page.goto(`${path}?q=${encodeURIComponent(text)}`);
        const box = page.getByRole("main").getByRole("searchbox");
        await expect(box).toHaveValue(text.slice(0, 200));
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
      }
    });

  test("works without JavaScript", { tag: "@gate" }, async ({ browser, baseURL }) => {
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
