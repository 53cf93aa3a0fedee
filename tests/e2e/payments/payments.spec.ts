import type { Page } from "@playwright/test";
import { chooseStatus, numberOf, openOrder, statusOf } from "#tests/e2e/admin/back-office.ts";
import { addBook, placeOrder } from "#tests/support/factories.ts";
import { expectMessage, holdMessage } from "#tests/support/messages.ts";
import { type Paystack, paystackKey, startPaystack } from "#tests/support/paystack.ts";
import { startPreparedShop } from "#tests/support/prepared-folder.ts";
import { START_MS } from "#tests/support/shop-server.ts";
import { test as base, expect, expectAccessible, type Member } from "#tests/support/test.ts";

/** A shop whose customers pay at a stand-in for Paystack. */
const test = base.extend<object, { paystack: Paystack }>({
  paystack: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from the pattern
    async ({}, use) => {
      const paystack = await startPaystack();
      await use(paystack);
      await paystack.stop();
    },
    { scope: "worker" },
  ],
  shop: [
    async ({ paystack }, use) => {
      const shop = await startPreparedShop("empty", {
        PAYSTACK_SECRET_KEY: paystackKey,
        PAYSTACK_URL: paystack.url,
      });
      paystack.sendTo(shop.url);
      await use(shop);
      await shop.stop();
    },
    { scope: "worker", timeout: START_MS + 10_000 },
  ],
});

test.describe.configure({ mode: "serial" });

const orderOf = async (admin: Member, member: Member) =>
  placeOrder(member, await addBook(admin.client, { price: 61.5 }), 2);

const payment = (page: Page) => page.getByRole("region", { name: "Payment" });

test("a customer pays with mobile money, which is declined at first, and staff refund part of it", {
  tag: "@gate",
}, async ({ page, context, paystack, admin, member, signIn, browser }) => {
  const order = await orderOf(admin, member);
  await signIn(context, member);
  await page.goto(`/order-confirmation/${order}`);
  await expect(payment(page)).toContainText("Due");
  await expect(payment(page)).toContainText("GH₵123.00");
  await expectAccessible(page);

  await payment(page).getByRole("button", { name: "Pay now" }).click();
  await expect(page.getByRole("heading", { name: "Pay GHS 123.00" })).toBeVisible();
  await page.getByRole("button", { name: "Refuse" }).click();
  await expect(page).toHaveURL(`/order-confirmation/${order}`);
  await expect(payment(page)).toContainText("GH₵123.00");
  await expect(payment(page)).toContainText("Your last payment didn't go through.");

  await payment(page).getByRole("button", { name: "Pay now" }).click();
  await page.getByRole("button", { name: "Approve", exact: true }).click();
  await expect(page).toHaveURL(`/order-confirmation/${order}`);
  await expect(payment(page)).toContainText("Paid in full");
  await expect(payment(page).getByRole("button")).toHaveCount(0);
  await page.goto("/orders");
  await expect(page.getByRole("list", { name: "Orders" }).getByRole("listitem").first()).toContainText(
    "Paid",
  );

  const staff = await browser.newContext();
  await signIn(staff, admin);
  const office = await staff.newPage();
  const row = await openOrder(office, order);
  await row.getByRole("button", { name: /View details/ }).click();
  const dialog = office.getByRole("dialog", { name: "Order Details" });
  await expect(dialog).toContainText("Paid in full, GH₵123.00 paid");
  await dialog.getByRole("button", { name: "Refund: Paystack GH₵123.00" }).click();
  await dialog.getByLabel("Amount, GH₵").fill("23");
  await dialog.getByRole("form", { name: "Refund" }).getByRole("button", { name: "Refund" }).click();
  await expectMessage(office, "The refund will be sent to Paystack");
  await expect.poll(() => paystack.refunds.map(({ amount }) => amount)).toEqual([2_300]);
  await page.goto(`/order-confirmation/${order}`);
  await expect(payment(page)).toContainText("Your refund of GH₵23.00 is on its way.");
  paystack.finishRefunds();
  expect(await paystack.tell("refund.processed", paystack.refunds[0]?.reference ?? "")).toBe(200);
  await dialog.getByRole("button", { name: "Close" }).click();
  await row.getByRole("button", { name: /View details/ }).click();
  await expect(dialog).toContainText("Paid in part, GH₵100.00 paid, GH₵23.00 due");
  await expectAccessible(office);
  await staff.close();
});

