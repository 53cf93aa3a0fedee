import { randomUUID } from "node:crypto";
import { addBook, placeOrder, stockOf } from "#tests/support/factories.ts";
import { expectMessage } from "#tests/support/messages.ts";
import { expect, expectAccessibleAtWidths, test } from "#tests/support/test.ts";
import { numberOf, openAdmin, openOrder, otherBrowser } from "./back-office.ts";

test("staff return some copies of an order, which are owed back, and undo it", { tag: "@gate" }, async ({
  page,
  context,
  browser,
  admin,
  member,
  signIn,
}) => {
  const book = await addBook(admin.client, { stock_quantity: 10, price: 20 });
  const order = await placeOrder(member, book, 5);
  await admin.client.from("orders").update({ status: "delivered" }).eq("id", order);
  await admin.client.rpc("record_payment", {
    _payment_id: randomUUID(),
    _order_id: order,
    _kind: "payment",
    _method: "cash",
    _amount: 100,
    _paid_on: "2026-11-01",
  });
  await signIn(context, admin);
  await page.setViewportSize({ width: 360, height: 740 });
  const row = await openOrder(page, order);
  await row.getByRole("button", { name: /^View details/ }).click();
  const details = page.getByRole("dialog", { name: "Order Details" });
  await details.getByRole("button", { name: "Return to stock" }).click();

  const form = page.getByRole("dialog", { name: "Return to stock" });
  const copies = form.getByLabel(`Copies of ${book.title} that came back, at most 5`);
  await copies.fill("6");
  await expect(form.getByText("Enter a number up to 5")).toBeVisible();
  await copies.fill("3");
  await expect(form.getByLabel(`Refund for ${book.title}, GH₵`)).toHaveValue("60.00");
  const unsalable = form.getByLabel(`Of these copies of ${book.title}, those that can't be sold again`);
  await unsalable.fill("4");
  await expect(form.getByText("More copies can't be sold again than came back")).toBeVisible();
  await unsalable.fill("1");
  await form.getByLabel(`Refund for ${book.title}, GH₵`).fill("55");
  await expect(form.getByText("Then GH₵55.00 to refund")).toBeVisible();
  await form.getByRole("button", { name: "Return 3 Copies" }).click();
  await expect(form.getByText("Choose why they came back")).toBeVisible();
  await form.getByLabel("Why they came back").selectOption("Wrong title");
  await expectAccessibleAtWidths(page);
  await form.getByRole("button", { name: "Return 3 Copies" }).click();
  await expectMessage(page, "Copies returned to stock");
  await expect(details.getByText("3 copies returned (wrong title), GH₵55.00 taken off")).toBeVisible();
  await expect(details.getByText("GH₵55.00 to refund", { exact: true }).first()).toBeVisible();
  await expect(details.getByText(`2 × ${book.title}`)).toBeVisible();
  await expect(details.getByText(`1 × ${book.title}, written off`)).toBeVisible();
  expect(await stockOf(admin.client, book.id)).toBe(7);
  await expectAccessibleAtWidths(page);

  const theirs = await otherBrowser(browser, signIn, member);
  await theirs.goto(`/order-confirmation/${order}`);
  await expect(theirs.getByText("Books returned")).toBeVisible();
  await expect(theirs.getByText("We'll refund the GH₵55.00 we owe you.")).toBeVisible();
  await theirs.context().close();

  await details.getByRole("button", { name: /^Undo: 3 copies returned/ }).click();
  await expectMessage(page, "Return undone");
  await expect(details.getByText(/^Undone on .* by/)).toBeVisible();
  expect(await stockOf(admin.client, book.id)).toBe(5);

  await openAdmin(page, `/admin/activity?q=${await numberOf(admin, order)}`, "Activity");
  await expect(page.getByText("Copies returned", { exact: true })).toBeVisible();
  await expect(page.getByText("Return undone", { exact: true })).toBeVisible();
  await expect(page.getByText(`2 × ${book.title}; 1 × ${book.title} (written off)`).first()).toBeVisible();
});
