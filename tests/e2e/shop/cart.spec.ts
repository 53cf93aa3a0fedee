import { SESSION_KEY } from "#app/lib/browser/env.ts";
import { addBook, fillCart } from "#tests/support/factories.ts";
import { holdBack } from "#tests/support/intercept.ts";
import { expect, expectAccessibleAtWidths, findOnShelf, test } from "#tests/support/test.ts";
import { cartButton, openCart, panel, quantity } from "./cart-steps.ts";

const CART = /\/rest\/v1\/cart_items/;

test.describe("the cart", () => {
  test.beforeEach(async ({ context, member, signIn }) => signIn(context, member));

  test("takes books, counts copies, and adds up to the pesewa", { tag: "@gate" }, async ({ page, admin }) => {
    const book = await addBook(admin.client, { price: 45.1 });
    await findOnShelf(page, book.title);
    await page.getByRole("button", { name: "Add to Cart" }).click();
    await expect(page.getByText("Added to cart!")).toBeVisible();
    await expect(cartButton(page)).toHaveText(/1 items/);
    await page.getByRole("button", { name: "Add to Cart" }).click();
    await expect(cartButton(page)).toHaveText(/2 items/);

    await openCart(page);
    await expect(panel(page).getByText("2 items")).toBeVisible();
    await expect(panel(page).getByRole("heading", { name: book.title })).toBeVisible();
    await expect(panel(page).getByRole("paragraph").filter({ hasText: "Collins" })).toBeVisible();
    await panel(page)
      .getByRole("button", { name: `Increase quantity of ${book.title}` })
      .click();
    await expect(quantity(page, book.title)).toHaveValue("3");
    await expect(panel(page).getByText("Free")).toBeVisible();
    await expect(panel(page).getByText("₵135.30", { exact: true })).toBeVisible();
    await expect(panel(page).getByRole("definition").filter({ hasText: "GH₵135.30" })).toHaveCount(1);
    await page.reload();
    await expect(cartButton(page)).toHaveText(/3 items/);
  });

  test("accepts a typed quantity, and says how many are left when it is too many", async ({
    page,
    admin,
    member,
  }) => {
    const book = await addBook(admin.client, { stock_quantity: 20 });
    await fillCart(member.client, book.id);
    await page.goto("/shop");
    await openCart(page);
    await quantity(page, book.title).fill("200");
    await quantity(page, book.title).press("Enter");
    await expect(panel(page).getByText("200 items")).toBeVisible();
    await expect(panel(page).getByText("Only 20 left")).toBeVisible();
    await panel(page)
      .getByRole("button", { name: `Take 20 of ${book.title}` })
      .click();
    await expect(panel(page).getByText("20 items")).toBeVisible();
    await expect(panel(page).getByText("Only 20 left")).toHaveCount(0);

    await quantity(page, book.title).fill("twelve");
    await quantity(page, book.title).press("Tab");
    await expect(quantity(page, book.title)).toHaveValue("20");
    for (const typed of ["5000", "1,000"]) {
      await quantity(page, book.title).fill(typed);
      await quantity(page, book.title).press("Tab");
      await expect(panel(page).getByRole("alert")).toHaveText("You can order up to 999 copies of a title.");
      await expect(quantity(page, book.title)).toHaveValue("20");
    }
    await quantity(page, book.title).fill("999");
    await quantity(page, book.title).press("Tab");
    await expect(quantity(page, book.title)).toHaveValue("999");
    await expect(panel(page).getByRole("alert")).toHaveCount(0);
    await expect(
      panel(page).getByRole("button", { name: `Increase quantity of ${book.title}` }),
    ).toBeDisabled();
    await quantity(page, book.title).fill("7");
    await quantity(page, book.title).press("Escape");
    await expect(quantity(page, book.title)).toHaveValue("999");
    await expect(panel(page)).toBeVisible();
  });

  test("removes a line with minus or the bin, and everything with Clear cart", { tag: "@gate" }, async ({
    page,
    admin,
    member,
  }) => {
    const books = [await addBook(admin.client), await addBook(admin.client), await addBook(admin.client)];
    for (const { id } of books) await fillCart(member.client, id);
    const [first, second, third] = books.map(({ title }) => title);
    await page.goto("/shop");
    await openCart(page);
    await panel(page)
      .getByRole("button", { name: `Decrease quantity of ${first}` })
      .click();
    await expect(page.getByText("Removed from cart")).toBeVisible();
    await expect(panel(page).getByText("2 items")).toBeVisible();
    await panel(page)
      .getByRole("button", { name: `Remove ${second}` })
      .click();
    await expect(panel(page).getByText("1 items")).toBeVisible();
    await expect(panel(page).getByRole("heading", { name: third })).toBeVisible();
    await panel(page).getByRole("button", { name: "Clear cart" }).click();
    await expect(page.getByText("Cart cleared")).toBeVisible();
    await expect(panel(page).getByText("Your cart is empty")).toBeVisible();
    await page.reload();
    await openCart(page);
    await expect(panel(page).getByText("Your cart is empty")).toBeVisible();
  });

  test("sends the latest of rapid changes, and the backend ends up with what is shown", {
    tag: "@gate",
  }, async ({ page, admin, member }) => {
    const book = await addBook(admin.client);
    await fillCart(member.client, book.id);
    await page.goto("/shop");
    await openCart(page);
    const plus = panel(page).getByRole("button", { name: `Increase quantity of ${book.title}` });
    for (let press = 0; press < 8; press += 1) await plus.click();
    await expect(quantity(page, book.title)).toHaveValue("9");
    await expect
      .poll(async () => (await member.client.from("cart_items").select("quantity")).data)
      .toEqual([{ quantity: 9 }]);
  });

  test("says 'Loading cart...' until it is loaded", async ({ page, admin, member }) => {
    const book = await addBook(admin.client);
    await fillCart(member.client, book.id);
    const release = await holdBack(page, CART);
    await page.goto("/shop");
    await openCart(page);
    await expect(panel(page).getByText("Loading cart...")).toBeVisible();
    release();
    await expect(panel(page).getByText("1 items")).toBeVisible();
  });

  test("adds up what two tabs add at the same time, in one line", { tag: "@gate" }, async ({
    page,
    context,
    admin,
    member,
  }) => {
    const book = await addBook(admin.client);
    const other = await context.newPage();
    await Promise.all([findOnShelf(page, book.title), findOnShelf(other, book.title)]);
    const presses = [page, other].map((tab) => tab.getByRole("button", { name: "Add to Cart" }).click());
    await Promise.all(presses);
    await expect(cartButton(page)).toHaveText(/2 items/);
    await expect(cartButton(other)).toHaveText(/2 items/);
    const { data } = await member.client.from("cart_items").select("quantity");
    expect(data).toEqual([{ quantity: 2 }]);
  });

  test("follows the signed-in user, even when another tab changes it", async ({
    page,
    context,
    admin,
    member,
    newMember,
  }) => {
    const book = await addBook(admin.client);
    const colleague = await newMember();
    await fillCart(member.client, book.id, 4);
    await fillCart(colleague.client, book.id, 7);
    const other = await context.newPage();
    await page.goto("/shop");
    await other.goto("/shop");
    await expect(cartButton(page)).toHaveText(/4 items/);
    await other.getByRole("button", { name: "Account" }).click();
    await other.getByRole("menuitem", { name: "Sign Out" }).click();
    await expect(cartButton(other)).toHaveText(/0 items/);
    await expect(cartButton(page)).toHaveText(/0 items/);

    await other.goto("/auth");
    await other.getByLabel("Email").fill(colleague.email);
    await other.getByLabel("Password").fill(colleague.password);
    await other.getByRole("button", { name: "Sign In" }).click();
    await expect(cartButton(other)).toHaveText(/7 items/);
    await expect(cartButton(page)).toHaveText(/7 items/);
  });

  test("asks to sign in when the session has ended before the checkout", async ({ page, admin, member }) => {
    const book = await addBook(admin.client);
    await fillCart(member.client, book.id);
    await page.goto("/shop");
    await openCart(page);
    await expect(panel(page).getByText("1 items")).toBeVisible();
    await page.evaluate((key) => localStorage.removeItem(key), SESSION_KEY);
    await panel(page).getByRole("button", { name: "Proceed to Checkout" }).click();
    const messages = page.getByRole("region", { name: /Messages/ });
    await expect(messages.getByText("Please sign in to checkout")).toBeVisible();
    await messages.getByRole("button", { name: "Sign In", exact: true }).click();
    await expect(page).toHaveURL(/\/auth$/);
  });

  test("works by keyboard alone and returns the focus", async ({ page, admin, member }) => {
    const book = await addBook(admin.client);
    await fillCart(member.client, book.id);
    await page.goto("/shop");
    await expect(cartButton(page)).toHaveText(/1 items/);
    await cartButton(page).focus();
    await page.keyboard.press("Enter");
    await expect(panel(page).getByRole("heading", { name: "Shopping Cart" })).toBeFocused();
    const reached: string[] = [];
    for (let step = 0; step < 7; step += 1) {
      await page.keyboard.press("Tab");
      reached.push(
        await page.evaluate(
          () =>
            document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent ?? "",
        ),
      );
    }
    expect(reached).toEqual([
      "Close cart",
      `Remove ${book.title}`,
      `Decrease quantity of ${book.title}`,
      `Quantity of ${book.title}`,
      `Increase quantity of ${book.title}`,
      "Clear cart",
      "Proceed to Checkout",
    ]);
    await page.keyboard.press("Escape");
    await expect(panel(page)).toBeHidden();
    await expect(cartButton(page)).toBeFocused();
  });

  test("closes at a click outside it, and the page behind keeps its position", async ({ page }) => {
    await page.setViewportSize({ width: 1280, height: 700 });
    await page.goto("/shop");
    const headingBox = () => page.getByRole("heading", { level: 1 }).boundingBox();
    const before = await headingBox();
    await openCart(page);
    expect((await headingBox())?.x).toBe(before?.x);
    await page.mouse.click(100, 400);
    await expect(panel(page)).toBeHidden();
  });

  test("has no target below 44 px on a phone", async ({ page, admin, member }) => {
    const book = await addBook(admin.client, { stock_quantity: 1 });
    await fillCart(member.client, book.id, 2);
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto("/shop");
    await openCart(page);
    await expect(panel(page).getByRole("button", { name: `Take 1 of ${book.title}` })).toBeVisible();
    // While the panel slides in, rounding takes a hair off what is measured.
    await panel(page).evaluate((dialog) =>
      Promise.all(dialog.getAnimations({ subtree: true }).map(({ finished }) => finished)),
    );
    const pressable = panel(page).getByRole("button").or(panel(page).getByRole("link"));
    for (const each of await pressable.all()) {
      const { width = 0, height = 0 } = (await each.boundingBox()) ?? {};
      const name = (await each.innerText()) || (await each.getAttribute("aria-label")) || "";
      expect(Math.min(width, height), name).toBeGreaterThanOrEqual(44);
    }
  });

  test("is accessible, full and empty", async ({ page, admin, member }) => {
    const book = await addBook(admin.client, { stock_quantity: 1 });
    await page.goto("/shop");
    await openCart(page);
    await expect(panel(page).getByText("Your cart is empty")).toBeVisible();
    await expectAccessibleAtWidths(page);
    await fillCart(member.client, book.id, 2);
    await page.reload();
    await openCart(page);
    await expect(panel(page).getByText("Only 1 left")).toBeVisible();
    await expectAccessibleAtWidths(page);
  });
});
