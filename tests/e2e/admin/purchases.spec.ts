import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { bookPath } from "#app/features/books/book-address.ts";
import { addBook, dataOf } from "#tests/support/factories.ts";
import { expectMessage } from "#tests/support/messages.ts";
import { listMails } from "#tests/support/outbox.ts";
import { expect, expectAccessibleAtWidths, type Member, test } from "#tests/support/test.ts";
import { openAdmin, otherBrowser } from "./back-office.ts";

const newName = () => `Longhorn ${randomUUID().slice(0, 8)}`;

async function addSupplier({ client }: Member, values: Record<string, string | number> = {}) {
  const [id, name] = [randomUUID(), newName()];
  await dataOf(
    client.rpc("save_supplier", {
      _id: id,
      _name: name,
      _currency: "GBP",
      _discount: 30,
      _email: "orders@longhorn.example",
      ...values,
    }),
  );
  return { id, name };
}

/** A purchase order of 10 copies of a book at 12.50 less 30 %, as a draft of version 2. */
async function beginPurchase({ client }: Member, supplier: { id: string }, book: { id: string }) {
  const id = randomUUID();
  await dataOf(client.rpc("create_purchase_order", { _id: id, _supplier_id: supplier.id }));
  const lines = [{ book_id: book.id, copies: 10, list_price: 12.5, discount: 30 }];
  await dataOf(client.rpc("update_purchase_order", { _id: id, _version: 1, _lines: lines }));
  return id;
}

/** The number that the message about a purchase order names. */
async function sentReference(page: Page): Promise<string> {
  const message = page.getByRole("region", { name: "Messages" }).getByText(/^PO\d{4}-\d{4,} marked as sent$/);
  return ((await message.textContent()) ?? "").split(" ")[0] ?? "";
}

