import type { Page } from "@playwright/test";
import { openShopWithNextRelease } from "#tests/support/next-release.ts";
import { ADMIN } from "#tests/support/shop-server.ts";
import { expect, test } from "#tests/support/test.ts";
import { cartButton, openCart, panel } from "./cart-steps.ts";

const level1 = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });
const go = (page: Page, name: string) =>
  page.getByRole("contentinfo").getByRole("link", { name, exact: true }).click();

/** Marks the document: a new one has no mark. */
const mark = (page: Page) => page.evaluate(() => document.documentElement.setAttribute("data-marked", ""));
const isMarked = (page: Page) => page.evaluate(() => document.documentElement.hasAttribute("data-marked"));

test("A page that was open before a deployment keeps working: parts it loads later are still its own, and the next books come with a new document", async ({
  page,
}) => {
  // Two builds and two starts.
  test.setTimeout(300_000);
  const shop = await openShopWithNextRelease([
    ["app/features/cart/cart-panel.tsx", "Add some books to get started!", "New words in the cart!"],
    ["app/routes/shop/shop.tsx", ">Shop Books</h1>", ">Shop New Books</h1>"],
    ["app/routes/shop/bulk-order.tsx", "Paste your school's list, see", "New words for schools. See"],
  ]);
  const failed: string[] = [];
  page.on("response", (response) => {
    if (response.status() >= 400) failed.push(`${response.status()} ${response.url()}`);
  });
  try {
    await page.goto(`${shop.url}/contact`);
    await mark(page);
    await page.getByLabel("Message").fill("Do you deliver to Wa?");
    await shop.deploy();

    // The cart's panel is fetched only now.
    await openCart(page);
    await expect(panel(page)).toContainText("Add some books to get started!");
    await page.keyboard.press("Escape");
    await expect(page.getByLabel("Message")).toHaveValue("Do you deliver to Wa?");

    // A page without data is opened by the old code as a whole.
    await go(page, "Bulk orders");
    await expect(level1(page, "Bulk orders")).toBeVisible();
    await expect(page.getByText("Paste your school's list, see")).toBeVisible();

    // A form of the old page, which fetches the code for accounts, and leads to a page with data: that is a new document.
    await page.getByRole("banner").getByRole("link", { name: "Sign In" }).click();
    await page.getByLabel("Email").fill(ADMIN.email);
    await page.getByLabel("Password").fill(ADMIN.password);
    expect(await isMarked(page)).toBe(true);
    await page.getByLabel("Password").press("Enter");
    await expect(level1(page, "Shop New Books")).toBeVisible();
    await expect(page).toHaveURL(`${shop.url}/shop`);
    expect(await isMarked(page)).toBe(false);

    await page
      .getByRole("list", { name: "Books" })
      .getByRole("button", { name: /^Add to Cart/ })
      .first()
      .click();
    await expect(cartButton(page)).toHaveText(/1 items/);
    await openCart(page);
    await expect(panel(page)).toContainText("Subtotal");
    await panel(page).getByRole("button", { name: "Clear cart" }).click();
    await expect(panel(page)).toContainText("New words in the cart!");
    await page.keyboard.press("Escape");
    await go(page, "Bulk orders");
    await expect(page.getByText("New words for schools.")).toBeVisible();
    expect(failed).toEqual([]);
  } finally {
    await shop.close();
  }
});
