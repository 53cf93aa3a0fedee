import type { Page } from "@playwright/test";
import { isbn13CheckDigit } from "#app/features/books/isbn.ts";
import { addBook, type Member, newTitle, stockOf } from "#tests/support/factories.ts";
import { expectMessage } from "#tests/support/messages.ts";
import { expect, test } from "#tests/support/test.ts";
import { openAdmin } from "./back-office.ts";

/** An ISBN-13 of the test's own, from the range 978-9988 of Ghana. */
function newIsbn(): string {
  const digits = `9789988${Math.floor(Math.random() * 100_000)
    .toString()
    .padStart(5, "0")}`;
  return digits + isbn13CheckDigit(digits);
}

/** As an ISBN-10 of the same book, hyphenated. */
function asIsbn10(isbn13: string): string {
  const first = isbn13.slice(3, 12);
  const sum = [...first].reduce((all, digit, at) => all + Number(digit) * (10 - at), 0);
  const check = (11 - (sum % 11)) % 11;
  return `${first.slice(0, 4)}-${first.slice(4)}-${check === 10 ? "X" : check}`;
}

const addScannable = (admin: Member, stock = 0) =>
  addBook(admin.client, { title: newTitle("Scanned"), isbn: newIsbn(), stock_quantity: stock });

/** Counts what a person does: a key each, and one for a scan by a wand, whatever it types. */
function keysOf(page: Page) {
  let keys = 0;
  return {
    count: () => keys,
    async press(key: string) {
      keys += 1;
      await page.keyboard.press(key);
    },
    async scan(code: string) {
      keys += 1;
      await page.keyboard.type(code);
      await page.keyboard.press("Enter");
    },
  };
}

const LOOKUPS = "**/rest/v1/books?*isbn_key=*";

/** Every lookup takes this long. */
const slow = (page: Page, ms: number) =>
  page.route(LOOKUPS, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    await route.continue();
  });

/** The form is there once this browser's unfinished count has been looked for. */
async function openReceiving(page: Page): Promise<void> {
  await openAdmin(page, "/admin/receiving/new", "Receive goods");
  await expect(page.getByLabel("Scan or type an ISBN")).toBeFocused();
}

test.beforeEach(async ({ context, admin, signIn }) => signIn(context, admin));

test("30 titles are restocked without a purchase order in at most 40 keys", async ({ page, admin }) => {
  const books = await Promise.all(Array.from({ length: 30 }, () => addScannable(admin)));
  await openAdmin(page, "/admin/receiving", "Receiving");
  const keys = keysOf(page);
  const start = page.getByRole("link", { name: "Receive without an order" });
  await keys.press("Tab");
  await keys.press("Enter");
  for (let tabs = 0; tabs < 4; tabs += 1) {
    await keys.press("Tab");
    if (await start.evaluate((link) => link === document.activeElement)) break;
  }
  await keys.press("Enter");
  await expect(page.getByLabel("Scan or type an ISBN")).toBeFocused();
  for (const { isbn } of books) await keys.scan(String(isbn));
  await expect(page.getByText("30 copies to add to stock")).toBeVisible();
  await keys.press("Control+Enter");
  await expectMessage(page, "Received", "30 copies in stock");
  expect(await Promise.all(books.map(({ id }) => stockOf(admin.client, id)))).toEqual(books.map(() => 1));
  expect(keys.count()).toBeLessThanOrEqual(40);
});

test("30 scans made before the first lookup returns are all counted, and unknown ISBNs stay on the page", {
  tag: "@gate",
}, async ({ page, admin }) => {
  const [first, second] = [await addScannable(admin), await addScannable(admin)];
  const unknown = [newIsbn(), newIsbn()];
  await openReceiving(page);
  const lookups: string[] = [];
  let answer = () => {};
  const typed = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(LOOKUPS, async (route) => {
    lookups.push(route.request().url());
    await typed;
    await route.continue();
  });
  // A button has the focus: the wand's digits go into the box, and its Enter presses nothing.
  await page.getByRole("button", { name: "Book Receipt" }).focus();
  for (let scan = 0; scan < 30; scan += 1) {
    const known = scan % 2 ? asIsbn10(String(first.isbn)) : String(second.isbn);
    await page.keyboard.type(unknown[scan - 4] ?? known);
    await page.keyboard.press("Enter");
  }
  await expect(page.getByText("30 scans are being looked up.")).toBeVisible();
  answer();
  await expect(page.getByLabel("Scan or type an ISBN")).toBeFocused();
  await expect(page.getByLabel(`Copies of ${first.title}`, { exact: true })).toHaveValue("14");
  await expect(page.getByLabel(`Copies of ${second.title}`, { exact: true })).toHaveValue("14");
  const alert = page.getByRole("alert").filter({ hasText: "No book with the ISBN" });
  for (const isbn of unknown)
    await expect(alert).toContainText(`No book with the ISBN ${isbn}. Set it aside.`);
  await expect(page.getByRole("status").filter({ hasText: "Counted" })).toHaveText(
    `Counted: ${first.title}, 14 copies`,
  );
  expect(lookups, "lookups: the first scan's, and one for all that waited").toHaveLength(2);
  await alert.getByRole("button", { name: "Clear" }).click();
  await expect(alert).toHaveCount(0);
});

