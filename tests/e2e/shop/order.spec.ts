import type { Page } from "@playwright/test";
import { addBook, fillCart, newTitle, placeOrder } from "#tests/support/factories.ts";
import { breakCalls } from "#tests/support/intercept.ts";
import { memberPages } from "#tests/support/shop-pages.ts";
import {
  expect,
  expectAccessible,
  expectAccessibleAtWidths,
  type Member,
  test,
} from "#tests/support/test.ts";

const ORDERS = /\/rest\/v1\/orders/;

async function ordered(admin: Member, member: Member, quantity = 1) {
  const book = await addBook(admin.client, { price: 50 });
  return { book, id: await placeOrder(member, book, quantity) };
}

const cancelButton = (page: Page) => page.getByRole("button", { name: "Cancel Order" });
const question = (page: Page) => page.getByRole("alertdialog", { name: "Cancel this order?" });

async function cancel(page: Page) {
  await cancelButton(page).click();
  await question(page).getByRole("button", { name: "Yes, cancel it" }).click();
}

test.describe("an order's page", () => {
  test.beforeEach(async ({ context, member, signIn }) => signIn(context, member));

  test("keeps the titles of books that are no longer sold", async ({ page, admin, member }) => {
    const { book, id } = await ordered(admin, member, 2);
    const { error } = await admin.client.from("books").delete().eq("id", book.id);
    expect(error).toBeNull();
    await page.goto(`/order-confirmation/${id}`);
    const items = page.getByRole("list", { name: "Books ordered" });
    await expect(items.getByRole("heading", { name: book.title })).toBeVisible();
    await expect(items).toContainText("2 × GH₵50.00");
  });

  test("shows the ISBN of each book, and prints no buttons", async ({ page, admin, member }) => {
    const book = await addBook(admin.client, { price: 50, isbn: "978-0-00-812345-6" });
    await page.goto(`/order-confirmation/${await placeOrder(member, book)}`);
    await expect(page.getByText("ISBN 9780008123456")).toBeVisible();
    await page.emulateMedia({ media: "print" });
    await expect(page.getByRole("link", { name: /, home$/ })).toBeVisible();
    await expect(page.getByText("ISBN 9780008123456")).toBeVisible();
    await expect(page.getByRole("button").or(page.getByRole("link", { name: "Shopping" }))).toHaveCount(0);
    await expect(page.getByRole("contentinfo")).toBeHidden();
  });

  test("cannot be found under a wrong URL or by someone else", { tag: "@gate" }, async ({
    page,
    admin,
    newMember,
  }) => {
    const { id } = await ordered(admin, await newMember());
    for (const wrong of [id, "12345678", "00000000-0000-4000-8000-000000000000"]) {
      await page.goto(`/order-confirmation/${wrong}`);
      await expect(page.getByRole("heading", { name: "Order Not Found" })).toBeVisible();
      await expect(page.getByText("We couldn't find the order you're looking for.")).toBeVisible();
    }
  });

  test("logs a failed read and redirects to the shop", async ({ page, admin, member, consoleLines }) => {
    const { id } = await ordered(admin, member);
    consoleLines.expect(/^Failed to read the order/);
    await breakCalls(page, ORDERS, "GET");
    await page.goto(`/order-confirmation/${id}`);
    await expect(page).toHaveURL(/\/shop$/);
  });

  test("offers to cancel until the order is delivered, and says when that fails", async ({
    page,
    admin,
    member,
    consoleLines,
  }) => {
    const { id } = await ordered(admin, member);
    await page.goto(`/order-confirmation/${id}`);
    consoleLines.expect(/^Failed to cancel order/);
    const mend = await breakCalls(page, ORDERS, "PATCH");
    await cancel(page);
    await expect(page.getByText("Failed to cancel order")).toBeVisible();
    await mend();

    await admin.client.from("orders").update({ status: "shipped" }).eq("id", id);
    await page.reload();
    await expect(page.getByRole("heading", { name: "Your order is on its way" })).toBeVisible();
    await expect(cancelButton(page)).toBeVisible();
    await admin.client.from("orders").update({ status: "delivered" }).eq("id", id);
    await cancel(page);
    await expect(page.getByText("Failed to cancel order")).toBeVisible();
    await expect(page.getByRole("heading", { name: "Your order was delivered" })).toBeVisible();
    await expect(cancelButton(page)).toHaveCount(0);
  });

  test("asks once before it is cancelled, and No changes nothing", { tag: "@gate" }, async ({
    page,
    admin,
    member,
  }) => {
    const { id } = await ordered(admin, member);
    const statusOf = async () =>
      (await member.client.from("orders").select("number, status").eq("id", id).single()).data;
    const placed = await statusOf();
    await page.goto(`/order-confirmation/${id}`);
    for (const leave of [
      async () => {
        await expectAccessible(page);
        await question(page).getByRole("button", { name: "Keep order" }).click();
      },
      () => page.keyboard.press("Escape"),
    ]) {
      await cancelButton(page).click();
      await expect(question(page)).toContainText(`Order ${placed?.number}, GH₵50.00`);
      await expect(question(page).getByRole("button", { name: "Keep order" })).toBeFocused();
      await leave();
      await expect(question(page)).toBeHidden();
      await expect(cancelButton(page)).toBeFocused();
    }
    expect(await statusOf()).toEqual({ number: placed?.number, status: "pending" });
    await cancel(page);
    await expect(page.getByText("Order cancelled successfully")).toBeVisible();
    expect(await statusOf()).toMatchObject({ status: "cancelled" });
  });

  test("says how to pay and that it can be cancelled only while that is true", async ({
    page,
    admin,
    member,
  }) => {
    const { id } = await ordered(admin, member);
    const words = page.getByRole("region", { name: "How you pay and receive your order" });
    await page.goto(`/order-confirmation/${id}`);
    await expect(words).toContainText("You can cancel");
    await admin.client.from("orders").update({ status: "delivered" }).eq("id", id);
    await page.reload();
    await expect(page.getByRole("heading", { name: "Your order was delivered" })).toBeVisible();
    await expect(words).toHaveCount(0);
    await expect(page.getByText(/cancel/i)).toHaveCount(0);
  });

  test("is named by its number, with the end of its id beside it", async ({ page, admin, member }) => {
    const { id } = await ordered(admin, member);
    const { data } = await member.client.from("orders").select("number").eq("id", id).single();
    await page.goto("/orders");
    await page.getByRole("link", { name: new RegExp(`^Order ${data?.number}\\b`) }).click();
    const main = page.getByRole("main");
    await expect(main.getByText(String(data?.number), { exact: true })).toBeVisible();
    await expect(main.getByText(id.slice(-8), { exact: true })).toBeVisible();
    const chat = await main.getByRole("link", { name: "Ask about this order" }).getAttribute("href");
    expect(decodeURIComponent(chat ?? "")).toContain(`Order ${data?.number}`);
  });

  test("is listed by its first title, the number of others and their covers", async ({
    page,
    admin,
    member,
  }) => {
    const name = newTitle("Aki-Ola");
    const [second, first] = [
      await addBook(admin.client, { title: `${name} Mathematics 10`, price: 450 }),
      await addBook(admin.client, { title: `${name} Mathematics 4`, price: 450 }),
    ];
    const other = await addBook(admin.client, { title: `${name} Science 1`, price: 450 });
    for (const { id } of [second, other]) await fillCart(member.client, id);
    await placeOrder(member, first, 1, { total_amount: 1_350 } as object);
    await page.goto("/orders");
    const row = page.getByRole("list", { name: "Orders" }).getByRole("link");
    for (const width of [320, 360, 1280]) {
      await page.setViewportSize({ width, height: 740 });
      await expect(row.getByText(first.title, { exact: true }).last()).toBeVisible();
      await expect(row.getByText("and 2 more")).toBeVisible();
      await expect(row.locator("svg")).toHaveCount(3);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
  });

  test("is in the list of the customer's own orders, newest first", { tag: "@gate" }, async ({
    page,
    admin,
    member,
  }) => {
    await page.goto("/orders");
    await expect(page.getByText("You haven't ordered anything yet.")).toBeVisible();
    const first = await ordered(admin, member, 2);
    const second = await ordered(admin, member);
    await page.reload();
    const rows = page.getByRole("list", { name: "Orders" }).getByRole("link");
    await expect(rows).toHaveText([new RegExp(second.id.slice(-8)), new RegExp(first.id.slice(-8))]);
    await expect(rows.last()).toContainText("GH₵100.00");
    await expect(rows.last()).toContainText("pending");
    await page.goto("/orders?page=7");
    await expect(page.getByText("Page 7 of 1")).toBeVisible();
    await page.getByRole("link", { name: "Newer orders" }).click();
    await expect(page).toHaveURL(/\/orders\?page=1$/);
    await rows.last().click();
    await expect(page).toHaveURL(new RegExp(`/order-confirmation/${first.id}$`));
    await page.getByRole("link", { name: "My Orders" }).last().click();
    await expect(page).toHaveURL(/\/orders$/);
  });

  test("says when the list of orders cannot be read, and retries it", async ({
    page,
    admin,
    member,
    consoleLines,
  }) => {
    await ordered(admin, member);
    consoleLines.expect(/^Failed to load orders/);
    const mend = await breakCalls(page, ORDERS, "GET");
    await page.goto("/orders");
    await expect(page.getByRole("alert")).toContainText("We couldn't load your orders.");
    await mend();
    await page.getByRole("button", { name: "Try Again" }).click();
    await expect(page.getByRole("list", { name: "Orders" }).getByRole("link")).toHaveCount(1);
  });

  test("is accessible, found or not, and so is the list", async ({ page, admin, member }) => {
    const { id } = await ordered(admin, member);
    await page.goto(`/order-confirmation/${id}`);
    await expect(cancelButton(page)).toBeVisible();
    await expectAccessibleAtWidths(page);
    await page.goto("/order-confirmation/unknown");
    await expect(page.getByRole("heading", { name: "Order Not Found" })).toBeVisible();
    await expectAccessibleAtWidths(page);
    await page.goto("/orders");
    await expect(page.getByRole("list", { name: "Orders" })).toBeVisible();
    await expectAccessibleAtWidths(page);
  });
});

test("visitors are redirected from each page for members to the sign-in page", async ({ page }) => {
  for (const path of memberPages) {
    // An order's address names it; the others are pages of their own.
    await page.goto(path === "/order-confirmation" ? `${path}/00000000-0000-4000-8000-000000000000` : path);
    await expect(page).toHaveURL(/\/auth$/);
  }
});
