import { SESSION_KEY } from "#app/lib/browser/env.ts";
import { addBook, fillCart, stockOf } from "#tests/support/factories.ts";
import { breakCalls, holdBack } from "#tests/support/intercept.ts";
import { holdMessage } from "#tests/support/messages.ts";
import { expect, expectAccessibleAtWidths, findOnShelf, test } from "#tests/support/test.ts";
import { fillIn, fillInOrder, openCheckout, ordersOf, panel, placeOrder } from "./checkout-steps.ts";

const CART = /\/rest\/v1\/cart_items/;

test.describe("the checkout", () => {
  test.beforeEach(async ({ context, member, signIn }) => signIn(context, member));

  test("leads from the catalogue to an order, which can be cancelled, and stock follows", {
    tag: "@gate",
  }, async ({ page, admin, member }) => {
    const book = await addBook(admin.client, { price: 45.1, stock_quantity: 20 });
    await findOnShelf(page, book.title);
    await page.getByRole("button", { name: "Add to Cart" }).click();
    await page.getByRole("button", { name: "View Cart" }).first().click();
    await panel(page)
      .getByRole("textbox", { name: `Quantity of ${book.title}` })
      .fill("3");
    await page.keyboard.press("Enter");
    await panel(page).getByRole("button", { name: "Proceed to Checkout" }).click();
    await expect(page).toHaveURL(/\/checkout$/);
    await expect(panel(page)).toBeHidden();
    await expect(page.getByRole("main")).toBeFocused();

    await expect(page.getByLabel("Full Name")).toHaveValue("Reader of the test");
    await expect(page.getByLabel("Email")).toHaveValue(member.email);
    await expect(page.getByLabel("Phone")).toHaveValue("+233 20 123 4567");
    await expect(page.getByRole("region", { name: "Order Summary" })).toContainText("3 × GH₵45.10");
    await expect(page.getByRole("main").getByText("₵135.30", { exact: true })).toBeVisible();
    await expect(page.getByRole("region", { name: "How you pay and receive your order" })).toBeVisible();
    await fillIn(page);
    await page.getByLabel("Postal Code").fill("CC-012");
    await placeOrder(page).click();

    await expect(page.getByText("Order placed successfully!")).toBeVisible();
    await expect(page).toHaveURL(/\/order-confirmation\/[0-9a-f-]{36}$/);
    const [placed] = await ordersOf(member);
    expect(placed).toMatchObject({
      total_amount: 135.3,
      status: "pending",
      shipping_address: "5 Castle Road, Cape Coast, CC-012",
      recipient_name: "Esi Owusu",
      recipient_phone: "+233 20 765 4321",
    });
    const main = page.getByRole("main");
    await expect(main.getByText(placed?.id.slice(-8) ?? "", { exact: true })).toBeVisible();
    await expect(main.getByText("5 Castle Road, Cape Coast, CC-012")).toBeVisible();
    await expect(main.getByRole("list", { name: "Books ordered" })).toContainText(book.title);
    await expect(main.getByText("pending")).toBeVisible();
    await expect(page.getByRole("button", { name: /^Shopping cart, 0 items/ })).toBeVisible();
    await expect(page.getByText("Cart cleared")).toHaveCount(0);
    expect(await stockOf(admin.client, book.id)).toBe(17);
    const { data: profile } = await member.client.from("profiles").select("phone").single();
    expect(profile?.phone).toBe("+233 20 765 4321");
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain("Castle Road");

    await page.getByRole("button", { name: "Cancel Order" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Yes, cancel it" }).click();
    await expect(page.getByText("Order cancelled successfully")).toBeVisible();
    await expect(page.getByRole("heading", { name: "Your order is cancelled" })).toBeVisible();
    await expect(page.getByRole("button", { name: "Cancel Order" })).toHaveCount(0);
    expect(await stockOf(admin.client, book.id)).toBe(20);
    await page.getByRole("link", { name: "Continue Shopping" }).click();
    await expect(page).toHaveURL(/\/shop$/);
  });

  test("does not overwrite the field being typed into when the profile arrives", async ({
    page,
    admin,
    member,
  }) => {
    await fillCart(member.client, (await addBook(admin.client)).id);
    const release = await holdBack(page, /\/rest\/v1\/profiles/);
    await openCheckout(page);
    await page.getByLabel("Email").focus();
    release();
    await expect(page.getByLabel("Full Name")).not.toHaveValue("");
    await page.keyboard.type("esi@school.example");
    await expect(page.getByLabel("Email")).toHaveValue("esi@school.example");
  });

  test("names the first missing field in form order, one after the other", async ({
    page,
    admin,
    member,
  }) => {
    await fillCart(member.client, (await addBook(admin.client)).id);
    await openCheckout(page);
    await expect(page.getByLabel("Full Name")).not.toHaveValue("");
    for (const label of ["Full Name", "Email", "Phone"]) await page.getByLabel(label).fill("  ");
    const fields = [
      ["Full Name", "full name"],
      ["Email", "email"],
      ["Phone", "phone"],
      ["Address", "address"],
      ["City", "city"],
    ] as const;
    for (const [label, words] of fields) {
      await placeOrder(page).click();
      const field = page.getByLabel(label, { exact: true });
      await expect(
        page.getByRole("region", { name: /Messages/ }).getByText(`Please fill in ${words}`),
      ).toBeVisible();
      await expect(field).toBeFocused();
      await expect(field).toHaveAccessibleDescription(`Please fill in ${words}`);
      await field.fill("something");
    }
    expect(await ordersOf(member)).toEqual([]);
  });

  test("refuses an invalid email and phone number, with a message beside each field", async ({
    page,
    admin,
    member,
  }) => {
    await fillInOrder(page, member, (await addBook(admin.client)).id);
    for (const [label, wrong, words, right] of [
      ["Email", "abc", /^Please enter a valid email address/, "esi@school.example"],
      ["Phone", "xyz", /^Please enter a valid phone number/, "020 765 4321"],
    ] as const) {
      const field = page.getByLabel(label);
      await field.fill(wrong);
      await placeOrder(page).click();
      await expect(field).toBeFocused();
      await expect(field).toHaveAccessibleDescription(words);
      await field.fill(right);
      await expect(field).toHaveAccessibleDescription("");
    }
    expect(await ordersOf(member)).toEqual([]);
    await placeOrder(page).click();
    await expect(page).toHaveURL(/\/order-confirmation\//);
  });

  test("sends an empty cart to the shop, but not before the cart is loaded", async ({
    page,
    admin,
    member,
  }) => {
    await page.goto("/checkout");
    await expect(page.getByText("Your cart is empty")).toBeVisible();
    await expect(page).toHaveURL(/\/shop$/);

    await fillCart(member.client, (await addBook(admin.client)).id);
    const requested = page.waitForRequest(CART);
    const release = await holdBack(page, CART);
    await page.goto("/checkout");
    await requested;
    await expect(page).toHaveURL(/\/checkout$/);
    release();
    await expect(placeOrder(page)).toBeVisible();
  });

  test("says that the cart could not be read, and reads it again", async ({
    page,
    admin,
    member,
    consoleLines,
  }) => {
    await fillCart(member.client, (await addBook(admin.client)).id);
    consoleLines.expect(/^Failed to load cart/);
    const mend = await breakCalls(page, CART, "GET");
    await page.goto("/checkout");
    await expect(page.getByRole("alert")).toContainText("Failed to load cart");
    await expect(page).toHaveURL(/\/checkout$/);
    await mend();
    await page.getByRole("button", { name: "Try Again" }).click();
    await expect(placeOrder(page)).toBeVisible();
  });

  test("asks to sign in when the session has ended, and keeps what was typed", { tag: "@gate" }, async ({
    page,
    context,
    admin,
    member,
  }) => {
    await fillInOrder(page, member, (await addBook(admin.client)).id);
    const session = await page.evaluate((key) => localStorage.getItem(key), SESSION_KEY);
    await page.evaluate((key) => localStorage.removeItem(key), SESSION_KEY);
    await placeOrder(page).click();
    await expect(page.getByText("Please sign in to place an order")).toBeVisible();
    await expect(page).toHaveURL(/\/auth$/);
    expect(await ordersOf(member)).toEqual([]);

    await page.evaluate(([key, value]) => localStorage.setItem(key, value), [
      SESSION_KEY,
      session ?? "",
    ] as const);
    await openCheckout(page);
    await expect(page.getByLabel("City")).toHaveValue("Cape Coast");
    expect(context.pages()).toHaveLength(1);
  });

  test("a checkout interrupted by the end of the session is offered after signing in, with what was typed", async ({
    page,
    admin,
    member,
  }) => {
    await fillInOrder(page, member, (await addBook(admin.client)).id);
    await page.evaluate((key) => localStorage.removeItem(key), SESSION_KEY);
    await placeOrder(page).click();
    await expect(page).toHaveURL(/\/auth$/);
    await page.getByLabel("Email").fill(member.email);
    await page.getByLabel("Password").fill(member.password);
    await page.getByRole("tabpanel").getByRole("button", { name: "Sign In", exact: true }).click();
    await expect(page).toHaveURL(/\/shop$/);
    const offer = await holdMessage(page, "Your checkout is as you left it");
    await offer.getByRole("button", { name: "Go to Checkout" }).click();
    await expect(page.getByLabel("City")).toHaveValue("Cape Coast");
    await placeOrder(page).click();
    await expect(page).toHaveURL(/\/order-confirmation\//);
  });

  test("forgets what was typed when the customer signs out", { tag: "@gate" }, async ({
    page,
    admin,
    member,
  }) => {
    await fillInOrder(page, member, (await addBook(admin.client)).id);
    await page.getByRole("button", { name: "Account" }).click();
    await page.getByRole("menuitem", { name: "Sign Out" }).click();
    await expect(page).toHaveURL(/\/auth$/);
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain("Castle Road");
  });

  test("cannot be reached with the browser's Back and Forward buttons once the order is placed", {
    tag: "@gate",
  }, async ({ page, admin, member }) => {
    await fillCart(member.client, (await addBook(admin.client)).id);
    await page.goto("/shop");
    await page.getByRole("button", { name: /^Shopping cart/ }).click();
    await panel(page).getByRole("button", { name: "Proceed to Checkout" }).click();
    await expect(placeOrder(page)).toBeVisible();
    await page.getByRole("button", { name: "Back" }).click();
    await expect(page).toHaveURL(/\/shop$/);
    await page.goForward();
    await expect(placeOrder(page)).toBeVisible();
    await fillIn(page);
    await placeOrder(page).click();
    await expect(page).toHaveURL(/\/order-confirmation\//);
    await page.goBack();
    await expect(page).toHaveURL(/\/shop$/);
    await page.goForward();
    await expect(page.getByRole("heading", { name: "Your order is placed" })).toBeVisible();
    expect(await ordersOf(member)).toHaveLength(1);
  });

  test("can be completed by keyboard alone", { tag: "@gate" }, async ({ page, admin, member }) => {
    await fillCart(member.client, (await addBook(admin.client)).id);
    await openCheckout(page);
    await expect(page.getByLabel("Full Name")).toHaveValue("Reader of the test");
    await page.getByLabel("Full Name").focus();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.type("5 Castle Road");
    await page.keyboard.press("Tab");
    await page.keyboard.type("Cape Coast");
    // In a field it leads to the button: on a phone its key is easily pressed.
    await page.keyboard.press("Enter");
    await expect(placeOrder(page)).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/\/order-confirmation\//);
    expect((await ordersOf(member))[0]?.shipping_address).toBe("5 Castle Road, Cape Coast");
  });

  test("is accessible before and after the order", async ({ page, admin, member }) => {
    await fillCart(member.client, (await addBook(admin.client)).id);
    await openCheckout(page);
    await expectAccessibleAtWidths(page);
    await placeOrder(page).click();
    await expect(page.getByLabel("Address", { exact: true })).toBeFocused();
    await expectAccessibleAtWidths(page);
    await fillIn(page);
    await placeOrder(page).click();
    await expect(page.getByRole("heading", { name: "Your order is placed" })).toBeVisible();
    await expectAccessibleAtWidths(page);
  });
});

test("a visitor is sent from the checkout to the sign-in page, with the reason", async ({ page }) => {
  await page.goto("/checkout");
  await expect(page.getByText("Please sign in to place an order")).toBeVisible();
  await expect(page).toHaveURL(/\/auth$/);
});
