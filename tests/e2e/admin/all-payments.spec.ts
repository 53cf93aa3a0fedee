import { readFile } from "node:fs/promises";
import { addBook, placeOrder } from "#tests/support/factories.ts";
import { expect, test } from "#tests/support/test.ts";
import { openAdmin } from "./back-office.ts";

test.beforeEach(async ({ context, admin, signIn }) => signIn(context, admin));

test("staff search, total and export payments, and close a day with the amount counted", {
  tag: "@gate",
}, async ({ page, admin, member, consoleLines }) => {
  consoleLines.expect(/^Failed to close the day .*409 takings_changed/);
  const order = await placeOrder(member, await addBook(admin.client, { price: 80, stock_quantity: 9 }), 1);
  // A day that no other test records payments on.
  const day = new Date(Date.now() - (20 + Math.floor(Math.random() * 300)) * 24 * 60 * 60_000)
    .toISOString()
    .slice(0, 10);
  const reference = `MP ${crypto.randomUUID().slice(0, 8)}`;
  const record = (amount: number, method: string, text: string) =>
    admin.client
      .rpc("record_payment", {
        _payment_id: crypto.randomUUID(),
        _order_id: order,
        _kind: "payment",
        _method: method,
        _amount: amount,
        _paid_on: day,
        _reference: text,
      })
      .throwOnError();
  await record(30, "mobile_money", reference);
  await record(10, "mobile_money", `MP ${crypto.randomUUID().slice(0, 8)}`);
  await record(20, "cash", "");

  await openAdmin(page, `/admin/payments?from=${day}&to=${day}`, "Payments");
  await expect(page.getByText("Paid GH₵60.00, refunded GH₵0.00")).toBeVisible();
  await page.getByRole("combobox", { name: "Filter by method" }).selectOption("Mobile money");
  await expect(page.getByText("Paid GH₵40.00, refunded GH₵0.00")).toBeVisible();
  await page.getByRole("searchbox").fill(reference.toLowerCase());
  // Until what is found is there, nothing can be exported.
  await expect(page.getByText("Paid GH₵30.00, refunded GH₵0.00")).toBeVisible();
  const row = page.getByRole("table", { name: "Payments" }).getByRole("row", { name: reference });
  await expect(row).toContainText("GH₵30.00");
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download CSV" }).click();
  const file = await readFile(await (await download).path(), "utf8");
  expect(file).toContain(reference);
  expect(file).toContain("30.00");

  await page.goto(`/admin/payments?view=closing&day=${day}`);
  const cash = page.getByRole("region", { name: "Cash" });
  await expect(cash).toContainText("GH₵20.00 in 1 payment");
  await cash.getByLabel("Counted (GH₵)").fill("18.50");
  await expect(cash.getByText("GH₵1.50 short")).toBeVisible();
  await cash.getByLabel("Note (optional)").fill("Gave change twice");
  await cash.getByRole("button", { name: "Close the Day" }).click();
  await expect(cash).toContainText("Gave change twice");
  await expect(cash).toContainText("GH₵1.50 short");
  await expect(page.getByRole("region", { name: "All methods" })).toContainText(/GH₵18\.50.*GH₵1\.50 short/);
  await record(5, "cash", "");
  await page.reload();
  await expect(cash).toContainText("Payments of GH₵5.00 were recorded after closing");
  await cash.getByRole("button", { name: "Count Again" }).click();
  await record(1, "cash", "");
  await cash.getByLabel("Counted (GH₵)").fill("25");
  await cash.getByRole("button", { name: "Close the Day" }).click();
  await expect(
    page.getByText("The payments of this day have changed: the total is now 26.00 cedis."),
  ).toBeVisible();
});
