import type { Page } from "@playwright/test";
import { addBook, placeOrder } from "#tests/support/factories.ts";
import { expect, test } from "#tests/support/test.ts";
import { openAdmin } from "./back-office.ts";

test.beforeEach(async ({ context, admin, signIn }) => signIn(context, admin));

/** Moves the focus with Tab to the button or link of this name. */
async function tabTo(page: Page, name: string | RegExp, key = "Tab"): Promise<void> {
  const wanted = page.getByRole("button", { name }).or(page.getByRole("link", { name }));
  for (let presses = 0; presses < 120; presses += 1) {
    if (await wanted.first().evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`Tab does not reach ${name}`);
}

test("a pasted statement is matched, checked and recorded with only the keyboard", { tag: "@gate" }, async ({
  page,
  admin,
  member,
  consoleLines,
}) => {
  consoleLines.expect(/^Failed to record the payments .*409 payments_refused/);
  const price = (10_000 + Math.floor(Math.random() * 90_000)) / 100;
  const book = await addBook(admin.client, { price, stock_quantity: 9 });
  const orders = [];
  for (let n = 0; n < 3; n += 1) {
    const { data } = await admin.client
      .from("orders")
      .select("id, number")
      .eq("id", await placeOrder(member, book, 1))
      .single()
      .throwOnError();
    orders.push(data);
  }
  const [first, second, third] = orders;
  const id = crypto.randomUUID().slice(0, 8);
  const statement = [
    "Adwene Books;;;;",
    "Date;F_ID;From name;Ref;Amount",
    `23/11/2026 10:15;${id}1;AMA;order ${first?.number};GHS ${price.toFixed(2)}`,
    `23 Nov 2026;${id}2;YAW;for books;${price.toFixed(2)}`,
    `2026-11-23;${id}3;SHOP;rent;-50.00`,
    `23/11/2026;${id}4;KOFI;nothing;0.07 CR`,
  ].join("\n");

  await openAdmin(page, "/admin/payments", "Payments");
  await tabTo(page, "Match a statement");
  await page.keyboard.press("Enter");
  const box = page.getByRole("textbox", { name: "Lines of the statement" });
  await expect(box).toBeVisible();
  await box.focus();
  await page.keyboard.insertText(statement);
  await tabTo(page, "Read Lines");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("combobox", { name: "F_ID is" })).toHaveValue("reference");
  await page.getByRole("combobox", { name: "Method" }).selectOption("Mobile money");
  await tabTo(page, "Find Orders");
  await page.keyboard.press("Enter");

  const table = page.getByRole("table", { name: "Lines of the statement" });
  await expect(table.getByRole("row", { name: "AMA" })).toContainText("The order's number is in the text.");
  await expect(page.getByText("2 lines are left out")).toBeVisible();
  const sum = page.getByRole("region", { name: "Record" }).getByRole("status");
  await expect(sum).toContainText("1 payment, ");

  // Several orders have the amount of the second line: staff choose.
  await tabTo(page, /^Needs a decision 1/);
  await page.keyboard.press("Enter");
  await expect(table.getByRole("row", { name: "YAW" })).toContainText("orders have this amount due.");
  const choice = page.getByRole("combobox", { name: "Order for line 4" });
  await choice.selectOption("Another order…");
  await page.keyboard.type(`#${second?.number}`);
  await page.keyboard.press("Enter");
  await expect(table.getByText(/^You chose this order\./)).toBeVisible();
  await expect(choice).toBeFocused();
  await expect(choice).toHaveValue(second?.id ?? "");
  await expect(sum).toContainText("2 payments, ");

  // Meanwhile another admin records a payment of the amount due for the second order.
  await admin.client
    .rpc("record_payment", {
      _payment_id: crypto.randomUUID(),
      _order_id: second?.id ?? "",
      _kind: "payment",
      _method: "cash",
      _amount: price,
      _paid_on: "2026-11-23",
    })
    .throwOnError();
  await tabTo(page, "Record 2 payments");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Nothing was recorded.")).toBeVisible();
  await expect(page.getByText(`Line 4, order ${second?.number}: Only GH₵0.00 is due.`)).toBeVisible();

  await choice.selectOption({ value: third?.id ?? "" });
  await tabTo(page, "Record 2 payments");
  await page.keyboard.press("Enter");
  await expect(page.getByText(/^2 payments recorded, /)).toBeVisible();
  await tabTo(page, /^Already recorded 2/, "Shift+Tab");
  await page.keyboard.press("Enter");
  await expect(table.getByRole("row", { name: "YAW" })).toContainText(
    `Already recorded for order ${third?.number}.`,
  );
  await expect(page.getByRole("button", { name: "Record 0 payments" })).toBeDisabled();
  const { data: recorded } = await admin.client
    .from("payments")
    .select("order_id, amount, method, reference, paid_on")
    .in("reference", [`${id}1`, `${id}2`])
    .order("reference")
    .throwOnError();
  const same = { amount: price, method: "mobile_money", paid_on: "2026-11-23" };
  expect(recorded).toEqual([
    { order_id: first?.id, reference: `${id}1`, ...same },
    { order_id: third?.id, reference: `${id}2`, ...same },
  ]);

  // The same statement again has nothing to record.
  await tabTo(page, "Another Statement", "Shift+Tab");
  await page.keyboard.press("Enter");
  await page
    .getByLabel("Excel or CSV file")
    .setInputFiles({ name: "november.csv", mimeType: "text/csv", buffer: Buffer.from(statement) });
  await page.getByRole("combobox", { name: "Method" }).selectOption("Mobile money");
  await page.getByRole("button", { name: "Find Orders" }).click();
  await expect(page.getByRole("button", { name: "Already recorded 2" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Order found 0" })).toBeVisible();
});
