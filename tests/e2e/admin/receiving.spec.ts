import { randomUUID } from "node:crypto";
import { addBook, dataOf, placeOrder, stockOf } from "#tests/support/factories.ts";
import { expectMessage } from "#tests/support/messages.ts";
import { expect, expectAccessibleAtWidths, type Member, test } from "#tests/support/test.ts";
import { openAdmin } from "./back-office.ts";

/** A sent purchase order in pounds of this many copies of each book. */
async function orderFromSupplier({ client }: Member, books: readonly { id: string }[], copies: number) {
  const [supplier, id] = [randomUUID(), randomUUID()];
  const name = `Longhorn ${supplier.slice(0, 8)}`;
  await dataOf(client.rpc("save_supplier", { _id: supplier, _name: name, _currency: "GBP" }));
  await dataOf(client.rpc("create_purchase_order", { _id: id, _supplier_id: supplier }));
  const lines = books.map(({ id: book_id }) => ({ book_id, copies, list_price: 10, discount: 30 }));
  await dataOf(client.rpc("update_purchase_order", { _id: id, _version: 1, _lines: lines }));
  return { id, reference: await dataOf(client.rpc("send_purchase_order", { _id: id, _version: 2 })) };
}

test.beforeEach(async ({ context, admin, signIn }) => signIn(context, admin));

test("with only the keyboard, staff receive a purchase order with a barcode scanner, with differences, and undo it", async ({
  page,
  admin,
}) => {
  const [ordered, wrong] = [
    await addBook(admin.client, { isbn: `AB-${randomUUID().slice(0, 8)}`, stock_quantity: 0 }),
    await addBook(admin.client, { isbn: `AB-${randomUUID().slice(0, 8)}`, stock_quantity: 1 }),
  ];
  const purchase = await orderFromSupplier(admin, [ordered], 5);
  await openAdmin(page, `/admin/purchases/${purchase.id}`, "Purchase order");
  await page.getByRole("link", { name: "Receive goods" }).press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Receive goods" })).toBeVisible();
  const scanner = page.getByLabel("Scan or type an ISBN");
  await scanner.focus();
  // A wand types and presses Enter, faster than an answer comes.
  for (const isbn of [ordered.isbn, ordered.isbn, ordered.isbn, wrong.isbn]) {
    await page.keyboard.type(isbn ?? "");
    await page.keyboard.press("Enter");
  }
  await expect(page.getByLabel(`Copies of ${ordered.title}`, { exact: true })).toHaveValue("3");
  await expect(page.getByLabel(`Copies of ${wrong.title}`, { exact: true })).toHaveValue("1");
  await page.keyboard.type("9780140328721");
  await page.keyboard.press("Enter");
  await expect(
    page.getByRole("alert").getByText("No book with the ISBN 9780140328721. Set it aside."),
  ).toBeVisible();
  await page.getByLabel(`Damaged copies of ${ordered.title}`).focus();
  await page.keyboard.type("1");
  await expect(page.getByText("1 too few, 1 damaged")).toBeVisible();
  await expect(page.getByText("Not ordered")).toBeVisible();
  await page.getByRole("button", { name: "Book Receipt" }).press("Enter");
  await expect(page.getByText("Enter the day's rate, such as 14.25")).toBeVisible();
  await page.getByLabel("Today's rate: cedis per GBP").focus();
  await page.keyboard.type("14.25");
  await expectAccessibleAtWidths(page);
  await page.getByRole("button", { name: "Book Receipt" }).press("Enter");
  await expectMessage(page, "Received", "4 copies in stock");

  const row = page
    .getByRole("table", { name: "Receipts" })
    .getByRole("row")
    .filter({ hasText: purchase.reference });
  await expect(row).toContainText("1 too few, 1 damaged");
  // 3 copies at 7 pounds; the book that was not ordered has no cost.
  await expect(row).toContainText("GH₵299.25");
  await expectAccessibleAtWidths(page);
  expect([await stockOf(admin.client, ordered.id), await stockOf(admin.client, wrong.id)]).toEqual([3, 2]);
  await row.getByRole("link", { name: purchase.reference }).press("Enter");
  await expect(page.getByText("Partly received", { exact: true })).toBeVisible();
  await expect(page.getByText("3 of 5")).toBeVisible();
  await expect(page.getByRole("button", { name: "Save Draft" })).toHaveCount(0);
  await expectAccessibleAtWidths(page);

  await openAdmin(page, "/admin/receiving", "Receiving");
  await row.getByRole("button", { name: "Undo" }).press("Enter");
  await page.getByRole("alertdialog").getByRole("button", { name: "Undo Receipt" }).press("Enter");
  await expectMessage(page, "Receipt undone");
  await expect(row.getByText("Undone", { exact: true })).toBeVisible();
  expect([await stockOf(admin.client, ordered.id), await stockOf(admin.client, wrong.id)]).toEqual([0, 1]);
});

