import { addBook, dataOf, placeOrder, stockOf } from "#tests/support/factories.ts";
import { expectMessage } from "#tests/support/messages.ts";
import { listMails } from "#tests/support/outbox.ts";
import { expect, expectAccessibleAtWidths, test } from "#tests/support/test.ts";
import { numberOf, openAdmin, openOrder } from "./back-office.ts";

test("staff remove a book from an order and add another, the customer gets an email, and Activity undoes it", {
  tag: "@gate",
}, async ({ page, context, shop, admin, member, signIn }) => {
  const book = await addBook(admin.client, { price: 50, stock_quantity: 10 });
  const other = await addBook(admin.client, { price: 30, stock_quantity: 3 });
  const order = await placeOrder(member, book, 2);
  const number = await numberOf(admin, order);
  await dataOf(
    admin.client.rpc("record_payment", {
      _payment_id: crypto.randomUUID(),
      _order_id: order,
      _kind: "payment",
      _method: "cash",
      _amount: 100,
      _paid_on: new Date().toISOString().slice(0, 10),
    }),
  );
  await signIn(context, admin);
  const row = await openOrder(page, order);
  await row.getByRole("button", { name: /^View details/ }).click();
  const details = page.getByRole("dialog", { name: "Order Details" });
  await details.getByRole("button", { name: "Change Books" }).click();
  const change = page.getByRole("dialog", { name: "Change books" });
  const save = change.getByRole("button", { name: "Save and Email the Customer" });
  await expect(save).toBeDisabled();
  await change.getByRole("searchbox", { name: "Add a book" }).fill(other.title);
  await expect(change.getByRole("list", { name: "Books found" })).toContainText(other.title);
  await page.keyboard.press("Enter");
  const copies = change.getByRole("spinbutton", { name: `Quantity of ${other.title}` });
  await copies.fill("4");
  await expect(change.getByText("Only 3 left")).toBeVisible();
  // An invalid quantity doesn't stay in the field.
  await copies.fill("0");
  await copies.blur();
  await expect(copies).toHaveValue("4");
  await copies.fill("2");
  await change.getByRole("button", { name: `Remove ${book.title}` }).click();
  await expect(change.getByRole("status").filter({ hasText: "Total" })).toContainText(
    "Total GH₵60.00, was GH₵100.00GH₵100.00 paid, GH₵40.00 to refund",
  );
  await expectAccessibleAtWidths(page);
  await save.click();
  await expectMessage(page, `Order ${number} changed`);
  await expect(change).toHaveCount(0);
  await expect(details.getByText("GH₵40.00 to refund").first()).toBeVisible();
  expect([await stockOf(admin.client, book.id), await stockOf(admin.client, other.id)]).toEqual([10, 1]);
  const mails = async () =>
    (await listMails(shop.dataDir)).filter(({ subject }) =>
      subject.includes(`order ${number} has been changed`),
    );
  await expect.poll(async () => (await mails()).length).toBe(1);
  expect((await mails())[0]?.text).toContain("You've overpaid by GH₵40.00");

  await openAdmin(page, `/admin/activity?q=${number}`, "Activity");
  const entry = page.getByRole("row").filter({ hasText: `2 × ${other.title}` });
  await expect(entry).toContainText(`2 × ${book.title}`);
  await entry.getByRole("button", { name: /^Undo the change to/ }).click();
  await expectMessage(page, "Change undone");
  expect([await stockOf(admin.client, book.id), await stockOf(admin.client, other.id)]).toEqual([8, 3]);
  const undone = await dataOf(
    admin.client.from("orders").select("total_amount, payment_state").eq("id", order).single(),
  );
  expect(undone).toEqual({ total_amount: 100, payment_state: "paid" });
});

test("an order that its customer has just cancelled isn't changed, and staff see why", async ({
  page,
  context,
  admin,
  member,
  signIn,
  consoleLines,
}) => {
  consoleLines.expect(/^Failed to change the order \(BackendFailure: 409 order_not_open\)/);
  const book = await addBook(admin.client, { stock_quantity: 10 });
  const order = await placeOrder(member, book, 2);
  await signIn(context, admin);
  const row = await openOrder(page, order);
  await row.getByRole("button", { name: /^View details/ }).click();
  await page.getByRole("button", { name: "Change Books" }).click();
  const change = page.getByRole("dialog", { name: "Change books" });
  await change.getByRole("spinbutton", { name: `Quantity of ${book.title}` }).fill("5");
  await dataOf(member.client.from("orders").update({ status: "cancelled" }).eq("id", order).select("id"));
  await change.getByRole("button", { name: "Save and Email the Customer" }).click();
  await expectMessage(
    page,
    "Failed to change the order",
    "Only pending and processing orders can be changed. This one is cancelled.",
  );
  expect(await stockOf(admin.client, book.id)).toBe(10);
});

test("another admin's change stays, even if save is clicked again", async ({
  page,
  context,
  admin,
  member,
  signIn,
  consoleLines,
}) => {
  consoleLines.expect(/^Failed to change the order \(BackendFailure: 409 order_changed\)/);
  const book = await addBook(admin.client, { price: 50, stock_quantity: 10 });
  const other = await addBook(admin.client, { price: 30, stock_quantity: 10 });
  const order = await placeOrder(member, book, 2);
  await signIn(context, admin);
  const row = await openOrder(page, order);
  await row.getByRole("button", { name: /^View details/ }).click();
  await page.getByRole("button", { name: "Change Books" }).click();
  const change = page.getByRole("dialog", { name: "Change books" });
  await change.getByRole("spinbutton", { name: `Quantity of ${book.title}` }).fill("5");
  const { updated_at } = await dataOf(
    admin.client.from("orders").select("updated_at").eq("id", order).single(),
  );
  const { error } = await admin.client.rpc("change_order", {
    _order_id: order,
    _updated_at: updated_at,
    _book_ids: [book.id, other.id],
    _quantities: [2, 3],
    _total: 190,
  });
  expect(error).toBeNull();
  const save = change.getByRole("button", { name: "Save and Email the Customer" });
  for (let press = 0; press < 2; press += 1) {
    const answered = page.waitForResponse(/rpc\/change_order/);
    await save.click();
    expect((await answered).status()).toBe(409);
    await expect(save).toBeEnabled();
  }
  expect([await stockOf(admin.client, book.id), await stockOf(admin.client, other.id)]).toEqual([8, 7]);
});
