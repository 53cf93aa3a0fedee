import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { addBook, placeOrder, stockOf } from "#tests/support/factories.ts";
import { expectMessage } from "#tests/support/messages.ts";
import { expect, expectAccessibleAtWidths, test } from "#tests/support/test.ts";
import { editBook, numberOf, openAdmin } from "./back-office.ts";

test("the stock card lists, filters and exports every movement of a book", async ({
  page,
  context,
  admin,
  member,
  signIn,
}) => {
  await signIn(context, admin);
  const book = await addBook(admin.client, { stock_quantity: 20 });
  const order = await placeOrder(member, book, 3);
  await admin.client.from("books").update({ stock_quantity: 5 }).eq("id", book.id).throwOnError();
  await openAdmin(page, `/admin/books?q=${encodeURIComponent(book.title)}`, "Book Management");
  await page.getByRole("link", { name: `5 in stock: stock card of ${book.title}` }).click();
  await expect(page.getByRole("heading", { name: book.title })).toBeVisible();
  await expect(page.getByText("5 copies in stock")).toBeVisible();
  const rows = page.getByRole("table", { name: "Stock movements" }).getByRole("row");
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(1)).toContainText(/Changed by hand.*−12.*5$/);
  await expect(rows.nth(2)).toContainText(/Ordered.*−3.*17$/);
  await expectAccessibleAtWidths(page);
  await page.getByRole("combobox", { name: "Filter by reason" }).selectOption("Ordered");
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(1).getByRole("link", { name: String(await numberOf(admin, order)) })).toBeVisible();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download CSV" }).click();
  const file = await readFile(await (await download).path(), "utf8");
  expect(file).toMatch(/Ordered,\d+,.*,-3,17/);
});

const movements = (page: Page) => page.getByRole("table", { name: "Stock movements" }).getByRole("row");

test("the book form asks for a reason only when the stock changed, and the stock card shows it", async ({
  page,
  context,
  admin,
  signIn,
}) => {
  await signIn(context, admin);
  const book = await addBook(admin.client, { isbn: "AB-WHY", stock_quantity: 20, price: 30 });
  const form = await editBook(page, book.title);
  const save = form.getByRole("button", { name: "Update Book" });
  await form.getByLabel("Subject").fill("Geography");
  await form.getByLabel("Stock Quantity").fill("18");
  await save.click();
  const why = form.getByLabel("Why 2 fewer copies?");
  await expect(form.getByText("Choose why the stock has changed")).toBeVisible();
  await expect(why).toBeFocused();
  await expect(why.getByRole("option")).toHaveText([
    "Choose a reason",
    "Damaged",
    "Lost",
    "Sample",
    "Gift",
    "Correction",
  ]);
  await expectAccessibleAtWidths(page);
  await form.getByLabel("Stock Quantity").fill("20");
  await expect(form.getByLabel("Note")).toHaveCount(0);
  await form.getByLabel("Stock Quantity").fill("17");
  await form.getByLabel("Why 3 fewer copies?").selectOption("Damaged");
  await form.getByLabel("Note").fill("Wet in the rain");
  await save.click();
  await expectMessage(page, "Book updated successfully");
  const { data } = await admin.client
    .from("books")
    .select("subject, stock_quantity, price")
    .eq("id", book.id)
    .single();
  expect(data).toEqual({ subject: "Geography", stock_quantity: 17, price: 30 });
  await openAdmin(page, `/admin/stock?book=${book.id}`, "Stock card");
  await expect(movements(page)).toHaveCount(2);
  await expect(movements(page).nth(1)).toContainText(/Damaged.*Wet in the rain.*−3.*17$/);
});

test("staff change stock at the stock card during sales, and a repeated request changes nothing", {
  tag: "@gate",
}, async ({ page, context, admin, member, signIn, consoleLines }) => {
  await signIn(context, admin);
  const book = await addBook(admin.client, { stock_quantity: 5 });
  await openAdmin(page, `/admin/stock?book=${book.id}`, "Stock card");
  await page.getByRole("button", { name: "Change Stock" }).click();
  const dialog = page.getByRole("dialog", { name: "Change stock" });
  const send = dialog.getByRole("button", { name: "Change Stock" });
  await send.click();
  await expect(dialog.getByText("Choose why the stock has changed")).toBeVisible();
  await dialog.getByLabel("Why").selectOption("Lost");
  await dialog.getByLabel("Copies").fill("6");
  await send.click();
  await expect(dialog.getByText("There are only 5 in stock")).toBeVisible();
  await expectAccessibleAtWidths(page);
  await dialog.getByLabel("Copies").fill("2");
  await expect(dialog.getByText("3 copies afterwards")).toBeVisible();
  await dialog.getByLabel("Note").fill("Not on the shelf");

  // The change is made, but its response is lost.
  consoleLines.expect(/^Failed to change the stock/);
  await page.route("**/rpc/change_stock", async (route) => {
    await route.fetch();
    await route.abort();
  });
  await send.click();
  await expectMessage(page, "Failed to change the stock");
  await page.unroute("**/rpc/change_stock");
  await placeOrder(member, book, 1);
  await send.click();
  await expectMessage(page, "Stock changed", "2 copies in stock");
  await expect(dialog).toBeHidden();
  await expect(movements(page)).toHaveCount(3);
  await expect(movements(page).nth(2)).toContainText(/Lost.*Not on the shelf.*−2.*3$/);
  expect(await stockOf(admin.client, book.id)).toBe(2);
});
