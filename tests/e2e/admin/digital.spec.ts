import type { Page } from "@playwright/test";
import { addCodeTitle, addFileTitle, pdfOf, recordMoney } from "#tests/support/digital-client.ts";
import { addBook, dataOf, newTitle, placeOrder } from "#tests/support/factories.ts";
import { expectMessage } from "#tests/support/messages.ts";
import { expect, expectAccessibleAtWidths, test } from "#tests/support/test.ts";
import { editBook, openAdmin, openBook, openOrder } from "./back-office.ts";

const PIECES = /\/storage\/v1\/object\/digital-files\//;
const heading = "Files and licence codes";

/** The pieces that the page sends, as '0001'. */
function watchPieces(page: Page): string[] {
  const sent: string[] = [];
  page.on("request", (request) => {
    if (PIECES.test(request.url()) && request.method() !== "OPTIONS") sent.push(request.url().slice(-4));
  });
  return sent;
}

const codesLeft = (page: Page) => page.getByRole("region", { name: "Licence codes" }).locator("dd");

test.describe("titles that aren't books", () => {
  test.beforeEach(async ({ context, admin, signIn }) => signIn(context, admin));

  for (const width of [360, 1280])
    test(`staff make a digital title and add a file of several pieces, at ${width} px`, async ({ page }) => {
      await page.setViewportSize({ width, height: 800 });
      await openAdmin(page, "/admin/books", "Book Management");
      await page.getByRole("button", { name: "Add Book" }).click();
      const form = page.getByRole("dialog", { name: "Add New Book" });
      await form.getByRole("radio", { name: "Digital" }).check();
      for (const label of ["ISBN", "Edition", "Stock Quantity", "Shelf Place"])
        await expect(form.getByLabel(label)).toHaveCount(0);
      await expect(form.getByRole("radio", { name: "Files" })).toBeChecked();
      const title = newTitle("Digital Workbook");
      await form.getByLabel("Title").fill(title);
      await form.getByLabel("Publisher").fill("Collins");
      await form.getByLabel("Price (GH₵)").fill("30");
      await expectAccessibleAtWidths(page);
      await form.getByRole("button", { name: "Add Book" }).click();

      await expect(page.getByRole("heading", { level: 1, name: heading })).toBeVisible();
      await expect(page.getByRole("heading", { level: 2, name: title })).toBeVisible();
      await expect(page.getByText("No files yet.")).toBeVisible();
      const sent = watchPieces(page);
      const choose = page.getByLabel("Add a file");
      await choose.setInputFiles({
        name: "page.pdf",
        mimeType: "application/pdf",
        buffer: Buffer.from("<!doctype html>"),
      });
      await expect(page.getByRole("alert")).toHaveText(/^page.pdf is not a PDF, EPUB, ZIP/);
      expect(sent).toEqual([]);

      const name = "Workbook Ɛ 5.pdf";
      await choose.setInputFiles({ name, mimeType: "application/pdf", buffer: pdfOf(9_000_000) });
      await expectMessage(page, `${name} added`);
      expect(sent).toEqual(["0001", "0002", "0003"]);
      await expect(page.getByRole("list", { name: "Files" })).toContainText("PDF, 8.6 MB");
      await expectAccessibleAtWidths(page);

      const row = await openBook(page, title);
      await expect(row).toContainText("Digital");
      await row.getByRole("link", { name: `Digital: files and licence codes of ${title}` }).click();
      await page.getByRole("button", { name: `Remove ${name}` }).click();
      await page.getByRole("button", { name: "Remove File" }).click();
      await expectMessage(page, `${name} removed`);
      await expect(page.getByText("No files yet.")).toBeVisible();
    });

  test("an upload that loses its connection resumes with the missing piece, even after the page was closed", {
    tag: "@gate",
  }, async ({ page, admin }) => {
    const book = await addBook(admin.client, { kind: "digital", digital_by: "file", stock_quantity: 0 });
    await openAdmin(page, `/admin/books/digital?book=${book.id}`, heading);
    const sent = watchPieces(page);
    const file = { name: "Slow.pdf", mimeType: "application/pdf", buffer: pdfOf(9_000_000) };
    let isLost = true;
    await page.route(/digital-files\/.*\/0002$/, (route) => (isLost ? route.abort() : route.continue()));
    const choose = page.getByLabel("Add a file");
    await choose.setInputFiles(file);
    await expect(page.getByText("Paused: no connection. It continues automatically.")).toBeVisible();
    await expect(page.getByText("4.0 MB of 8.6 MB")).toBeVisible();
    await expectAccessibleAtWidths(page);

    await page.reload();
    isLost = false;
    sent.length = 0;
    await choose.setInputFiles(file);
    await expectMessage(page, "Slow.pdf added");
    expect(sent).toEqual(["0002", "0003"]);
  });

  test("staff paste licence codes, see how many there are, and withdraw the free ones", async ({
    page,
    admin,
  }) => {
    const book = await addBook(admin.client, { kind: "digital", digital_by: "code", stock_quantity: 0 });
    await page.setViewportSize({ width: 360, height: 800 });
    await openAdmin(page, `/admin/books/digital?book=${book.id}`, heading);
    const box = page.getByLabel("Add codes");
    const add = page.getByRole("button", { name: "Add Codes" });
    await box.fill(`OK-1\nA\tB\n`);
    await add.click();
    await expect(box).toHaveAccessibleDescription("Paste one column: line 2 has more than one.");
    await expect(codesLeft(page).first()).toHaveText("0");

    const many = Array.from({ length: 1_500 }, (_, index) => `KEY-${index}`);
    await box.fill([" KEY-0 ", ...many, "KEY-7"].join("\r\n"));
    await add.click();
    await expect(page.getByText("1,500 codes added.")).toBeVisible();
    await expect(
      page.getByText("More than once in your list, and added once: KEY-0 and KEY-7."),
    ).toBeVisible();
    await expect(box).toHaveValue("");
    await expect(codesLeft(page).first()).toHaveText("1,500");
    await box.fill("KEY-3\nNEW-1");
    await add.click();
    await expect(page.getByText("1 code added.")).toBeVisible();
    await expect(page.getByText(/^1 code was already here/)).toBeVisible();
    await expectAccessibleAtWidths(page);

    await page.getByRole("button", { name: "Withdraw Free Codes" }).click();
    await expect(page.getByRole("alertdialog", { name: "Withdraw 1,501 free codes?" })).toContainText(
      book.title,
    );
    await page.getByRole("button", { name: "Withdraw Codes" }).click();
    await expectMessage(page, "1,501 codes withdrawn");
    await expect(codesLeft(page).first()).toHaveText("0");
  });

  test("what is typed stays when the kind is switched, and stationery has a barcode", async ({
    page,
    admin,
  }) => {
    await openAdmin(page, "/admin/books", "Book Management");
    await page.getByRole("button", { name: "Add Book" }).click();
    const form = page.getByRole("dialog", { name: "Add New Book" });
    const title = newTitle("Crayons");
    await form.getByLabel("Title").fill(title);
    await form.getByLabel("Publisher").fill("Collins");
    await form.getByLabel("ISBN").fill("6001234567890");
    await form.getByLabel("Edition", { exact: true }).fill("2nd Edition");
    await form.getByLabel("Stock Quantity").fill("12");
    await form.getByRole("radio", { name: "Digital" }).check();
    await form.getByRole("radio", { name: "Licence codes" }).check();
    await form.getByRole("radio", { name: "Stationery" }).check();
    await expect(form.getByLabel("Edition", { exact: true })).toHaveCount(0);
    await expect(form.getByLabel("Barcode")).toHaveValue("6001234567890");
    await expect(form.getByLabel("Stock Quantity")).toHaveValue("12");
    await form.getByRole("radio", { name: "Book", exact: true }).check();
    await expect(form.getByLabel("Edition", { exact: true })).toHaveValue("2nd Edition");
    await form.getByRole("radio", { name: "Stationery" }).check();
    await expectAccessibleAtWidths(page);
    await form.getByRole("button", { name: "Add Book" }).click();
    await expectMessage(page, "Book added successfully");
    expect(await dataOf(admin.client.from("books").select().eq("title", title).single())).toMatchObject({
      kind: "stationery",
      digital_by: null,
      isbn: "6001234567890",
      edition: null,
      stock_quantity: 12,
    });
    await page.goto(`/admin/books?q=${encodeURIComponent(title)}&kind=stationery`);
    const rows = page.getByRole("table", { name: "Book Inventory" }).getByRole("row");
    await expect(rows.filter({ hasText: title })).toContainText("Stationery");
    await page.getByLabel("Filter by kind").selectOption("Digital");
    await expect(page.getByText("No books found")).toBeVisible();
    const edit = await editBook(page, title);
    await expect(edit.getByRole("radio", { name: "Stationery" })).toBeChecked();
  });

  test("an order's codes are shown to staff on request, and the refund dialog says that downloads end", async ({
    page,
    admin,
    member,
  }) => {
    const code = crypto.randomUUID();
    const book = await addCodeTitle(admin.client, [code], { price: 25 });
    const order = await placeOrder(member, book, 1, { delivery_method: "download" } as object);
    await recordMoney(admin.client, order, 25);
    const row = await openOrder(page, order);
    await row.getByRole("button", { name: /^View details/ }).click();
    const details = page.getByRole("dialog", { name: "Order Details" });
    await expect(details.getByText("By download")).toBeVisible();
    await expect(details.getByText(code)).toHaveCount(0);
    await details.getByRole("button", { name: "Show Licence Codes" }).click();
    await expect(details.getByText(code)).toBeVisible();
    await details.getByRole("button", { name: "Record a payment" }).click();
    await details.getByLabel("What happened").selectOption("Money refunded");
    await expect(details.getByText(/can't download this order's digital titles any more/)).toBeVisible();
    await expectAccessibleAtWidths(page);
  });

  test("a packing list leaves out the digital titles of an order", async ({ page, admin, member }) => {
    const paper = await addBook(admin.client, { price: 10 });
    const file = await addFileTitle(admin.client, pdfOf(1_000), "Notes.pdf", { price: 20 });
    await dataOf(member.client.rpc("add_to_cart", { _book_id: file.id, _quantity: 1 }));
    const order = await placeOrder(member, { id: paper.id, price: 30 });
    await openAdmin(page, `/admin/orders/${order}/packing-list`, "Packing list");
    await expect(page.getByText("Its digital titles are not packed.")).toBeVisible();
    await expect(page.getByText(paper.title)).toBeVisible();
    await expect(page.getByText(file.title)).toHaveCount(0);
  });
});
