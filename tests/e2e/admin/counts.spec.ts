import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { addBook, newTitle, placeOrder, stockOf } from "#tests/support/factories.ts";
import { holdBack } from "#tests/support/intercept.ts";
import { expectMessage } from "#tests/support/messages.ts";
import { expect, expectAccessibleAtWidths, type Member, test } from "#tests/support/test.ts";
import { giveRole, openAdmin, otherBrowser } from "./back-office.ts";

/** Books of a publisher of their own, with these copies in stock. */
async function publisherWith(admin: Member, ...stocks: number[]) {
  const publisher = newTitle("Count House");
  const books = [];
  for (const stock of stocks)
    books.push(
      await addBook(admin.client, {
        title: newTitle("Counted"),
        isbn: newTitle("CNT"),
        publisher,
        stock_quantity: stock,
        shelf: "C4",
      }),
    );
  return { publisher, books, first: books[0] as (typeof books)[number] };
}

/** Begins a count of a publisher's books through the API, and opens it. */
async function openCount(page: Page, admin: Member, publisher: string): Promise<string> {
  const id = crypto.randomUUID();
  await admin.client
    .rpc("begin_stock_count", { _id: id, _name: publisher, _scope: "publisher", _value: publisher })
    .throwOnError();
  await openAdmin(page, `/admin/counts/${id}`, publisher);
  return id;
}

const scanField = (page: Page) => page.getByLabel("Scan or type an ISBN or code");
const scanned = (page: Page) => page.getByRole("region", { name: "Scan" });
const rowOf = (page: Page, title: string) =>
  page.getByRole("table", { name: "Books of the count" }).getByRole("row").filter({ hasText: title });

/** Like a barcode scanner, types wherever the focus is, and presses Enter. */
async function wand(page: Page, code: string) {
  await page.keyboard.type(code);
  await page.keyboard.press("Enter");
}

/** The line of the book that was scanned last. */
async function expectScanned(page: Page, title: string, counted: number, expected: number) {
  await expect(scanned(page).getByRole("heading", { name: title })).toBeVisible();
  await expect(scanned(page).getByText(`Counted${counted}Expected${expected}`)).toBeVisible();
}

test("a publisher's books are counted with a barcode scanner, and one click books the differences", {
  tag: "@gate",
}, async ({ page, context, admin, member, signIn }) => {
  await signIn(context, admin);
  const { publisher, books, first } = await publisherWith(admin, 3, 10, 2);
  const outside = await addBook(admin.client, { title: newTitle("Strayed"), isbn: "978-0-14-044913-6" });
  const [, second, third] = books as [typeof first, typeof first, typeof first];
  await openAdmin(page, "/admin", "Admin Dashboard");
  await page.getByRole("navigation", { name: "Back office" }).getByRole("link", { name: "Counts" }).click();
  await page.getByRole("button", { name: "New Count" }).click();
  const form = page.getByRole("dialog", { name: "New count" });
  await form.getByRole("button", { name: "Begin" }).click();
  await expect(form.getByText("Choose a publisher", { exact: true }).last()).toBeVisible();
  await form.getByLabel("Publisher").selectOption(publisher);
  await form.getByRole("button", { name: "Begin" }).click();
  await expect(page.getByRole("heading", { level: 1, name: publisher })).toBeVisible();
  await expect(scanField(page)).toBeFocused();

  await wand(page, String(first.isbn));
  await wand(page, String(first.isbn));
  await expectScanned(page, first.title, 2, 3);
  await wand(page, `${second.isbn} × 12`);
  await expectScanned(page, second.title, 12, 10);
  await wand(page, "* 11");
  await expectScanned(page, second.title, 11, 10);
  await wand(page, "9780140449136");
  await expectScanned(page, outside.title, 1, outside.stock_quantity);
  await expect(scanned(page).getByText("Outside the count")).toBeVisible();
  await wand(page, "9999999999999");
  await expect(scanned(page).getByText("No book has the ISBN or code 9999999999999.")).toBeVisible();
  await expect(page.getByText("2 of 3 books, and 1 other")).toBeVisible();

  // A button has the focus now: the scanner's Enter must not click it.
  await page.getByRole("button", { name: "Discard" }).focus();
  await wand(page, String(first.isbn));
  await expectScanned(page, first.title, 3, 3);
  await expect(page.getByRole("alertdialog")).toHaveCount(0);
  // A code scanned into the field for copies is not taken as a number of copies.
  await page.getByLabel("Copies that you have counted").click();
  await wand(page, "9780140449136");
  await expectScanned(page, outside.title, 2, outside.stock_quantity);
  await page.getByLabel("Copies that you have counted").fill(String(outside.stock_quantity));
  await page.keyboard.press("Enter");
  await expectScanned(page, outside.title, outside.stock_quantity, outside.stock_quantity);
  await expect(scanField(page)).toBeFocused();

  await page.getByRole("button", { name: `None found of ${third.title}` }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "None Found" }).click();
  await expect(rowOf(page, third.title)).toContainText(/0.*2.*−2/);
  await placeOrder(member, second, 4);
  await page.getByRole("button", { name: "Apply 2 differences" }).click();
  const question = page.getByRole("alertdialog", { name: "Apply the differences?" });
  await expect(question).toContainText("2 books: +1, −2 copies");
  await question.getByRole("button", { name: "Apply" }).click();
  await expectMessage(page, "Count booked: the stock of 2 books has changed");
  await expect(scanField(page)).toHaveCount(0);
  expect(await Promise.all(books.map(({ id }) => stockOf(admin.client, id)))).toEqual([3, 7, 0]);

  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download CSV" }).click();
  const file = await readFile(await (await download).path(), "utf8");
  expect(file).toContain("Book,Publisher,ISBN,Shelf place,Counted,Expected,Difference");
  expect(file).toMatch(new RegExp(`${second.title},.*,C4,11,10,1,0,1,yes,`));
  expect(file).toMatch(new RegExp(`${outside.title},.*,no,`));
  await rowOf(page, second.title).getByRole("link").click();
  const movements = page.getByRole("table", { name: "Stock movements" }).getByRole("row");
  await expect(movements.nth(1)).toContainText(`Count of ${publisher}`);
  await expect(movements.nth(1)).toContainText(/Counted.*\+1.*7$/);
});

