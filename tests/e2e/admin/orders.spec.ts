import { randomUUID } from "node:crypto";
import { addBook, placeOrder, stockOf } from "#tests/support/factories.ts";
import { holdBack } from "#tests/support/intercept.ts";
import { expectMessage, holdMessage } from "#tests/support/messages.ts";
import { expect, test } from "#tests/support/test.ts";
import {
  chooseStatus,
  numberOf,
  openAdmin,
  openOrder,
  otherBrowser,
  shortId,
  statusOf,
} from "./back-office.ts";

test.beforeEach(async ({ context, admin, signIn }) => signIn(context, admin));

test("the table shows number, customer, total, status and date, and finds an order by any of its details", async ({
  page,
  admin,
  member,
}) => {
  const order = await placeOrder(member, await addBook(admin.client, { price: 617.25 }), 2);
  const row = await openOrder(page, order);
  const table = page.getByRole("table", { name: "Orders" });
  for (const name of ["Order ID", "Customer", "Total", "Status", "Date", "Actions"])
    await expect(table.getByRole("columnheader", { name, exact: true })).toBeVisible();
  const number = `No. ${await numberOf(admin, order)}`;
  for (const text of [shortId(order), number, "Reader of the test", member.email, "GH₵1,234.50", "Pending"])
    await expect(row).toContainText(text);
  const linesOfTotal = await row.getByText("GH₵1,234.50").evaluate((cell) => {
    const range = document.createRange();
    range.selectNodeContents(cell);
    return range.getClientRects().length;
  });
  expect(linesOfTotal).toBe(1);

  const search = page.getByRole("searchbox", { name: "Number, name, email, phone" });
  for (const typed of [
    shortId(order),
    order.slice(-8),
    `#${order.slice(-8)}`,
    `No. ${await numberOf(admin, order)}`,
    member.email,
    "020 987 6543",
  ]) {
    // From an empty list, so that the row can only be the answer.
    await search.fill("no such order");
    await expect(page.getByText("No orders found", { exact: true })).toBeVisible();
    await search.fill(typed);
    await expect(row).toBeVisible();
  }
  await page.getByLabel("Filter by status").selectOption("delivered");
  await expect(page).toHaveURL(/status=delivered/);
  await expect(row).toBeHidden();
  await page.getByLabel("Filter by status").selectOption("pending");
  await expect(row).toBeVisible();
});

test("sets any status after any other, one at a time, and keeps the history", async ({
  page,
  admin,
  member,
}) => {
  const book = await addBook(admin.client, { stock_quantity: 10 });
  const order = await placeOrder(member, book, 4);
  const row = await openOrder(page, order);
  const release = await holdBack(page, /rest\/v1\/orders/);
  await chooseStatus(row, "Delivered");
  await expect(statusOf(row)).toHaveText("Delivered");
  // A choice while the first one is saved does nothing.
  await chooseStatus(row, "Shipped");
  await expect(statusOf(row)).toHaveText("Delivered");
  release();
  await expectMessage(page, "Order status updated to delivered");
  for (const name of ["Pending", "Cancelled", "Delivered", "Processing"]) {
    const status = name.toLowerCase();
    await expect(row.locator("[aria-busy=true]")).toHaveCount(0);
    await chooseStatus(row, name);
    await expectMessage(page, `Order status updated to ${status}`);
    await expect(row.getByText(status, { exact: true })).toBeVisible();
  }
  // Cancelled gave them back, delivered took them again.
  expect(await stockOf(admin.client, book.id)).toBe(6);

  await row.getByRole("button", { name: /View details/ }).click();
  const details = page.getByRole("dialog", { name: "Order Details" });
  await expect(details.getByRole("listitem").filter({ hasText: "cancelled to delivered" })).toContainText(
    "by ",
  );
  await expect(details.getByRole("listitem")).toHaveText([
    /placed/,
    /pending to delivered/,
    /delivered to pending/,
    /pending to cancelled/,
    /cancelled to delivered/,
    /delivered to processing/,
  ]);
});

test("an order that its customer has since cancelled is not shipped, and the list says so", {
  tag: "@gate",
}, async ({ page, admin, member, consoleLines }) => {
  consoleLines.expect(/^Failed to update order status \(BackendFailure: 409 order_changed\)/);
  const book = await addBook(admin.client, { stock_quantity: 10 });
  const order = await placeOrder(member, book, 4);
  const row = await openOrder(page, order);
  await expect(statusOf(row)).toHaveText("Pending");
  const cancelled = await member.client.from("orders").update({ status: "cancelled" }).eq("id", order);
  expect(cancelled.error).toBeNull();
  await chooseStatus(row, "Delivered");
  await expectMessage(
    page,
    "Failed to update order status",
    "This order is now cancelled. Check it before you change its status.",
  );
  await expect(statusOf(row)).toHaveText("Cancelled");
  expect(await stockOf(admin.client, book.id)).toBe(10);
});