/** Presses Tab until the control of this name has the focus. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const wanted = page.getByRole("main").or(page.getByRole("dialog")).locator(":focus");
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press("Tab");
    const found = await wanted.last().evaluateAll((nodes) =>
      nodes.map((node) => {
        const label = (node as HTMLInputElement).labels?.[0]?.textContent;
        return node.getAttribute("aria-label") ?? label ?? node.textContent ?? "";
      }),
    );
    const matches = (text: string) => (typeof name === "string" ? text.trim() === name : name.test(text));
    if (found.some(matches)) return;
  }
  throw new Error(`No control ${name} within 60 presses of Tab`);
}

test.beforeEach(async ({ context, admin, signIn }) => signIn(context, admin));

test("with the keyboard alone, staff add a supplier, see what is missing, change it, and delete it", async ({
  page,
}) => {
  const name = newName();
  await openAdmin(page, "/admin/suppliers", "Suppliers");
  await page.getByRole("button", { name: "Add Supplier" }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Add supplier" });
  await expect(dialog).toBeVisible();
  await tabTo(page, "Add Supplier");
  await page.keyboard.press("Enter");
  await expect(dialog.getByText("Name is required")).toBeVisible();
  await expect(dialog.getByLabel("Name")).toBeFocused();
  await page.keyboard.type(name);
  await tabTo(page, /^Email address/);
  await page.keyboard.type("orders@longhorn");
  await tabTo(page, /^Usual discount/);
  await page.keyboard.type("101");
  await page.keyboard.press("Enter");
  await expect(dialog.getByText("Enter a valid email address")).toBeVisible();
  await expect(dialog.getByText("Enter a number from 0 to 100")).toBeVisible();
  await expect(dialog.getByLabel("Email address (optional)")).toBeFocused();
  await page.keyboard.type(".example");
  await dialog.getByLabel("Usual discount, % (optional)").fill("32.5");
  await expectAccessibleAtWidths(page);
  await page.keyboard.press("Enter");
  await expectMessage(page, `${name} added`);

  const row = page.getByRole("table", { name: "Suppliers" }).getByRole("row").filter({ hasText: name });
  await expect(row).toContainText("orders@longhorn.example");
  await expect(row).toContainText("32.5%");
  await row.getByRole("button", { name: `Edit ${name}` }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "Edit supplier" })).toBeVisible();
  await tabTo(page, /^Hidden/);
  await page.keyboard.press("Space");
  await tabTo(page, "Save");
  await page.keyboard.press("Enter");
  await expectMessage(page, `${name} saved`);
  await expect(row.getByText("Hidden", { exact: true })).toBeVisible();

  await row.getByRole("button", { name: `Delete ${name}` }).focus();
  await page.keyboard.press("Enter");
  const question = page.getByRole("alertdialog", { name: `Delete ${name}?` });
  await expect(question).toBeVisible();
  await question.getByRole("button", { name: "Delete" }).press("Enter");
  await expectMessage(page, `${name} deleted`);
  await expect(row).toHaveCount(0);
});

test("a supplier that has been ordered from can't be deleted, and a hidden one is not offered", async ({
  page,
  admin,
}) => {
  const ordered = await addSupplier(admin);
  const hidden = await addSupplier(admin, { _hidden: "true" });
  await beginPurchase(admin, ordered, await addBook(admin.client));
  await openAdmin(page, "/admin/suppliers", "Suppliers");
  await expect(page.getByRole("button", { name: `Delete ${hidden.name}` })).toBeVisible();
  await expect(page.getByRole("button", { name: `Edit ${ordered.name}` })).toBeVisible();
  await expect(page.getByRole("button", { name: `Delete ${ordered.name}` })).toHaveCount(0);
  await openAdmin(page, "/admin/purchases", "Purchases");
  await page.getByRole("button", { name: "New Purchase Order" }).click();
  const choice = page.getByRole("dialog").getByLabel("Supplier");
  await expect(choice.getByRole("option", { name: `${ordered.name} (GBP)` })).toHaveCount(1);
  await expect(choice.getByRole("option", { name: `${hidden.name} (GBP)` })).toHaveCount(0);
});

test("customers see that more copies are on their way, until the purchase order is cancelled", async ({
  page,
  admin,
}) => {
  await admin.client.rpc("update_settings", { _values: { moreOnTheWay: true }, _seen: {} }).throwOnError();
  const book = await addBook(admin.client, { stock_quantity: 0 });
  const id = await beginPurchase(admin, await addSupplier(admin), book);
  const shows = async (words: string[]) => {
    await page.goto(bookPath(book));
    await expect(page.getByText(/^(Out of stock|More on their way)$/)).toHaveText(words);
  };
  await shows(["Out of stock"]);
  await dataOf(admin.client.rpc("send_purchase_order", { _id: id, _version: 2 }));
  await expect(() => shows(["Out of stock", "More on their way"])).toPass();
  await admin.client.rpc("cancel_purchase_order", { _id: id, _version: 3 }).throwOnError();
  await expect(() => shows(["Out of stock"])).toPass();
});

test("with the keyboard alone, staff begin a purchase order, add a book, mark it as sent, email it, and get its file", async ({
  page,
  admin,
  shop,
}) => {
  const supplier = await addSupplier(admin);
  const book = await addBook(admin.client, { stock_quantity: 4 });
  await openAdmin(page, "/admin/purchases", "Purchases");
  await page.getByRole("button", { name: "New Purchase Order" }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "New purchase order" });
  await expect(dialog.getByLabel("Supplier")).toBeVisible();
  await dialog.getByLabel("Supplier").focus();
  await page.keyboard.type(supplier.name);
  await expect(dialog.getByLabel("Supplier")).toHaveValue(supplier.id);
  await tabTo(page, "Begin");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Purchase order", exact: true })).toBeVisible();

  await expect(page.getByLabel("Add a book")).toBeVisible();
  await page.getByRole("button", { name: "Mark as Sent" }).press("Enter");
  await expect(page.getByRole("alert")).toHaveText("Add at least one book.");
  await page.getByLabel("Add a book").focus();
  await page.keyboard.type(book.title);
  await expect(page.getByRole("button", { name: `Add ${book.title}` })).toBeVisible();
  await page.keyboard.press("Enter");
  const copies = page.getByLabel(`Copies of ${book.title}`);
  await expect(copies).toHaveValue("1");
  await expect(page.getByLabel(`Discount, % of ${book.title}`)).toHaveValue("30");
  // The supplier's prices are in pounds: the shop's is no start.
  await page.getByRole("button", { name: "Save and Mark as Sent" }).press("Enter");
  await expect(page.getByRole("alert")).toContainText("Check the marked fields");
  await expect(page.getByLabel(`List price of ${book.title}`)).toHaveAttribute("aria-invalid", "true");
  await copies.focus();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("300");
  await page.keyboard.press("Tab");
  await page.keyboard.type("9.99");
  await page.keyboard.press("Tab");
  await page.keyboard.type("33.33");
  await expect(page.getByRole("definition").filter({ hasText: "GBP 1,998.10" })).toBeVisible();
  await expectAccessibleAtWidths(page);
  await page.getByRole("button", { name: "Save and Mark as Sent" }).press("Enter");
  const reference = await sentReference(page);

  await page.getByRole("button", { name: "Email the Supplier" }).press("Enter");
  const emails = page.getByRole("list", { name: "Emails to the supplier" });
  await expect(emails).toContainText("Sent", { timeout: 30_000 });
  await expect(page.getByRole("button", { name: "Email the Supplier" })).toBeHidden();
  const received = async () =>
    (await listMails(shop.dataDir)).filter(({ subject }) => subject.includes(`purchase order ${reference}`));
  expect((await received()).map(({ to }) => to)).toEqual(["orders@longhorn.example"]);
  await page.getByRole("button", { name: /^Send again/ }).press("Enter");
  await expect.poll(async () => (await received()).length, { timeout: 30_000 }).toBe(2);
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "CSV" }).press("Enter");
  const file = await download;
  expect(file.suggestedFilename()).toBe(`${reference}.csv`);
  const text = await readFile(await file.path(), "utf8");
  expect(text).toContain("ISBN,Title,Publisher,Copies,List price,Discount %,Amount,Currency");
  expect(text).toContain(`,300,9.99,33.33,1998.10,GBP`);

  await page.getByRole("link", { name: "Print" }).press("Enter");
  const sheet = page.getByRole("article", { name: "Purchase order" });
  await expect(sheet).toContainText(reference);
  await expect(sheet).toContainText(supplier.name);
  await expect(sheet).toContainText("GBP 1,998.10");
  await expectAccessibleAtWidths(page);
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("button", { name: "Print" })).toBeHidden();
  await expect(page.getByRole("link", { name: "Back to the purchase order" })).toBeHidden();

  await page.emulateMedia({ media: "screen" });
  await openAdmin(page, `/admin/purchases?q=${reference}`, "Purchases");
  const row = page
    .getByRole("table", { name: "Purchase orders" })
    .getByRole("row")
    .filter({ hasText: reference });
  await expect(row).toContainText("Sent");
  await expect(row).toContainText("GBP 1,998.10");
});

test("a change by another admin is shown and never overwritten, and cancelling keeps the number", {
  tag: "@gate",
}, async ({ page, browser, admin, signIn, consoleLines }) => {
  const book = await addBook(admin.client);
  const id = await beginPurchase(admin, await addSupplier(admin), book);
  await openAdmin(page, `/admin/purchases/${id}`, "Purchase order");
  await page.getByLabel(`Copies of ${book.title}`).fill("7");
  const other = await otherBrowser(browser, signIn, admin);
  await openAdmin(other, `/admin/purchases/${id}`, "Purchase order");
  await other.getByRole("button", { name: "Mark as Sent" }).click();
  const reference = await sentReference(other);

  consoleLines.expect(/^Failed to save the purchase order \(BackendFailure: 409 purchase_order_changed\)/);
  await page.getByRole("button", { name: "Save Draft" }).click();
  await expectMessage(
    page,
    "Failed to save the purchase order",
    "This purchase order has since been changed. Please check it again.",
  );
  await expect(page.getByLabel(`Copies of ${book.title}`)).toHaveValue("7");
  await page.getByRole("button", { name: "Show the Latest Version" }).click();
  await expect(page.getByLabel(`Copies of ${book.title}`)).toHaveValue("10");

  await page.getByRole("button", { name: "Cancel Order" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Cancel Order" }).click();
  await expectMessage(page, "Purchase order cancelled");
  await expect(page.getByText("Cancelled", { exact: true })).toBeVisible();
  await expect(page.getByText(reference, { exact: true })).toBeVisible();
});