test("a payment that is approved later appears without a reload", async ({
  page,
  context,
  paystack,
  admin,
  member,
  signIn,
}) => {
  const order = await orderOf(admin, member);
  await signIn(context, member);
  await page.goto("/orders");
  await page.getByRole("button", { name: `Pay now: order ${await numberOf(admin, order)}` }).click();
  await page.getByRole("button", { name: "Approve later" }).click();
  await expect(payment(page)).toContainText("We're waiting for Paystack");
  const reference = [...paystack.transactions.keys()].at(-1) ?? "";
  paystack.approve(reference);
  expect(await paystack.tell("charge.success", reference)).toBe(200);
  await expect(payment(page)).toContainText("Paid in full");
});

test("staff record cash, confirm an amount above what is due, and correct it", { tag: "@gate" }, async ({
  page,
  context,
  admin,
  member,
  signIn,
}) => {
  const order = await orderOf(admin, member);
  await signIn(context, admin);
  const row = await openOrder(page, order);
  await row.getByRole("button", { name: /View details/ }).click();
  const dialog = page.getByRole("dialog", { name: "Order Details" });
  await dialog.getByRole("button", { name: "Record a payment" }).click();
  const form = dialog.getByRole("form", { name: "Record a payment" });
  await form.getByRole("button", { name: "Record" }).click();
  await expect(form).toContainText("Enter the operator's transaction ID");
  await form.getByLabel("Note (optional)").fill("Paid to the driver");
  for (const leave of ["press outside", "Escape"]) {
    if (leave === "Escape") await page.keyboard.press("Escape");
    else await page.mouse.click(5, 5);
    const question = page.getByRole("alertdialog", { name: "Leave without saving?" });
    await question.getByRole("button", { name: "Cancel" }).click();
    await expect(form.getByLabel("Note (optional)")).toHaveValue("Paid to the driver");
  }
  await form.getByLabel("Method").selectOption("Cash");
  await form.getByLabel("Amount, GH₵").fill("200");
  await expectAccessible(page);
  await form.getByRole("button", { name: "Record" }).click();
  const question = page.getByRole("alertdialog", { name: "Record more than is due?" });
  await expect(question).toContainText("GH₵123.00 is due, and this is GH₵200.00.");
  await question.getByRole("button", { name: "Record it" }).click();
  await expectMessage(page, "Payment recorded");
  await expect(dialog).toContainText("GH₵77.00 to refund, GH₵200.00 paid");

  await dialog.getByRole("button", { name: "Correct: Cash GH₵200.00" }).click();
  await dialog.getByLabel("Why").fill("It was the other order");
  await dialog.getByRole("form", { name: "Correct" }).getByRole("button", { name: "Correct" }).click();
  await expectMessage(page, "Payment corrected");
  await expect(dialog).toContainText("Nothing paid yet, GH₵123.00 due");
  await expect(dialog.getByRole("list", { name: "Payments" }).getByRole("listitem")).toHaveCount(2);
});

test("a payment for a cancelled order is listed above the orders until staff decide on it", {
  tag: "@gate",
}, async ({ page, context, browser, admin, member, signIn }) => {
  const order = await orderOf(admin, member);
  await signIn(context, member);
  await page.goto(`/order-confirmation/${order}`);
  await payment(page).getByRole("button", { name: "Pay now" }).click();
  await expect(page.getByRole("heading", { name: "Pay GHS 123.00" })).toBeVisible();
  await member.client.from("orders").update({ status: "cancelled" }).eq("id", order);
  await page.getByRole("button", { name: "Approve", exact: true }).click();
  await expect(payment(page)).toContainText("We're checking one of your payments");

  const staff = await browser.newContext();
  await signIn(staff, admin);
  const office = await staff.newPage();
  await office.goto("/admin/orders");
  const waiting = office.getByRole("region", { name: "Payments that need a decision" });
  await expect(waiting).toContainText("1 payment needs a decision");
  await waiting.getByRole("button", { name: /^Show/ }).click();
  await expect(waiting).toContainText("The order is cancelled.");
  await expectAccessible(office);
  await waiting.getByRole("button", { name: /^Count it/ }).click();
  await waiting.getByRole("form", { name: "Count it" }).getByRole("button", { name: "Count it" }).click();
  await expectMessage(office, "Payment counted");
  await expect(waiting).toHaveCount(0);
  await staff.close();
});