test("deleting needs no confirmation; Undo restores the order, its lines and what they took from the stock", {
  tag: "@gate",
}, async ({ page, admin, member }) => {
  const book = await addBook(admin.client, { stock_quantity: 10 });
  const order = await placeOrder(member, book, 4);
  const row = await openOrder(page, order);
  await row.getByRole("button", { name: `Delete order ${shortId(order)}` }).click();
  const message = await holdMessage(
    page,
    "Order deleted successfully",
    "You can also restore it later in Activity.",
  );
  await expect(page.getByText("No orders found", { exact: true })).toBeVisible();
  expect(await stockOf(admin.client, book.id)).toBe(10);

  await message.getByRole("button", { name: "Undo" }).click();
  await expectMessage(page, "Order restored");
  await expect(row).toBeVisible();
  expect(await stockOf(admin.client, book.id)).toBe(6);
  const { data } = await admin.client.from("order_items").select("quantity, title").eq("order_id", order);
  expect(data).toEqual([{ quantity: 4, title: book.title }]);
  // Whether it was the newest or not: it had been seen before.
  await expect(page.getByText("1 new order", { exact: true })).toBeHidden();
});

for (const [notice, address] of [
  ["emails that were not sent", /admin_count_unsent_emails/],
  ["payments that need a decision", /admin_count_payments_to_decide/],
] as const)
  test(`orders cannot be clicked until the notice of ${notice} above them has loaded`, async ({
    page,
    admin,
    member,
  }) => {
    await placeOrder(member, await addBook(admin.client), 1);
    const release = await holdBack(page, address);
    const listed = page.waitForResponse(/admin_list_orders/);
    await page.goto(`/admin/orders?q=${member.email}`);
    await (await listed).finished();
    const button = page.getByRole("button", { name: /^Delete order/, includeHidden: true });
    await expect(button).toBeAttached();
    await expect(button).toBeHidden();
    release();
    await expect(button).toBeVisible();
  });

test("the list of orders shows after two seconds at most, whatever becomes of the notices above it", async ({
  page,
  admin,
  member,
}) => {
  await placeOrder(member, await addBook(admin.client), 1);
  const release = await holdBack(page, /admin_count_unsent_emails/);
  await page.goto(`/admin/orders?q=${member.email}`);
  await expect(page.getByRole("button", { name: /^Delete order/ })).toBeVisible();
  release();
});

test("a double click deletes one order, once, whether the response arrives before its second click or after", async ({
  page,
  admin,
  member,
}) => {
  const book = await addBook(admin.client);
  for (let order = 0; order < 3; order += 1) await placeOrder(member, book, 1);
  await openAdmin(page, `/admin/orders?q=${member.email}`, "Order Management");
  const buttons = page.getByRole("button", { name: /^Delete order/ });
  await expect(buttons).toHaveCount(3);
  let requested = 0;
  page.on("request", (request) => {
    if (request.method() === "DELETE") requested += 1;
  });
  const box = await buttons.first().boundingBox();
  if (!box) throw new Error("The button has no place");
  await page.mouse.click(box.x + 20, box.y + 20);
  await expect(buttons).toHaveCount(2);
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
  // Reading an order takes longer than asking for a deletion would have.
  await page
    .getByRole("button", { name: /^View details/ })
    .first()
    .click();
  await expect(page.getByRole("dialog").getByText("Status history")).toBeVisible();
  await page.keyboard.press("Escape");
  expect(requested).toBe(1);

  const release = await holdBack(page, /rest\/v1\/orders/);
  // Two clicks, slower than a double click.
  await buttons.first().click();
  await buttons.first().click();
  release();
  await expect(buttons).toHaveCount(1);
  expect(requested).toBe(2);
  await expect(page.getByText("Failed to delete order")).toBeHidden();
});

test("deleting an order that has already been deleted, and restoring one whose copies are sold, say that they failed", async ({
  page,
  browser,
  signIn,
  admin,
  newMember,
  consoleLines,
}) => {
  consoleLines.expect(/^Failed to delete order/);
  consoleLines.expect(/^Failed to restore order/);
  const [first, second] = [await newMember(), await newMember()];
  const book = await addBook(admin.client, { stock_quantity: 3 });
  const order = await placeOrder(first, book, 3);
  const row = await openOrder(page, order);
  const other = await otherBrowser(browser, signIn, admin);
  const sameRow = await openOrder(other, order);
  await row.getByRole("button", { name: /^Delete order/ }).click();
  const message = await holdMessage(page, "Order deleted successfully");
  await placeOrder(second, book, 2);
  await message.getByRole("button", { name: "Undo" }).click();
  await expectMessage(page, "Failed to restore order", `Not enough in stock: ${book.title} (1 left).`);

  await sameRow.getByRole("button", { name: /^Delete order/ }).click();
  await expectMessage(other, "Failed to delete order");
  await other.context().close();
  await openAdmin(page, "/admin/orders", "Order Management");
  await page.route(/rest\/v1\/orders/, (route) => route.fulfill({ status: 500, json: { message: "x" } }));
  await page
    .getByRole("button", { name: /^Delete order/ })
    .first()
    .click();
  await expectMessage(page, "Failed to delete order");
});

