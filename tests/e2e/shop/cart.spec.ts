import { SESSION_KEY } from "#app/lib/env.ts";
import { breakCalls, findOnShelf, holdBack, putInCart, shelve } from "#tests/support/shelf.ts";
import { expect, expectAccessible, test } from "#tests/support/test.ts";
import { cartButton, openCart, panel, quantity } from "./cart-steps.ts";

const CART = /\/rest\/v1\/cart_items/;
const ADD = /\/rest\/v1\/rpc\/add_to_cart/;

test.describe("the cart", () => {
  test.beforeEach(async ({ context, member, signIn }) => signIn(context, member));

  test("takes books, counts copies, and adds up to the pesewa", async ({ page, admin }) => {
    const book = await shelve(admin, { price: 45.1 });
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

  test("takes a typed quantity, and says how many are left when it is too many", async ({
    page,
    admin,
    member,
  }) => {
    const book = await shelve(admin, { stock_quantity: 20 });
    await putInCart(member, book.id);
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
    await quantity(page, book.title).fill("5000");
    await quantity(page, book.title).press("Tab");
    await expect(quantity(page, book.title)).toHaveValue("999");
    await expect(
      panel(page).getByRole("button", { name: `Increase quantity of ${book.title}` }),
    ).toBeDisabled();
    await quantity(page, book.title).fill("7");
    await quantity(page, book.title).press("Escape");
    await expect(quantity(page, book.title)).toHaveValue("999");
    await expect(panel(page)).toBeVisible();
  });

  test("loses a line at minus, at the bin, and everything at Clear cart", async ({ page, admin, member }) => {
    const books = [await shelve(admin), await shelve(admin), await shelve(admin)];
    for (const { id } of books) await putInCart(member, id);
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

  test("sends the newest of rapid changes, and the backend ends with what is shown", async ({
    page,
    admin,
    member,
  }) => {
    const book = await shelve(admin);
    await putInCart(member, book.id);
    await page.goto("/shop");
    await openCart(page);
    const plus = panel(page).getByRole("button", { name: `Increase quantity of ${book.title}` });
    for (let press = 0; press < 8; press += 1) await plus.click();
    await expect(quantity(page, book.title)).toHaveValue("9");
    await expect
      .poll(async () => (await member.client.from("cart_items").select("quantity")).data)
      .toEqual([{ quantity: 9 }]);
  });

  test("says what failed and shows again what is true", async ({ page, admin, member, consoleLines }) => {
    const book = await shelve(admin);
    await putInCart(member, book.id, 2);
    const mendReading = await breakCalls(page, CART, "GET");
    consoleLines.expect(/^Failed to load cart/);
    await page.goto("/shop");
    await openCart(page);
    await expect(panel(page).getByRole("alert")).toContainText("Failed to load cart");
    await mendReading();
    await panel(page).getByRole("button", { name: "Try Again" }).click();
    await expect(quantity(page, book.title)).toHaveValue("2");

    consoleLines.expect(/^Failed to update quantity/);
    const mendUpdating = await breakCalls(page, CART, "PATCH");
    await panel(page)
      .getByRole("button", { name: `Increase quantity of ${book.title}` })
      .click();
    await expect(page.getByText("Failed to update quantity")).toBeVisible();
    await expect(quantity(page, book.title)).toHaveValue("2");
    await mendUpdating();

    consoleLines.expect(/^Failed to remove from cart/);
    consoleLines.expect(/^Failed to clear cart/);
    const mendRemoving = await breakCalls(page, CART, "DELETE");
    await panel(page)
      .getByRole("button", { name: `Remove ${book.title}` })
      .click();
    await expect(page.getByText("Failed to remove from cart")).toBeVisible();
    await expect(quantity(page, book.title)).toHaveValue("2");
    await panel(page).getByRole("button", { name: "Clear cart" }).click();
    await expect(page.getByText("Failed to clear cart")).toBeVisible();
    await expect(quantity(page, book.title)).toHaveValue("2");
    await mendRemoving();
    await page.keyboard.press("Escape");

    consoleLines.expect(/^Failed to add to cart/);
    await breakCalls(page, ADD, "POST");
    await findOnShelf(page, book.title);
    await page.getByRole("button", { name: "Add to Cart" }).click();
    await expect(page.getByText("Failed to add to cart")).toBeVisible();
    await expect(cartButton(page)).toHaveText(/2 items/);
  });

  test("says 'Loading cart...' until it is there", async ({ page, admin, member }) => {
    const book = await shelve(admin);
    await putInCart(member, book.id);
    const release = await holdBack(page, CART);
    await page.goto("/shop");
    await openCart(page);
    await expect(panel(page).getByText("Loading cart...")).toBeVisible();
    release();
    await expect(panel(page).getByText("1 items")).toBeVisible();
  });

  test("adds up what two tabs add at once, in one line", async ({ page, context, admin, member }) => {
    const book = await shelve(admin);
    const other = await context.newPage();
    await Promise.all([findOnShelf(page, book.title), findOnShelf(other, book.title)]);
    const presses = [page, other].map((tab) => tab.getByRole("button", { name: "Add to Cart" }).click());
    await Promise.all(presses);
    await expect(cartButton(page)).toHaveText(/2 items/);
    await expect(cartButton(other)).toHaveText(/2 items/);
    const { data } = await member.client.from("cart_items").select("quantity");
    expect(data).toEqual([{ quantity: 2 }]);
  });

  test("follows who is signed in, also in another tab", async ({
    page,
    context,
    admin,
    member,
    newMember,
  }) => {
    const book = await shelve(admin);
    const colleague = await newMember();
    await putInCart(member, book.id, 4);
    await putInCart(colleague, book.id, 7);
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

  test("asks to sign in when the session ended before the checkout", async ({ page, admin, member }) => {
    const book = await shelve(admin);
    await putInCart(member, book.id);
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

  test("works by keyboard alone and gives the focus back", async ({ page, admin, member }) => {
    const book = await shelve(admin);
    await putInCart(member, book.id);
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

  test("closes at a press beside it, and the page behind stays where it was", async ({ page }) => {
    await page.setViewportSize({ width: 1280, height: 700 });
    await page.goto("/shop");
    const place = () => page.getByRole("heading", { level: 1 }).boundingBox();
    const before = await place();
    await openCart(page);
    expect((await place())?.x).toBe(before?.x);
    await page.mouse.click(100, 400);
    await expect(panel(page)).toBeHidden();
  });

  for (const width of [360, 1280]) {
    test(`is accessible at ${width} px, full and empty`, async ({ page, admin, member }) => {
      const book = await shelve(admin, { stock_quantity: 1 });
      await page.setViewportSize({ width, height: 800 });
      await page.goto("/shop");
      await openCart(page);
      await expect(panel(page).getByText("Your cart is empty")).toBeVisible();
      await expectAccessible(page);
      await putInCart(member, book.id, 2);
      await page.reload();
      await openCart(page);
      await expect(panel(page).getByText("Only 1 left")).toBeVisible();
      await expectAccessible(page);
    });
  }
});
