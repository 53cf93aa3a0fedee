import { readFile } from "node:fs/promises";
import type { Locator, Page } from "@playwright/test";
import { workbookFile } from "#app/lib/tables/write-workbook.ts";
import { addBook, dataOf, newIsbn, newTitle } from "#tests/support/factories.ts";
import { expect, expectAccessible, type Member, test } from "#tests/support/test.ts";
import { cartButton } from "./cart-steps.ts";
import { fillIn, openCheckout, placeOrder } from "./checkout-steps.ts";

const check = (page: Page) => page.getByRole("button", { name: /^Check/ });
const ready = (page: Page) => page.getByRole("table", { name: /titles? found/ });
const open = (page: Page) => page.getByRole("list", { name: "Lines that need your attention" });

/** Pastes text into the list's field as a spreadsheet does. */
async function paste(page: Page, text: string) {
  await page.goto("/bulk-order");
  await page.getByLabel("Your list").fill(text);
  await check(page).click();
}

/** Books whose titles begin with the same words, each with an ISBN. */
async function addBooks(staff: Member, count: number) {
  const words = newTitle("Reader");
  const rows = Array.from({ length: count }, (_, n) => {
    const title = `${words} ${String(n).padStart(3, "0")}`;
    return { title, isbn: newIsbn().isbn13, publisher: "Collins", price: 10.5, stock_quantity: 200 };
  });
  await dataOf(staff.client.from("books").insert(rows).select("id"));
  return rows;
}

async function cartOf(member: Member) {
  return dataOf(member.client.from("cart_items").select("quantity, books(title)").order("created_at"));
}