test("cancelling a paid order asks first and says what is owed back, which staff refund or keep", {
  tag: "@gate",
}, async ({ page, context, browser, admin, member, signIn }) => {
  const order = await orderOf(admin, member);
  const number = await numberOf(admin, order);
  await admin.client
    .rpc("record_payment", {
      _payment_id: crypto.randomUUID(),
      _order_id: order,
      _kind: "payment",
      _method: "cash",
      _amount: 123,
      _paid_on: "2026-01-01",
    })
    .throwOnError();
  await signIn(context, member);
  await page.goto(`/order-confirmation/${order}`);
  await page.getByRole("button", { name: "Cancel Order" }).click();
  await expect(page.getByRole("alertdialog")).toContainText("We'll refund the GH₵123.00 that you have paid.");
  await page.getByRole("button", { name: "Keep order" }).click();

  const staff = await browser.newContext();
  await signIn(staff, admin);
  const office = await staff.newPage();
  const row = await openOrder(office, order);
  await chooseStatus(row, "Cancelled");
  const question = office.getByRole("dialog", { name: `Set order ${number} to Cancelled?` });
  await expect(question).toContainText("GH₵123.00 has been paid and has to be refunded.");
  await expect(question.getByRole("checkbox")).toHaveCount(0);
  await expectAccessible(office);
  await question.getByRole("button", { name: "Keep Order" }).click();
  await expect(statusOf(row)).toContainText("Pending");
  await chooseStatus(row, "Cancelled");
  await question.getByRole("button", { name: "Set 1 Order to Cancelled" }).click();
  await expectMessage(office, "1 order set to cancelled");
  await expect(row).toContainText("GH₵123.00 to refund");

  await office.goto("/admin");
  await office.getByRole("link", { name: /To refund/ }).click();
  await expect(row).toContainText("GH₵123.00 to refund");
  await row.getByRole("button", { name: /View details/ }).click();
  const dialog = office.getByRole("dialog", { name: "Order Details" });
  await dialog.getByRole("button", { name: "Record a refund" }).click();
  const form = dialog.getByRole("form", { name: "Record a refund" });
  await expect(form.getByLabel("What happened")).toHaveValue("refund");
  await expect(form.getByLabel("Amount, GH₵")).toHaveValue("123.00");
  await expect(form.getByLabel("Method")).toHaveValue("cash");
  await form.getByLabel("Amount, GH₵").fill("100");
  await form.getByRole("button", { name: "Record" }).click();
  await expectMessage(office, "Refund recorded");
  await expect(dialog).toContainText("GH₵23.00 to refund, GH₵23.00 paid");

  await dialog.getByRole("button", { name: "Keep the money" }).click();
  const keep = dialog.getByRole("form", { name: "Keep the money" });
  await expect(keep.getByLabel("Total to keep, GH₵")).toHaveValue("23.00");
  await keep.getByRole("button", { name: "Keep" }).click();
  await expect(keep).toContainText("Say why");
  await keep.getByLabel("Why").fill("Used for order 1042");
  await expectAccessible(office);
  await keep.getByRole("button", { name: "Keep" }).click();
  const kept = await holdMessage(office, "GH₵23.00 kept");
  await expect(dialog).toContainText("Nothing to pay or refund, GH₵23.00 paid, GH₵23.00 of it kept");
  await expect(dialog).toContainText("Kept GH₵23.00: Used for order 1042");
  await page.reload();
  await expect(payment(page)).toContainText("Kept by the shopGH₵23.00");
  await kept.getByRole("button", { name: "Undo" }).click();
  await expectMessage(office, "The money is owed back again");
  await expect(dialog).toContainText("GH₵23.00 to refund, GH₵23.00 paid");
  await page.reload();
  await expect(payment(page)).toContainText("We'll refund the GH₵23.00 we owe you.");
  await expectAccessible(page);
  await staff.close();
});