test("the details show customer, recipient, address and lines; copies of a delivered order return to stock, which can be undone", {
  tag: "@gate",
}, async ({ page, admin, member }) => {
  const book = await addBook(admin.client, { stock_quantity: 10, price: 12.5 });
  const order = await placeOrder(member, book, 4);
  const row = await openOrder(page, order);
  await expect(row).toContainText("+233 20 987 6543");
  await expect(row).toContainText("Not paid");
  await row.getByRole("button", { name: `View details of order ${shortId(order)}` }).click();
  const details = page.getByRole("dialog", { name: "Order Details" });
  for (const text of [
    "Reader of the test",
    member.email,
    "+233 20 123 4567",
    "GH₵50.00",
    "pending",
    "4 School Lane, Kumasi",
    "Storekeeper of the test",
    "store@school.example",
    "+233 20 987 6543",
  ])
    await expect(details.getByText(text, { exact: true })).toBeVisible();
  for (const phone of ["+233 20 123 4567", "+233 20 987 6543"]) {
    await expect(details.getByRole("link", { name: `Call ${phone}` })).toHaveAttribute(
      "href",
      `tel:${phone.replaceAll(" ", "")}`,
    );
    await expect(details.getByRole("link", { name: `WhatsApp ${phone}` })).toHaveAttribute(
      "href",
      `https://wa.me/${phone.slice(1).replaceAll(" ", "")}`,
    );
  }
  const line = details.getByRole("row").filter({ hasText: book.title });
  await expect(line).toContainText("Collins");
  await expect(line).toContainText("4");
  await expect(line).toContainText("GH₵12.50");
  const returnButton = details.getByRole("button", { name: "Return to stock" });
  await expect(returnButton).toBeHidden();
  await page.keyboard.press("Escape");
  await expect(details).toBeHidden();
  await expect(row.getByRole("button", { name: /View details/ })).toBeFocused();

  await chooseStatus(row, "Delivered");
  await expectMessage(page, "Order status updated to delivered");
  await row.getByRole("button", { name: /View details/ }).click();
  await returnButton.click();
  const form = page.getByRole("dialog", { name: "Return to stock" });
  await form.getByRole("button", { name: "Return All" }).click();
  await form.getByLabel("Why they came back").selectOption("Not collected");
  await form.getByRole("button", { name: "Return 4 Copies" }).click();
  const message = await holdMessage(page, "Copies returned to stock");
  // Without its height it would shrink below the pointer, and grow again.
  const measured = () =>
    message.evaluate((one: HTMLElement) => one.style.getPropertyValue("--initial-height"));
  expect(await measured()).toMatch(/^[1-9]\d*/);
  await expect(returnButton).toBeHidden();
  expect(await stockOf(admin.client, book.id)).toBe(10);
  await message.getByRole("button", { name: "Undo" }).click();
  await expectMessage(page, "Return undone");
  await expect(returnButton).toBeVisible();
  expect(await stockOf(admin.client, book.id)).toBe(6);
});

test("the packing list prints the contents of the parcel and nothing else", async ({
  page,
  admin,
  member,
}) => {
  const book = await addBook(admin.client, { isbn: "9780306406157", price: 20 });
  const order = await placeOrder(member, book, 3);
  const row = await openOrder(page, order);
  await row.getByRole("button", { name: /View details/ }).click();
  await page.getByRole("link", { name: "Packing list" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Packing list" })).toBeVisible();
  const sheet = page.getByRole("main");
  for (const text of ["Storekeeper of the test", "4 School Lane, Kumasi", "+233 20 987 6543", shortId(order)])
    await expect(sheet.getByText(text, { exact: true })).toBeVisible();
  await expect(sheet.getByText(`Order ${await numberOf(admin, order)}, `)).toBeVisible();
  const line = sheet.getByRole("row").filter({ hasText: book.title });
  await expect(line).toContainText("9780306406157");
  await expect(line.getByRole("cell").last()).toHaveText("3");
  await expect(sheet.getByRole("row").filter({ hasText: "Total" })).toContainText("GH₵60.00");

  await page.evaluate(() => {
    window.print = () => document.body.setAttribute("data-printed", "yes");
  });
  await page.getByRole("button", { name: "Print" }).click();
  expect(await page.evaluate(() => document.body.dataset.printed)).toBe("yes");
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("banner")).toBeHidden();
  await expect(page.getByRole("navigation", { name: "Back office" })).toBeHidden();
  await expect(page.getByRole("button", { name: "Print" })).toBeHidden();
  await expect(line).toBeVisible();

  await page.emulateMedia({ media: "screen" });
  await page.goto(`/admin/orders/${randomUUID()}/packing-list`);
  await expect(page.getByText("This order no longer exists.")).toBeVisible();
});

test("an order of a deleted book keeps its title, publisher and price", async ({ page, admin, member }) => {
  const book = await addBook(admin.client, { price: 33, publisher: "CGP" });
  const order = await placeOrder(member, book, 1);
  await admin.client.from("books").delete().eq("id", book.id);
  const row = await openOrder(page, order);
  await row.getByRole("button", { name: /View details/ }).click();
  const line = page.getByRole("dialog").getByRole("row").filter({ hasText: book.title });
  await expect(line).toContainText("CGP");
  await expect(line).toContainText("GH₵33.00");
});
