import type { Page } from "@playwright/test";
import { breakCalls, order, putInCart, shelve } from "#tests/support/shelf.ts";
import { expect, expectAccessible, type Member, test } from "#tests/support/test.ts";

const ORDERS = /\/rest\/v1\/orders/;

async function ordered(admin: Member, member: Member, quantity = 1) {
  const book = await shelve(admin, { price: 50 });
  await putInCart(member, book.id, quantity);
  return { book, id: await order(member, 50 * quantity) };
}

const cancelButton = (page: Page) => page.getByRole("button", { name: "Cancel Order" });

test.describe("an order's page", () => {
  test.beforeEach(async ({ context, member, signIn }) => signIn(context, member));

  test("keeps the names of books that are not sold any more", async ({ page, admin, member }) => {
    const { book, id } = await ordered(admin, member, 2);
    const { error } = await admin.client.from("books").delete().eq("id", book.id);
    expect(error).toBeNull();
    await page.goto(`/order-confirmation/${id}`);
    const items = page.getByRole("list", { name: "Books ordered" });
    await expect(items.getByRole("heading", { name: book.title })).toBeVisible();
    await expect(items).toContainText("2 × GH₵50.00");
  });

  test("names the ISBN of each book, and leaves what is pressed off the paper", async ({
    page,
    admin,
    member,
  }) => {
    const book = await shelve(admin, { price: 50, isbn: "978-0-00-812345-6" });
    await putInCart(member, book.id);
    await page.goto(`/order-confirmation/${await order(member, 50)}`);
    await expect(page.getByText("ISBN 978-0-00-812345-6")).toBeVisible();
    await page.emulateMedia({ media: "print" });
    await expect(page.getByRole("link", { name: /, home$/ })).toBeVisible();
    await expect(page.getByText("ISBN 978-0-00-812345-6")).toBeVisible();
    await expect(page.getByRole("button").or(page.getByRole("link", { name: "Shopping" }))).toHaveCount(0);
    await expect(page.getByRole("contentinfo")).toBeHidden();
  });

  test("cannot be found under a wrong address or by somebody else", async ({ page, admin, newMember }) => {
    const { id } = await ordered(admin, await newMember());
    for (const wrong of [id, "12345678", "00000000-0000-4000-8000-000000000000"]) {
      await page.goto(`/order-confirmation/${wrong}`);
      await expect(page.getByRole("heading", { name: "Order Not Found" })).toBeVisible();
      await expect(page.getByText("We couldn't find the order you're looking for.")).toBeVisible();
    }
  });

  test("logs a failing read and leads to the shop", async ({ page, admin, member, consoleLines }) => {
    const { id } = await ordered(admin, member);
    consoleLines.expect(/^Failed to read the order/);
    await breakCalls(page, ORDERS, "GET");
    await page.goto(`/order-confirmation/${id}`);
    await expect(page).toHaveURL(/\/shop$/);
  });

  test("offers to cancel until the order is delivered, and says when that failed", async ({
    page,
    admin,
    member,
    consoleLines,
  }) => {
    const { id } = await ordered(admin, member);
    await page.goto(`/order-confirmation/${id}`);
    consoleLines.expect(/^Failed to cancel order/);
    const mend = await breakCalls(page, ORDERS, "PATCH");
    await cancelButton(page).click();
    await expect(page.getByText("Failed to cancel order")).toBeVisible();
    await mend();

    await admin.client.from("orders").update({ status: "shipped" }).eq("id", id);
    await page.reload();
    await expect(page.getByRole("heading", { name: "Your order is on its way" })).toBeVisible();
    await expect(cancelButton(page)).toBeVisible();
    await admin.client.from("orders").update({ status: "delivered" }).eq("id", id);
    await cancelButton(page).click();
    await expect(page.getByText("Failed to cancel order")).toBeVisible();
    await expect(page.getByRole("heading", { name: "Your order was delivered" })).toBeVisible();
    await expect(cancelButton(page)).toHaveCount(0);
  });

  test("stands in the list of one's own orders, the newest first", async ({ page, admin, member }) => {
    await page.goto("/orders");
    await expect(page.getByText("You have not ordered anything yet.")).toBeVisible();
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

  test("says when the list of orders cannot be read, and reads it again", async ({
    page,
    admin,
    member,
    consoleLines,
  }) => {
    await ordered(admin, member);
    consoleLines.expect(/^Failed to load orders/);
    const mend = await breakCalls(page, ORDERS, "GET");
    await page.goto("/orders");
    await expect(page.getByRole("alert")).toContainText("Your orders could not be read.");
    await mend();
    await page.getByRole("button", { name: "Try Again" }).click();
    await expect(page.getByRole("list", { name: "Orders" }).getByRole("link")).toHaveCount(1);
  });

  for (const width of [360, 1280]) {
    test(`is accessible at ${width} px, found or not, and so is the list`, async ({
      page,
      admin,
      member,
    }) => {
      const { id } = await ordered(admin, member);
      await page.setViewportSize({ width, height: 800 });
      await page.goto(`/order-confirmation/${id}`);
      await expect(cancelButton(page)).toBeVisible();
      await expectAccessible(page);
      await page.goto("/order-confirmation/unknown");
      await expect(page.getByRole("heading", { name: "Order Not Found" })).toBeVisible();
      await expectAccessible(page);
      await page.goto("/orders");
      await expect(page.getByRole("list", { name: "Orders" })).toBeVisible();
      await expectAccessible(page);
    });
  }
});

test("visitors are sent from orders to the sign-in page", async ({ page }) => {
  for (const path of ["/orders", "/order-confirmation/00000000-0000-4000-8000-000000000000"]) {
    await page.goto(path);
    await expect(page).toHaveURL(/\/auth$/);
  }
});
