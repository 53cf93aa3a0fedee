import type { Locator, Page } from "@playwright/test";
import { addBook, newTitle, placeOrder } from "#tests/support/factories.ts";
import { holdMessage } from "#tests/support/messages.ts";
import { expect, expectAccessible, test } from "#tests/support/test.ts";
import { chooseStatus, openAdmin, openOrder } from "./back-office.ts";

test.beforeEach(async ({ context, admin, signIn }) => signIn(context, admin));

/** Waited for: while a list is fetched anew, an element may be replaced by the same one. */
async function boxOf(element: Locator) {
  let box = { x: 0, y: 0, width: 0, height: 0 };
  await expect(async () => {
    const found = await element.boundingBox();
    if (!found) throw new Error("It has no box.");
    box = found;
  }).toPass();
  return box;
}

/** Whether a search box has room for its whole placeholder. */
const showsPlaceholder = (page: Page) =>
  page.getByRole("searchbox").evaluate((box: HTMLInputElement) => {
    box.value = box.placeholder;
    const fits = box.scrollWidth <= box.clientWidth;
    box.value = "";
    return fits;
  });

test("at 1280 px the filters of orders are in one row, and selecting orders moves neither them nor the list", async ({
  page,
  admin,
  member,
}) => {
  const book = await addBook(admin.client);
  for (let order = 0; order < 3; order += 1) await placeOrder(member, book, 1);
  await page.setViewportSize({ width: 1280, height: 800 });
  await openAdmin(page, "/admin/orders", "Order Management");
  const rows = page.getByRole("table", { name: "Orders" }).getByRole("row");
  await expect(rows.nth(3)).toBeVisible();
  const filters = [
    page.getByRole("searchbox"),
    ...["status", "payment", "delivery", "region"].map((name) => page.getByLabel(`Filter by ${name}`)),
  ];
  const tops = async () =>
    Promise.all([...filters, rows.nth(2)].map(async (element) => (await boxOf(element)).y));
  const before = await tops();
  expect(new Set(before.slice(0, filters.length)).size).toBe(1);
  expect(await showsPlaceholder(page)).toBe(true);
  const widthOf = async (name: string) => (await boxOf(page.getByRole("columnheader", { name }))).width;
  expect(await widthOf("Customer")).toBeGreaterThan(await widthOf("Actions"));

  await rows.nth(1).getByRole("checkbox").check();
  await expect(page.getByText("1 order selected")).toBeVisible();
  expect(await tops()).toEqual(before);
  await page.getByRole("button", { name: "Clear selection" }).click();
  await expect(page.getByText("1 order selected")).toHaveCount(0);
  expect(await tops()).toEqual(before);
});

test("at 1280 × 800 the sidebar shows every page, a message lies on it, and a name opens its person's page", async ({
  page,
  admin,
  member,
}) => {
  const book = await addBook(admin.client);
  const order = await placeOrder(member, book, 1);
  await page.setViewportSize({ width: 1280, height: 800 });
  const row = await openOrder(page, order);
  const nav = page.getByRole("navigation", { name: "Back office" });
  expect(await nav.evaluate((list) => list.scrollHeight - list.clientHeight)).toBe(0);
  await chooseStatus(row, "Processing");
  const message = await holdMessage(page, "Order status updated to processing");
  const { x, width } = await boxOf(message);
  expect(x + width).toBeLessThan((await boxOf(page.getByRole("complementary"))).width);
  await row.getByRole("link").first().click();
  await expect(page).toHaveURL(`/admin/users/${member.id}`);
});

test("on a phone, an order's details start with the amount due and name the customer once", async ({
  page,
  admin,
  member,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const order = await placeOrder(member, await addBook(admin.client, { price: 45.5 }), 2, {
    recipient_name: "Reader of the test",
    recipient_email: member.email,
    recipient_phone: "020 123 4567",
  });
  await (await openOrder(page, order)).getByRole("button", { name: /View details/ }).click();
  const dialog = page.getByRole("dialog", { name: "Order Details" });
  await expect(dialog.getByText("GH₵91.00 due", { exact: true })).toBeInViewport();
  for (const text of ["Reader of the test", member.email, "+233 20 123 4567"])
    await expect(dialog.getByText(text)).toHaveCount(1);
  await expect(dialog.getByText("020 123 4567")).toHaveCount(0);
  const documents = ["Packing list", "Delivery note", "Invoice"].map((name) =>
    dialog.getByRole("link", { name }),
  );
  const boxes = await Promise.all(documents.map(boxOf));
  expect(new Set(boxes.map(({ y }) => y)).size).toBe(1);
  expect(new Set(boxes.map(({ height }) => height))).toEqual(new Set([44]));
  await expectAccessible(page);
});

test("lists name the sort order in words, and an empty list shows no count", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await openAdmin(page, "/admin/users", "User Management");
  await expect(page.getByLabel("Sort by").locator("option:checked")).toHaveText("Joined: latest first");
  await page.goto("/admin/quotes?q=no-such-school");
  await expect(page.getByText("No quotes found")).toBeVisible();
  await expect(page.getByText("0 quotes")).toHaveCount(0);
  await page.goto("/admin/quotes?status=declined");
  await expect(page.getByText("No quotes found")).toBeVisible();
});

test("on a phone, the publisher statistics leave the first screen to the books, however long a name is", async ({
  page,
  admin,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const publisher = `${newTitle("Ministry")} Department of Curriculum, Printing and Distribution of School Books`;
  await addBook(admin.client, { publisher });
  await openAdmin(page, "/admin/books", "Book Management");
  const statistics = page.getByRole("list", { name: "Books and stock by publisher" });
  await expect(statistics.getByRole("listitem").first()).toBeVisible();
  await expect(statistics.getByText(publisher)).toBeAttached();
  expect((await boxOf(statistics)).height).toBeLessThan(120);
  await expect(page.getByRole("table", { name: "Book Inventory" }).getByRole("row").first()).toBeInViewport();
  await page.setViewportSize({ width: 1280, height: 800 });
  const search = page.getByRole("searchbox");
  expect((await boxOf(search)).y).toBeLessThan((await boxOf(statistics)).y);
});