test("a school pastes 120 lines with 6 faults, signs in, and orders 114 titles with one click", async ({
  page,
  admin,
  member,
}) => {
  const books = await addBooks(admin, 115);
  const twice = newTitle("Two editions");
  await addBook(admin.client, { title: twice, edition: "First", price: 7 });
  await addBook(admin.client, { title: twice, edition: "Second", price: 8 });
  const soldOut = await addBook(admin.client, { stock_quantity: 0, isbn: newIsbn().isbn13 });
  const [first, second] = books.map(({ isbn }) => isbn) as [string, string];
  const bare = (isbn: string) => isbn.replaceAll("-", "");
  const wrongDigit = bare(second).slice(0, 12) + ((Number(second.at(-1)) + 1) % 10);
  const rows = [
    ...books.slice(0, 60).map(({ isbn }) => `${bare(isbn)}\tignored\t2`),
    ...books.slice(60, 114).map(({ title }) => `\t${title}\t2`),
    `${wrongDigit}\t\t5`,
    `\t${newTitle("Nobody wrote this")}\t5`,
    `${soldOut.isbn}\t\t5`,
    `\t${twice}\t5`,
    `${books[114]?.isbn}\t\t`,
    `${first}\t\tmany`,
  ];
  expect(rows).toHaveLength(120);
  await paste(page, `ISBN\tTitle\tQuantity\r\n${rows.join("\r\n")}\r\n`);

  await expect(page.getByRole("heading", { name: "120 lines on your list" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "6 lines need your attention" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "114 titles found" })).toBeVisible();
  for (const reason of [
    "check digit",
    "don't have",
    "Out of stock",
    "2 books match",
    "No quantity",
    "“many”",
  ])
    await expect(open(page).getByRole("paragraph").filter({ hasText: reason })).toBeVisible();
  await expect(page.getByText("114 titles, 228 copies GH₵2,394.00")).toBeVisible();

  await page.getByRole("button", { name: "Sign In to Add" }).click();
  await page.getByLabel("Email").fill(member.email);
  await page.getByLabel("Password").fill(member.password);
  await page.getByRole("tabpanel").getByRole("button", { name: "Sign In", exact: true }).click();
  await expect(page).toHaveURL("/bulk-order");
  await page.getByRole("button", { name: "Add 114 titles to Cart" }).click();
  await expect(page.getByText("114 titles (228 copies) added to your cart.")).toBeVisible();
  await expect(page.getByText("6 lines are not in your cart.")).toBeVisible();
  await expect(cartButton(page)).toHaveText(/228 items/);
  const cart = await cartOf(member);
  expect(cart.map(({ books }) => books.title).sort()).toEqual(
    books
      .slice(0, 114)
      .map(({ title }) => title)
      .sort(),
  );
  expect(cart.every(({ quantity }) => quantity === 2)).toBe(true);

  await openCheckout(page);
  await fillIn(page);
  await placeOrder(page).click();
  await expect(page).toHaveURL(/\/order-confirmation\//);
  const [ordered] = await dataOf(
    member.client.from("orders").select("total_amount, order_items(quantity)").eq("user_id", member.id),
  );
  expect(ordered?.order_items).toHaveLength(114);
});

test("lines can be corrected, merged, removed and downloaded", async ({
  page,
  admin,
  member,
  context,
  signIn,
}) => {
  await signIn(context, member);
  const { isbn13, isbn10 } = newIsbn();
  const book = await addBook(admin.client, { isbn: isbn13, price: 20, stock_quantity: 8 });
  const twice = newTitle("Two editions");
  await addBook(admin.client, { title: twice, edition: "First", price: 7 });
  await addBook(admin.client, { title: twice, edition: "Second", price: 8, stock_quantity: 19 });
  await paste(page, `${isbn13}, 3\n${isbn10}; 2\n${twice}, 5\nNo such book, 4`);

  const row = ready(page).getByRole("row", { name: book.title });
  await expect(row).toContainText("Lines 1, 2 added up: 3 + 2");
  await row.getByLabel(`Quantity of ${book.title}`).fill("12");
  await page.keyboard.press("Enter");
  await expect(row).toContainText("Only 8 left: 8 of 12 can be added.");
  await expect(row).toContainText("GH₵160.00");

  await page.getByLabel("Book for line 3").selectOption({ index: 2 });
  await expect(ready(page).getByRole("row", { name: twice })).toBeVisible();
  await expect(page.getByRole("heading", { name: "1 line needs your attention" })).toBeVisible();
  await expectAccessible(page);

  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download CSV" }).click();
  const file = await readFile(await (await download).path(), "utf8");
  expect(file).toContain("4,No such book,,4,We don't have a book with this ISBN or title.");
  const surface = (button: Locator) =>
    button.evaluate((element) => getComputedStyle(element).backgroundColor);
  const whatsApp = await surface(page.getByRole("link", { name: "Send by WhatsApp" }));
  expect(whatsApp).toBe(await surface(page.getByRole("link", { name: "Send by email" })));
  expect(whatsApp).not.toBe(await surface(page.getByRole("button", { name: /^Add \d+ titles to Cart/ })));
  const chat = await page.getByRole("link", { name: "Send by WhatsApp" }).getAttribute("href");
  expect(new URL(chat ?? "").searchParams.get("text")).toContain("4 x No such book");
  await page.getByRole("button", { name: "Remove line 4, No such book" }).click();
  await expect(open(page)).toHaveCount(0);

  await page.reload();
  await page.getByRole("button", { name: "Add 2 titles to Cart" }).click();
  await expect(page.getByText("2 titles (13 copies) added to your cart.")).toBeVisible();
  await expect(open(page)).toContainText("We have too few copies. 8 of 12 are in your cart now.");
  expect(await cartOf(member)).toEqual([
    { quantity: 8, books: { title: book.title } },
    { quantity: 5, books: { title: twice } },
  ]);
  await page.getByRole("button", { name: "Clear list" }).click();
  await expect(page.getByRole("heading", { name: /on your list/ })).toHaveCount(0);
});

test("quantities are read as people write them, and an unknown title gets close matches to choose from", async ({
  page,
  admin,
}) => {
  const add = (title: string, more = {}) => addBook(admin.client, { title, ...more });
  const marked = await add(`${newTitle("Reader")} 2`);
  const bare = await add(newTitle("Atlas"));
  const { isbn13 } = newIsbn();
  const words = newTitle("Workbook");
  const close = await add(`${words} of Primary Mathematics`, { isbn: isbn13, price: 12 });
  const soldOut = await add(newTitle("Sold out"), { stock_quantity: 0 });
  const lines = [
    `${marked.title} - 4`,
    `${bare.title} 5`,
    `3 copies of ${marked.title}`,
    `${words} Mathematics Primary - 6`,
    `${soldOut.title} x 2`,
  ];
  await paste(page, lines.join("\n"));
  await expect(ready(page).getByRole("row", { name: marked.title })).toContainText("added up: 4 + 3");
  await expect(ready(page).getByRole("row", { name: bare.title })).toContainText(
    `Line 2: “${bare.title} 5” read as 5 copies`,
  );
  await expect(open(page).getByRole("listitem").filter({ hasText: soldOut.title })).toContainText(
    "Email me when it's back",
  );
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await expectAccessible(page);
  }
  await page.getByLabel("Close match for line 4").selectOption(close.id);
  for (const reload of [false, true]) {
    if (reload) await page.reload();
    await expect(ready(page).getByRole("row", { name: close.title })).toContainText("GH₵72.00");
    await expect(page.getByRole("heading", { name: "1 line needs your attention" })).toBeVisible();
  }
});

test("a CSV file and an Excel workbook are read, an old workbook and too many lines are refused with the reason", {
  tag: "@gate",
}, async ({ page, admin }) => {
  const book = await addBook(admin.client);
  await page.goto("/bulk-order");
  const file = page.getByLabel("Upload an Excel or CSV file");
  const upload = (name: string, content: string) =>
    file.setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(content, "latin1") });
  const note = page.getByRole("textbox", { name: "Your list" });
  await upload("list.xls", "\xd0\xcf\x11\xe0");
  await expect(note).toHaveAccessibleDescription(/This is an old Excel workbook/);
  await upload("list.csv", "One book;1\r\n".repeat(501));
  await expect(note).toHaveAccessibleDescription("An order can have up to 500 lines. This is 501 lines.");
  await upload("list.csv", `Title;Quantity\r\n${book.title};3\r\nCaf\xe9 fran\xe7ais;1\r\n`);
  await expect(ready(page).getByRole("row", { name: book.title })).toContainText("GH₵150.00");
  await expect(open(page)).toContainText("Café français");
  await page.getByRole("button", { name: "Clear list" }).click();
  const workbook = await workbookFile(["Title", "Copies"]);
  await workbook.add([[book.title, 4]]);
  const buffer = Buffer.from(await (await workbook.finish()).arrayBuffer());
  await file.setInputFiles({ name: "list.xlsx", mimeType: "application/octet-stream", buffer });
  await expect(ready(page).getByRole("row", { name: book.title })).toContainText("GH₵200.00");
});