test("a receipt isn't booked while scans are still being looked up", async ({ page, admin }) => {
  const book = await addScannable(admin);
  await openReceiving(page);
  await slow(page, 1_000);
  await page.keyboard.type(String(book.isbn));
  await page.keyboard.press("Enter");
  await page.keyboard.press("Control+Enter");
  await expect(page.getByRole("alert").filter({ hasText: "still being looked up" })).toBeVisible();
  await expect(page.getByLabel(`Copies of ${book.title}`, { exact: true })).toHaveValue("1");
  await page.keyboard.press("Control+Enter");
  await expectMessage(page, "Received", "1 copy in stock");
});

test("a failed scan shows an error, and the next one is counted", async ({ page, admin, consoleLines }) => {
  const [lost, counted] = [await addScannable(admin), await addScannable(admin)];
  consoleLines.expect(/Failed to look up an ISBN/);
  await openReceiving(page);
  await page.route(LOOKUPS, (route) => route.fulfill({ status: 400, json: { code: "X" } }));
  await page.keyboard.type(String(lost.isbn));
  await page.keyboard.press("Enter");
  const alert = page.getByRole("alert").filter({ hasText: "could not be looked up" });
  await expect(alert).toContainText(
    `${lost.isbn} could not be looked up and was not counted. Scan it again.`,
  );
  await page.unroute(LOOKUPS);
  await page.keyboard.type(String(counted.isbn));
  await page.keyboard.press("Enter");
  await expect(page.getByLabel(`Copies of ${counted.title}`, { exact: true })).toHaveValue("1");
  await expect(alert).toBeVisible();
});

test("in a phone order, scans add books and copies, and an unknown ISBN is reported", async ({
  page,
  admin,
}) => {
  const [first, second] = [await addScannable(admin, 9), await addScannable(admin, 9)];
  const unknown = newIsbn();
  await openAdmin(page, "/admin/orders/new", "New order");
  await slow(page, 300);
  const box = page.getByLabel("Add a book");
  await box.focus();
  for (const code of [first.isbn, asIsbn10(String(first.isbn)), unknown, second.isbn, first.isbn]) {
    await page.keyboard.type(String(code));
    await page.keyboard.press("Enter");
  }
  await expect(page.getByLabel(`Quantity of ${first.title}`)).toHaveValue("3");
  await expect(page.getByLabel(`Quantity of ${second.title}`)).toHaveValue("1");
  await expect(page.getByRole("alert").filter({ hasText: `No book with the ISBN ${unknown}` })).toBeVisible();
  await expect(box).toBeFocused();
  await expect(box).toHaveValue("");
});

test("on a booklist scans add each book once, and an unknown ISBN doesn't stay in the box", async ({
  page,
  admin,
}) => {
  const [first, second] = [await addScannable(admin, 9), await addScannable(admin, 9)];
  const unknown = newIsbn();
  await openAdmin(page, "/admin/booklists/new", "New booklist");
  await slow(page, 300);
  const box = page.getByLabel("Add a book by title, author or ISBN");
  await box.focus();
  for (const code of [first.isbn, unknown, first.isbn, second.isbn]) {
    await page.keyboard.type(String(code));
    await page.keyboard.press("Enter");
  }
  await expect(page.getByText(`1.${first.title}`)).toBeVisible();
  await expect(page.getByText(`2.${second.title}`)).toBeVisible();
  await expect(page.getByRole("alert").filter({ hasText: `No book with the ISBN ${unknown}` })).toBeVisible();
  await expect(box).toHaveValue("");
});

test("in a list, Enter shows the scanned book at once, and the next scan replaces it", async ({
  page,
  admin,
}) => {
  const [first, second] = [await addScannable(admin), await addScannable(admin)];
  await openAdmin(page, "/admin/books", "Book Management");
  const rows = page.getByRole("table", { name: "Book Inventory" }).getByRole("row");
  const box = page.getByRole("searchbox");
  await box.focus();
  await page.keyboard.type(asIsbn10(String(first.isbn)));
  await page.keyboard.press("Enter");
  await expect(rows.filter({ hasText: first.title })).toHaveCount(1);
  await expect(rows).toHaveCount(2);
  await page.keyboard.type(String(second.isbn));
  await page.keyboard.press("Enter");
  await expect(rows.filter({ hasText: second.title })).toHaveCount(1);
  await expect(rows).toHaveCount(2);
  await page.keyboard.type(newIsbn());
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status").filter({ hasText: "No books found" })).toBeVisible();
  await expect(box).toBeFocused();
});

test("the stock card opens for a scanned book, and for the next", async ({ page, admin }) => {
  const [first, second] = [await addScannable(admin), await addScannable(admin)];
  await openAdmin(page, "/admin/stock", "Stock card");
  for (const book of [first, second]) {
    await page.keyboard.type(String(book.isbn));
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { level: 2, name: book.title })).toBeVisible();
  }
});

test("a scan reports when two books have the same ISBN", async ({ page, admin }) => {
  const isbn = newIsbn();
  for (const edition of ["First", "Second"])
    await addBook(admin.client, { title: newTitle(edition), isbn, stock_quantity: 1 });
  await openReceiving(page);
  await page.keyboard.type(isbn);
  await page.keyboard.press("Enter");
  await expect(
    page.getByRole("alert").filter({ hasText: `Several books have the ISBN ${isbn}.` }),
  ).toBeVisible();
});
