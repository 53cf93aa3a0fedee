import { addBook, newIsbn, placeOrder } from "#tests/support/factories.ts";
import { expectMessage } from "#tests/support/messages.ts";
import { listMails } from "#tests/support/outbox.ts";
import { expect, expectAccessibleAtWidths, test } from "#tests/support/test.ts";
import {
  chooseStatus,
  numberOf,
  openAdmin,
  openOrder,
  otherBrowser,
  sendStatusEmailsAtOnce,
  statusOf,
} from "./back-office.ts";

test("the customer gets the carrier, parcel number and driver's phone that staff enter when they ship an order", {
  tag: "@gate",
}, async ({ page, context, browser, shop, admin, member, signIn }) => {
  // A new address, so that no other test counts towards its limit.
  const recipient_email = `to-${member.email}`;
  const order = await placeOrder(member, await addBook(admin.client), 2, { recipient_email });
  const number = await numberOf(admin, order);
  await signIn(context, admin);
  const row = await openOrder(page, order);
  await sendStatusEmailsAtOnce(admin);
  await chooseStatus(row, "Shipped");
  const ship = page.getByRole("dialog", { name: "Mark as shipped" });
  await expect(ship.getByLabel("Carrier")).toBeFocused();
  // The order isn't shipped until the dialog is submitted.
  await page.keyboard.press("Escape");
  await expect(ship).toHaveCount(0);
  await expect(statusOf(row)).toHaveText("Pending");
  await expect(statusOf(row)).toBeFocused();

  await chooseStatus(row, "Shipped");
  await page.keyboard.type("VIP bus");
  await page.keyboard.press("Tab");
  await page.keyboard.type("GT 4711-20");
  await expectAccessibleAtWidths(page);
  await page.keyboard.press("Enter");
  await expectMessage(page, "Order status updated to shipped");
  await expect(statusOf(row)).toHaveText("Shipped");
  const mails = async (text: string) =>
    (await listMails(shop.dataDir)).filter(
      (mail) => mail.subject.includes(`order ${number} is on its way`) && mail.text.includes(text),
    );
  await expect
    .poll(
      async () => (await mails("Parcel or bus number: GT 4711-20")).length,
      "to the customer and the recipient",
    )
    .toBe(2);

  // The driver calls an hour later. The recipient has had two copies today: no more.
  await row.getByRole("button", { name: /^View details/ }).click();
  const details = page.getByRole("dialog", { name: "Order Details" });
  await expect(details.getByText("Carrier: VIP bus")).toBeVisible();
  await details.getByRole("button", { name: "Change Shipping Details" }).click();
  const change = page.getByRole("dialog", { name: "Shipping details" });
  await expect(change.getByLabel("Carrier")).toHaveValue("VIP bus");
  await expect(change.getByRole("button", { name: "Save and Email the Customer" })).toBeDisabled();
  await change.getByLabel("Driver's phone").fill("024 412 3456");
  await expectAccessibleAtWidths(page);
  await change.getByRole("button", { name: "Save and Email the Customer" }).click();
  await expectMessage(page, "Shipping details changed");
  await expect(details.getByText("Driver's phone: +233 24 412 3456")).toBeVisible();
  await expect.poll(async () => (await mails("Driver's phone: +233 24 412 3456")).length).toBe(1);

  const theirs = await otherBrowser(browser, signIn, member);
  await theirs.goto(`/order-confirmation/${order}`);
  await expect(theirs.getByText("VIP bus")).toBeVisible();
  await expect(theirs.getByRole("link", { name: "+233 24 412 3456" })).toHaveAttribute(
    "href",
    "tel:+233244123456",
  );
  await expectAccessibleAtWidths(theirs);
  await theirs.context().close();
});

test("shipping an order for collection asks for no details", async ({
  page,
  context,
  admin,
  member,
  signIn,
}) => {
  const order = await placeOrder(member, await addBook(admin.client), 1, {
    delivery_method: "collect",
  } as object);
  await signIn(context, admin);
  const row = await openOrder(page, order);
  await chooseStatus(row, "Shipped");
  await expectMessage(page, "Order status updated to shipped");
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("the shelf place entered in a book's form sorts the pick list", async ({
  page,
  context,
  admin,
  member,
  signIn,
}) => {
  const [near, far] = [
    await addBook(admin.client, { publisher: "Zebra", isbn: newIsbn().isbn13 }),
    await addBook(admin.client, { publisher: "Ant", isbn: newIsbn().isbn13 }),
  ];
  const orders = [await placeOrder(member, near, 2), await placeOrder(member, far, 1)];
  await signIn(context, admin);
  for (const [book, place] of [
    [near, "Rack 2"],
    [far, "Rack 10"],
  ] as const) {
    await openAdmin(page, `/admin/books?q=${encodeURIComponent(book.title)}`, "Book Management");
    await page.getByRole("button", { name: `Edit ${book.title}` }).click();
    const form = page.getByRole("dialog");
    await form.getByLabel("Shelf Place").fill(place);
    await form.getByRole("button", { name: "Update Book" }).click();
    await expectMessage(page, "Book updated successfully");
  }
  await page.goto(`/admin/orders/${orders.join(",")}/pick-list`);
  const rows = page.getByRole("table", { name: "Books to pick" }).getByRole("row");
  await expect(rows.nth(0)).toContainText("Shelf place");
  await expect(rows.nth(1)).toContainText(`Rack 2${near.title}`);
  await expect(rows.nth(2)).toContainText(`Rack 10${far.title}`);
  await expectAccessibleAtWidths(page);
});
