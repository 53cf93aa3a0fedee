import { addBook } from "#tests/support/factories.ts";
import { expect, findOnShelf, test } from "#tests/support/test.ts";
import { openCart, panel } from "./cart-steps.ts";

test.describe("a visitor", () => {
  test("is asked to sign in to add a book, and sent to the sign-in page", async ({ page, admin }) => {
    const book = await addBook(admin.client);
    await findOnShelf(page, book.title);
    await page.getByRole("button", { name: "Sign In to Add" }).click();
    await expect(page.getByText("Please sign in to add items to cart")).toBeVisible();
    await page.getByRole("button", { name: "Sign In", exact: true }).click();
    await expect(page).toHaveURL(/\/auth$/);
  });

  test("sees an empty cart without downloading the backend's client", async ({ page }) => {
    const scripts: Promise<string>[] = [];
    const calls: string[] = [];
    page.on("response", (response) => {
      if (response.request().resourceType() === "script") scripts.push(response.text().catch(() => ""));
      if (/\/(rest|auth)\/v1\//.test(response.url())) calls.push(response.url());
    });
    const hasClient = async () => (await Promise.all(scripts)).some((text) => text.includes("GoTrueClient"));
    await page.goto("/shop");
    await openCart(page);
    await expect(panel(page).getByText("0 items")).toBeVisible();
    await expect(panel(page).getByText("Your cart is empty")).toBeVisible();
    await expect(panel(page).getByText("Add some books to get started!")).toBeVisible();
    await expect(panel(page).getByText("Please sign in to checkout")).toBeVisible();
    expect(await hasClient()).toBe(false);
    expect(calls).toEqual([]);
    await panel(page).getByRole("link", { name: "Sign In" }).click();
    await expect(page).toHaveURL(/\/auth$/);
    await expect(panel(page)).toBeHidden();
    await page.reload();
    // Fetched once the visitor begins to type.
    await page.getByRole("textbox", { name: "Email" }).focus();
    await expect.poll(hasClient).toBe(true);
  });

  test("is sent to the sign-in page without JavaScript too", async ({ browser, shop, admin }) => {
    const book = await addBook(admin.client);
    const context = await browser.newContext({ javaScriptEnabled: false, baseURL: shop.url });
    const page = await context.newPage();
    await findOnShelf(page, book.title);
    await page.getByRole("button", { name: "Sign In to Add" }).click();
    await expect(page).toHaveURL(/\/auth\?$/);
    await context.close();
  });

  test("cannot click the button of a book that is sold out", async ({ page, admin }) => {
    const book = await addBook(admin.client, { stock_quantity: 0 });
    await findOnShelf(page, book.title);
    await expect(page.getByRole("button", { name: `Out of Stock : ${book.title}` })).toBeDisabled();
    await expect(page.getByRole("button", { name: "Sign In to Add" })).toHaveCount(0);
  });
});
