import { addBook, placeOrder, stockOf } from "#tests/support/factories.ts";
import { expectMessage, holdMessage } from "#tests/support/messages.ts";
import { listMails } from "#tests/support/outbox.ts";
import { expect, expectAccessibleAtWidths, test } from "#tests/support/test.ts";
import {
  chooseStatus,
  numberOf,
  openAdmin,
  openOrder,
  sendStatusEmailsAtOnce,
  statusOf,
} from "./back-office.ts";

test.beforeEach(async ({ admin }) => {
  await sendStatusEmailsAtOnce(admin, false);
  // Those that earlier tests of this shop have left.
  const { data: waiting } = await admin.client.rpc("list_waiting_emails").throwOnError();
  await admin.client.rpc("stop_emails", { _events: waiting.map(({ event }) => event) }).throwOnError();
});

test("changes no status by an arrow key or letter, and keeps the focus when Enter has chosen one", {
  tag: "@gate",
}, async ({ page, context, admin, member, signIn }) => {
  const order = await placeOrder(member, await addBook(admin.client), 1);
  await signIn(context, admin);
  const row = await openOrder(page, order);
  const statusNow = async () =>
    (await admin.client.from("orders").select("status").eq("id", order).single().throwOnError()).data.status;

  const item = (name: string) => row.getByRole("menuitem", { name, exact: true });

  await statusOf(row).focus();
  await page.keyboard.press("d");
  await page.keyboard.press("ArrowDown");
  await expect(item("Pending")).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Escape");
  await expect(statusOf(row)).toBeFocused();
  await expect(statusOf(row)).toHaveText("Pending");
  expect(await statusNow()).toBe("pending");

  // A key that is pressed before the menu is open moves to its first entry.
  await page.keyboard.press("Enter");
  await expect(item("Pending")).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(item("Processing")).toBeFocused();
  await page.keyboard.press("Enter");
  const message = await holdMessage(page, "Order status updated to processing");
  await expect(statusOf(row)).toHaveText("Processing");
  await expect(statusOf(row)).toBeFocused();
  // The message covers no button of the bar.
  const bar = page.getByRole("region", { name: "Emails about to leave" });
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 740 });
    await bar.scrollIntoViewIfNeeded();
    const gap = async () => {
      const [above, below] = [await message.boundingBox(), await bar.boundingBox()];
      return (below?.y ?? 0) - ((above?.y ?? 0) + (above?.height ?? 0));
    };
    await expect.poll(gap).toBeGreaterThanOrEqual(0);
  }
  await page.setViewportSize({ width: 1280, height: 720 });
  expect(await statusNow()).toBe("processing");
  // The menu opens at the status that the order has.
  await page.keyboard.press("Enter");
  await expect(item("Processing")).toBeFocused();
  await page.keyboard.press("Escape");
  // The longest status fits on one line.
  const fits = (button: Element) => button.clientHeight <= 44 && button.scrollWidth <= button.clientWidth;
  expect(await statusOf(row).evaluate(fits)).toBe(true);
});

test("sets statuses back before their emails leave, or stops the emails, one by one and for all", {
  tag: "@gate",
}, async ({ page, context, shop, admin, member, newMember, signIn }) => {
  const book = await addBook(admin.client, { stock_quantity: 9 });
  const reference = `Status ${Date.now()}`;
  const orders = [];
  for (const copies of [1, 2, 3])
    orders.push(
      await placeOrder(copies === 1 ? member : await newMember(), book, copies, {
        customer_reference: reference,
      } as object),
    );
  const numbers = await Promise.all(orders.map((order) => numberOf(admin, order)));
  const told = async () =>
    (await listMails(shop.dataDir)).filter(
      ({ subject }) => /cancelled/i.test(subject) && numbers.some((number) => subject.includes(`${number}`)),
    );
  await signIn(context, admin);
  await openAdmin(page, `/admin/orders?q=${encodeURIComponent(reference)}`, "Order Management");
  await page.getByRole("button", { name: "Select All 3" }).click();
  await page.getByLabel("New status").selectOption("cancelled");
  await page.getByRole("button", { name: "Set Status" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Set 3 Orders to Cancelled" }).click();
  await expectMessage(page, "3 orders set to cancelled");
  expect(await stockOf(admin.client, book.id)).toBe(9);

  const waiting = page.getByRole("region", { name: "Emails about to leave" });
  await expect(waiting).toContainText(/3 orders changed\. The first email leaves in \d+ s\./);
  await expectAccessibleAtWidths(page);
  await waiting.getByText("Each order").click();
  await waiting.getByRole("button", { name: `Don't send: order ${numbers[0]}` }).click();
  await expectMessage(page, "1 email stopped");
  await expect(waiting).toContainText("2 orders changed");
  await waiting.getByRole("button", { name: "Undo: all of them" }).click();
  await expectMessage(page, "2 orders set back");
  await expect(waiting).toHaveCount(0);
  expect(await stockOf(admin.client, book.id)).toBe(4);

  const row = await openOrder(page, orders[0] ?? "");
  await expect(statusOf(row)).toHaveText("Cancelled");
  await row.getByRole("button", { name: /^View details/ }).click();
  const emails = page.getByRole("dialog", { name: "Order Details" }).getByRole("table", { name: "Emails" });
  await expect(emails).toContainText(/Not sent, stopped/);
  expect(await told()).toEqual([]);
  await emails.getByRole("button", { name: /^Send again: .*cancelled/i }).click();
  await expectMessage(page, "The email will be sent again");
  await expect.poll(async () => (await told()).length).toBe(1);
});

test("offers Undo in the message about a new status, and Don't Send beside the order's emails", async ({
  page,
  context,
  admin,
  member,
  signIn,
}) => {
  const order = await placeOrder(member, await addBook(admin.client), 1);
  await signIn(context, admin);
  const row = await openOrder(page, order);
  await chooseStatus(row, "Delivered");
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expectMessage(page, "1 order set back");
  await expect(statusOf(row)).toHaveText("Pending");

  await chooseStatus(row, "Processing");
  await expectMessage(page, "Order status updated to processing");
  await row.getByRole("button", { name: /^View details/ }).click();
  const emails = page.getByRole("dialog", { name: "Order Details" }).getByRole("table", { name: "Emails" });
  await expect(emails).toContainText(/Leaves in \d+ s/);
  await expectAccessibleAtWidths(page);
  await emails.getByRole("button", { name: "Don't send: Status: processing" }).click();
  await expectMessage(page, "1 email stopped");
  await expect(emails).toContainText("Not sent, stopped");
});
