import { addBook, fillCart, stockOf } from "#tests/support/factories.ts";
import { breakCalls, dropAnswers } from "#tests/support/intercept.ts";
import { expectMessage } from "#tests/support/messages.ts";
import { expect, test } from "#tests/support/test.ts";
import { fillIn, fillInOrder, openCheckout, ordersOf, panel, placeOrder } from "./checkout-steps.ts";

const ORDERS = /\/rest\/v1\/orders/;
const PROFILES = /\/rest\/v1\/profiles/;

test.describe("placing an order", () => {
  test.beforeEach(async ({ context, member, signIn }) => signIn(context, member));

  test("names what has since sold out, and keeps what was typed", async ({
    page,
    admin,
    member,
    consoleLines,
  }) => {
    const [rare, deleted] = [await addBook(admin.client, { stock_quantity: 5 }), await addBook(admin.client)];
    await fillCart(member.client, rare.id, 4);
    await fillCart(member.client, deleted.id);
    await openCheckout(page);
    await fillIn(page);
    await admin.client.from("books").update({ stock_quantity: 2 }).eq("id", rare.id);
    await admin.client.from("books").update({ stock_quantity: 0 }).eq("id", deleted.id);
    consoleLines.expect(/^Failed to place order/);
    await placeOrder(page).click();
    await expectMessage(
      page,
      "Failed to place order. Please try again.",
      new RegExp(`${rare.title}: only 2 left.`),
      new RegExp(`${deleted.title}: sold out.`),
    );
    await expect(page.getByRole("region", { name: "Order Summary" })).toContainText("Only 2 left");
    await expect(page.getByLabel("City")).toHaveValue("Cape Coast");
    await page.reload();
    await expect(page.getByLabel("City")).toHaveValue("Cape Coast");
    expect(await ordersOf(member)).toEqual([]);

    await page.getByRole("button", { name: "Change" }).click();
    await panel(page)
      .getByRole("button", { name: `Remove ${deleted.title}` })
      .click();
    await page.keyboard.press("Escape");
    const summary = page.getByRole("region", { name: "Order Summary" });
    await summary.getByRole("button", { name: `Take 2 of ${rare.title}` }).click();
    await expect(summary).not.toContainText("Only 2 left");
    await expect(summary).toContainText("2 × GH₵");
    await placeOrder(page).click();
    await expect(page).toHaveURL(/\/order-confirmation\//);
    expect(await stockOf(admin.client, rare.id)).toBe(0);
  });

  test("shows the new price and orders at it when clicked again", { tag: "@gate" }, async ({
    page,
    admin,
    member,
    consoleLines,
  }) => {
    const book = await addBook(admin.client, { price: 40 });
    await fillInOrder(page, member, book.id, 2);
    await admin.client.from("books").update({ price: 52.5 }).eq("id", book.id);
    consoleLines.expect(/^Failed to place order/);
    await placeOrder(page).click();
    await expect(
      page.getByRole("region", { name: /Messages/ }).getByText(`${book.title} now costs GH₵52.50.`),
    ).toBeVisible();
    await expect(page.getByRole("main").getByText("₵105.00", { exact: true })).toBeVisible();
    await placeOrder(page).click();
    await expect(page).toHaveURL(/\/order-confirmation\//);
    expect((await ordersOf(member)).map(({ total_amount }) => total_amount)).toEqual([105]);
  });

  test("names a book that has since been deleted, and orders the rest when clicked again", async ({
    page,
    admin,
    member,
    consoleLines,
  }) => {
    const [remaining, deleted] = [await addBook(admin.client, { price: 40 }), await addBook(admin.client)];
    await fillCart(member.client, remaining.id);
    await fillCart(member.client, deleted.id);
    await openCheckout(page);
    await fillIn(page);
    await admin.client.from("books").delete().eq("id", deleted.id);
    consoleLines.expect(/^Failed to place order/);
    await placeOrder(page).click();
    await expectMessage(
      page,
      "Failed to place order. Please try again.",
      new RegExp(`^${deleted.title} is no longer sold\\.$`),
    );
    await expect(page.getByRole("main").getByText("₵40.00", { exact: true })).toBeVisible();
    await placeOrder(page).click();
    await expect(page).toHaveURL(/\/order-confirmation\//);
  });

  test("names the only book of the order when it has since been deleted, and leads to the shop", async ({
    page,
    admin,
    member,
    consoleLines,
  }) => {
    const book = await addBook(admin.client);
    await fillInOrder(page, member, book.id);
    await admin.client.from("books").delete().eq("id", book.id);
    consoleLines.expect(/^Failed to place order/);
    await placeOrder(page).click();
    await expect(page).toHaveURL("/shop");
    await expectMessage(page, "Your cart is empty");
    await expectMessage(page, "Failed to place order. Please try again.", `${book.title} is no longer sold.`);
  });

  test("makes one order from a double click", { tag: "@gate" }, async ({ page, admin, member }) => {
    const book = await addBook(admin.client);
    await fillInOrder(page, member, book.id);
    await placeOrder(page).dblclick();
    await expect(page).toHaveURL(/\/order-confirmation\//);
    expect(await ordersOf(member)).toHaveLength(1);
    expect(await stockOf(admin.client, book.id)).toBe(19);
  });

  test("makes one order when the connection drops after the shop received it", { tag: "@gate" }, async ({
    page,
    admin,
    member,
  }) => {
    const book = await addBook(admin.client);
    await fillInOrder(page, member, book.id);
    const sent = await dropAnswers(page, ORDERS, 1);
    await placeOrder(page).click();
    await expect(page.getByText("Order placed successfully!")).toBeVisible();
    await expect(page).toHaveURL(/\/order-confirmation\//);
    expect(sent()).toBe(2);
    expect(await ordersOf(member)).toHaveLength(1);
    expect(await stockOf(admin.client, book.id)).toBe(19);
  });

  test("finds the order again after no response and a reload", async ({
    page,
    admin,
    member,
    consoleLines,
  }) => {
    const book = await addBook(admin.client);
    await fillInOrder(page, member, book.id);
    await dropAnswers(page, ORDERS, Number.POSITIVE_INFINITY);
    consoleLines.expect(/^Failed to place order/);
    await placeOrder(page).click();
    await expectMessage(page, "Failed to place order. Please try again.", /It's safe to try again/);
    await expect(page.getByLabel("City")).toHaveValue("Cape Coast");
    await page.unroute(ORDERS);
    await page.reload();
    await expect(page).toHaveURL(/\/order-confirmation\//);
    await expect(page.getByRole("heading", { name: "Your order is placed" })).toBeVisible();
    expect(await ordersOf(member)).toHaveLength(1);
    expect(await stockOf(admin.client, book.id)).toBe(19);
  });

  test("says so when the address is corrected after an order was placed without a response", async ({
    page,
    admin,
    member,
    consoleLines,
  }) => {
    await fillInOrder(page, member, (await addBook(admin.client)).id);
    await dropAnswers(page, ORDERS, Number.POSITIVE_INFINITY);
    consoleLines.expect(/^Failed to place order/);
    await placeOrder(page).click();
    await expectMessage(page, "Failed to place order. Please try again.", /It's safe to try again/);
    await page.unroute(ORDERS);
    await page.getByLabel("City").fill("Kumasi");
    await placeOrder(page).click();
    await expectMessage(page, "Your order was already placed", /details of your first attempt/);
    await expect(page).toHaveURL(/\/order-confirmation\//);
    await expect(page.getByRole("main")).toContainText("Cape Coast");
    expect(await ordersOf(member)).toHaveLength(1);
  });

  test("orders even if the profile's phone could not be saved, and only logs that", async ({
    page,
    admin,
    member,
    consoleLines,
  }) => {
    await fillInOrder(page, member, (await addBook(admin.client)).id);
    consoleLines.expect(/^Failed to update the profile's phone and delivery/);
    await breakCalls(page, PROFILES, "PATCH");
    await placeOrder(page).click();
    await expect(page).toHaveURL(/\/order-confirmation\//);
    const { data } = await member.client.from("profiles").select("phone").single();
    expect(data?.phone).toBe("+233 20 123 4567");
  });
});