test("two people count in one session, see each other's copies, and a sale between their scans makes no difference", async ({
  page,
  context,
  browser,
  admin,
  member,
  newMember,
  signIn,
}) => {
  await signIn(context, admin);
  const kofi = await newMember();
  await giveRole(admin, kofi.id, "admin");
  const { publisher, first } = await publisherWith(admin, 10);
  const id = await openCount(page, admin, publisher);
  const other = await otherBrowser(browser, signIn, kofi);
  await openAdmin(other, `/admin/counts/${id}`, publisher);

  await wand(page, `${first.isbn} × 4`);
  await expectScanned(page, first.title, 4, 10);
  await placeOrder(member, first, 1);
  await wand(other, `${first.isbn} × 5`);
  await expectScanned(other, first.title, 9, 9);
  await expect(scanned(other).getByText("4 copies were counted by others.")).toBeVisible();
  // Without a click: the page asks by itself.
  await expectScanned(page, first.title, 9, 9);
  await expect(scanned(page).getByText("1 copy moved between its scans")).toBeVisible();
  await expect(page.getByLabel("Copies that you have counted")).toHaveValue("4");

  await Promise.all(
    [page, other].map((one) => one.getByRole("button", { name: "Close without Differences" }).click()),
  );
  // Both requests are on their way at once: the page of one would otherwise learn of the other's before its own click.
  const releases = await Promise.all([page, other].map((one) => holdBack(one, /\/rpc\/book_stock_count/)));
  await Promise.all(
    [page, other].map((one) => one.getByRole("alertdialog").getByRole("button", { name: "Close" }).click()),
  );
  for (const release of releases) release();
  for (const one of [page, other])
    await expect(one.getByText("Booked", { exact: true }).first()).toBeVisible();
  expect(await stockOf(admin.client, first.id)).toBe(9);
});

test("a scan whose response was lost counts once, and those made without a connection are sent later", async ({
  page,
  context,
  admin,
  signIn,
  consoleLines,
}) => {
  await signIn(context, admin);
  consoleLines.expect(/Failed to send a scan/);
  const { publisher, first } = await publisherWith(admin, 10);
  await openCount(page, admin, publisher);
  let lost = 0;
  await page.route("**/rpc/scan_stock", async (route) => {
    if (lost > 0) return route.continue();
    lost += 1;
    await route.fetch();
    await route.abort();
  });
  await wand(page, String(first.isbn));
  await wand(page, String(first.isbn));
  await expectScanned(page, first.title, 2, 10);
  expect(lost).toBe(1);

  await page.unroute("**/rpc/scan_stock");
  await page.clock.install();
  await page.route("**/rpc/scan_stock", (route) => route.abort());
  for (const _ of [1, 2, 3]) await wand(page, String(first.isbn));
  await expect(async () => {
    await page.clock.runFor(5_000);
    await expect(page.getByText("3 scans are not sent yet")).toBeVisible({ timeout: 100 });
  }).toPass();
  await expect(page.getByRole("button", { name: "Apply 1 difference" })).toBeDisabled();
  await page.unroute("**/rpc/scan_stock");
  await page.getByRole("button", { name: "Send again" }).click();
  await expectScanned(page, first.title, 5, 10);
});