for (const width of [360, 1280])
  test(`30 titles of a purchase order, one of them incomplete, are in stock after at most 40 keys, at ${width} px`, async ({
    page,
    admin,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    const books = await Promise.all(
      Array.from({ length: 30 }, () =>
        addBook(admin.client, { isbn: `AB-${randomUUID().slice(0, 8)}`, stock_quantity: 0 }),
      ),
    );
    const [first] = books as [(typeof books)[number]];
    const purchase = await orderFromSupplier(admin, books, 12);
    await openAdmin(page, `/admin/receiving/new?purchase=${purchase.id}`, "Receive goods");
    await expect(page.getByLabel(`Copies of ${first.title}`, { exact: true })).toBeVisible();
    let keys = 0;
    const press = async (...pressed: string[]) => {
      for (const key of pressed) await page.keyboard.press(key);
      keys += pressed.length;
    };
    const isFocused = (name: string) =>
      page.evaluate(
        (label) =>
          [document.activeElement?.textContent, document.activeElement?.getAttribute("aria-label")].includes(
            label,
          ),
        name,
      );
    const tabTo = async (name: string) => {
      while (!(await isFocused(name)) && keys < 40) await press("Tab");
    };
    // A barcode scanner could scan at once.
    await expect(page.getByLabel("Scan or type an ISBN")).toBeFocused();
    await tabTo("Fill In Expected Copies");
    await press("Enter");
    await expect(page.getByText("360 copies to add to stock")).toBeVisible();
    await expect(page.getByRole("button", { name: "Fill In Expected Copies" })).toHaveCount(0);
    await tabTo(`Copies of ${first.title}`);
    await press("1", "0");
    await expect(page.getByText("2 too few")).toBeVisible();
    await expectAccessibleAtWidths(page, [width]);
    await press("Control+Enter");
    const rate = page.getByLabel("Today's rate: cedis per GBP");
    await expect(rate).toBeFocused();
    await press("1", "5", "Control+Enter");
    await expectMessage(page, "Received", "358 copies in stock");
    expect(keys).toBeLessThanOrEqual(40);
    for (const [index, book] of books.entries())
      expect(await stockOf(admin.client, book.id)).toBe(index === 0 ? 10 : 12);
  });

test("goods are received without a purchase order, and can't be undone once a customer has ordered one", {
  tag: "@gate",
}, async ({ page, admin, member, consoleLines }) => {
  const book = await addBook(admin.client, { isbn: `AB-${randomUUID().slice(0, 8)}`, stock_quantity: 0 });
  await openAdmin(page, "/admin/receiving", "Receiving");
  await page.getByRole("link", { name: "Receive without an order" }).click();
  await page.getByRole("button", { name: "Book Receipt" }).click();
  await expect(page.getByRole("alert")).toHaveText("Count at least one copy.");
  await page.getByLabel("Scan or type an ISBN").fill(book.isbn ?? "");
  await page.keyboard.press("Enter");
  await page.getByLabel(`Copies of ${book.title}`, { exact: true }).fill("6");
  await page.getByLabel(`Cost per copy of ${book.title}`).fill("21.50");
  await page.getByRole("button", { name: "Book Receipt" }).click();
  await expectMessage(page, "Received", "6 copies in stock");
  const row = page.getByRole("table", { name: "Receipts" }).getByRole("row").filter({ hasText: book.title });
  await expect(row).toContainText("GH₵129.00");
  await placeOrder(member, book, 1);
  consoleLines.expect(/^Failed to undo the receipt \(BackendFailure: 409 receipt_sold\)/);
  await row.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Undo Receipt" }).click();
  await expectMessage(page, "Failed to undo the receipt");
  expect(await stockOf(admin.client, book.id)).toBe(5);
});

test("a count survives closing the tab, in one tab at a time, until it is booked or discarded", async ({
  page,
  context,
  admin,
}) => {
  const [ordered, extra] = [
    await addBook(admin.client, { isbn: `AB-${randomUUID().slice(0, 8)}`, stock_quantity: 0 }),
    await addBook(admin.client, { isbn: `AB-${randomUUID().slice(0, 8)}`, stock_quantity: 0 }),
  ];
  const purchase = await orderFromSupplier(admin, [ordered], 5);
  const address = `/admin/receiving/new?purchase=${purchase.id}`;
  const countOf = (tab: typeof page, book: { title: string }) =>
    tab.getByLabel(`Copies of ${book.title}`, { exact: true });
  await openAdmin(page, address, "Receive goods");
  for (const isbn of [ordered.isbn, extra.isbn, extra.isbn]) {
    await page.getByLabel("Scan or type an ISBN").fill(isbn ?? "");
    await page.keyboard.press("Enter");
  }
  await expect(countOf(page, extra)).toHaveValue("2");
  await page.getByLabel("Today's rate: cedis per GBP").fill("14.25");
  await page.getByLabel("Note (optional)").fill("Delivery note 7");
  await expect(page.getByText("Until then, your count stays in this browser.")).toBeVisible();

  const second = await context.newPage();
  await openAdmin(second, address, "Receive goods");
  await expect(countOf(second, ordered)).toHaveValue("0");
  await expect(countOf(second, extra)).toHaveCount(0);
  await second.close();

  await page.close();
  const later = await context.newPage();
  await openAdmin(later, address, "Receive goods");
  const restored = later.getByText("It hasn't been booked yet.");
  await expect(restored).toBeVisible();
  await expect(countOf(later, ordered)).toHaveValue("1");
  await expect(countOf(later, extra)).toHaveValue("2");
  await expect(later.getByLabel("Today's rate: cedis per GBP")).toHaveValue("14.25");
  await expect(later.getByLabel("Note (optional)")).toHaveValue("Delivery note 7");
  await expectAccessibleAtWidths(later);
  await later.getByRole("button", { name: "Start Again" }).click();
  await later.getByRole("alertdialog").getByRole("button", { name: "Discard" }).click();
  await expect(countOf(later, ordered)).toHaveValue("0");
  await expect(restored).toHaveCount(0);
  await countOf(later, ordered).fill("5");
  // Leaving by a link or by Back asks nothing: nothing is lost.
  await later.getByRole("link", { name: "All receipts" }).click();
  await expect(later.getByRole("heading", { level: 1, name: "Receiving" })).toBeVisible();
  await later.goBack();
  await expect(countOf(later, ordered)).toHaveValue("5");
  await later.getByLabel("Today's rate: cedis per GBP").fill("14");
  await later.getByRole("button", { name: "Book Receipt" }).click();
  await expectMessage(later, "Received", "5 copies in stock");
  await later.goto(address);
  await expect(countOf(later, ordered)).toHaveValue("0");
  await expect(restored).toHaveCount(0);
});