test("a large difference is counted a second time before it is booked; the page fits a phone and axe finds nothing", async ({
  page,
  context,
  admin,
  signIn,
}) => {
  await signIn(context, admin);
  const { publisher, books, first } = await publisherWith(admin, 20, 1);
  await openCount(page, admin, publisher);
  await wand(page, `${first.isbn} × 9`);
  await expectScanned(page, first.title, 9, 20);
  await expect(scanned(page).getByText("Count again", { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "Apply 1 difference" })).toBeDisabled();
  await expect(page.getByText("1 book has to be counted again")).toBeVisible();
  await expectAccessibleAtWidths(page);
  await page.getByRole("button", { name: `Count again: ${first.title}` }).click();
  await expect(page.getByRole("alertdialog")).toBeVisible();
  await expectAccessibleAtWidths(page);
  await page.getByRole("alertdialog").getByRole("button", { name: "Count Again" }).click();
  await expect(rowOf(page, first.title)).toContainText("To be counted again");
  await page.getByRole("button", { name: "Mark Others as None Found" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "None Found" }).click();
  await expectMessage(page, "1 book marked as none found");
  await page.setViewportSize({ width: 360, height: 740 });
  await scanField(page).fill(`${first.isbn} x 10`);
  await page.keyboard.press("Enter");
  await expectScanned(page, first.title, 10, 20);
  await expect(scanned(page).getByText("Counted again")).toBeVisible();
  await page.getByRole("combobox", { name: "Filter books" }).selectOption("With a difference");
  await expect(rowOf(page, String(books[1]?.title))).toBeVisible();
  await page.getByRole("button", { name: "Apply 2 differences" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Apply" }).click();
  await expectMessage(page, "Count booked: the stock of 2 books has changed");
  expect(await Promise.all(books.map(({ id }) => stockOf(admin.client, id)))).toEqual([10, 0]);
});

test("pasted codes without a book are named, hostile ones too; a shelf without books is refused; a count can be discarded", async ({
  page,
  context,
  admin,
  signIn,
  consoleLines,
}) => {
  await signIn(context, admin);
  consoleLines.expect(/Failed to start the count/);
  const { first } = await publisherWith(admin, 2);
  await openAdmin(page, "/admin/counts", "Counts");
  await page.getByRole("button", { name: "New Count" }).click();
  const form = page.getByRole("dialog", { name: "New count" });
  await form.getByLabel("What to count").selectOption("All books at a shelf place");
  await form.getByLabel("Shelf places that begin with").fill("no such shelf");
  await form.getByRole("button", { name: "Begin" }).click();
  await expectMessage(page, "Failed to start the count", "There is no book at this shelf place.");
  await form.getByLabel("What to count").selectOption("Pasted ISBNs or codes");
  await expectAccessibleAtWidths(page);
  await form
    .getByLabel("ISBNs or codes, one on each line")
    .fill(`${first.isbn}\t4\n<img src=x>\n\nNO-SUCH-1`);
  await form.getByLabel("Name (optional)").fill("Monday's list");
  await form.getByRole("button", { name: "Begin" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Monday's list" })).toBeVisible();
  await expect(
    page.getByText("2 pasted lines have no book in the shop: <img src=x>, NO-SUCH-1."),
  ).toBeVisible();
  await wand(page, String(first.isbn));
  await expectScanned(page, first.title, 1, 2);
  await page.getByRole("button", { name: "Discard" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Discard" }).click();
  await expectMessage(page, "Count discarded", "No stock has changed.");
  expect(await stockOf(admin.client, first.id)).toBe(2);
  await page.getByRole("link", { name: "All counts" }).click();
  await expect(page.getByRole("row").filter({ hasText: "Monday's list" }).first()).toContainText("Discarded");
});
