import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import {
  addBook,
  type Client,
  dataOf,
  delivery,
  fillCart,
  type Member,
  newTitle,
} from "#tests/support/factories.ts";
import { brokenAmounts } from "#tests/support/layout.ts";
import { pdfPages } from "#tests/support/pdf-text.ts";
import { expect, test } from "#tests/support/test.ts";

const TITLES = 60;
const DAY = new Date().toISOString().slice(0, 10);
const YEAR = DAY.slice(0, 4);

/** PDFs join words that stand apart. */
const joined = (text: string) => text.replaceAll(/\s+/g, "");

type Paper = { path: string; table: string; heads: string[]; rows: string[] };

/** Prints on A4 with a printer's usual margins. Checks what every print of the back office must have. */
async function print(page: Page, { path, table, heads, rows }: Paper): Promise<string[]> {
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(path);
  await expect(page.getByRole("table", { name: table, exact: true })).toBeVisible();
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  const margin = { top: "1cm", right: "1cm", bottom: "1cm", left: "1cm" };
  const sheets = pdfPages(await page.pdf({ format: "A4", margin })).map(joined);
  const all = sheets.join("");
  expect(
    rows.filter((row) => !all.includes(joined(row))),
    `${path}: rows missing on paper`,
  ).toEqual([]);
  for (const [index, sheet] of sheets.entries())
    if (rows.some((row) => sheet.includes(joined(row))))
      expect(sheet, `${path}, page ${index + 1}: the table's heading`).toContain(joined(heads.join("")));
  expect(all, `${path}: buttons and navigation`).not.toMatch(
    /Download|Showall|AdminPanel|Dashboard|Viewshop|Print(?!ing)|Choosea|Sortby|Exportall|Changestock|Bypublisher.*Subject/,
  );
  // 19 cm, the width between those margins.
  await page.setViewportSize({ width: 718, height: 1047 });
  await page.emulateMedia({ media: "print" });
  expect(await brokenAmounts(page), `${path}: broken amounts`).toEqual([]);
  const cut = await page.evaluate(() => {
    const cells = [...document.querySelectorAll("main :is(td, th, dd, p, h1, h2)")];
    return cells
      .filter((cell) => cell.checkVisibility() && cell.getBoundingClientRect().right > innerWidth)
      .map(({ textContent }) => textContent);
  });
  expect(cut, `${path}: cut off at the right`).toEqual([]);
  await page.emulateMedia({ media: null });
  return sheets;
}

/** An order of sixty dear titles, each of a publisher of its own. */
async function sell(staff: Client, member: Member) {
  const name = newTitle("Paper");
  const books = await Promise.all(
    Array.from({ length: TITLES }, (_, n) =>
      addBook(staff, {
        title: `${name}-${n}: the Complete Integrated Science Course for Junior High Schools`,
        publisher: `House ${name}-${n}`,
        price: 12_345.5 + n,
        stock_quantity: 90,
      }),
    ),
  );
  for (const { id } of books) await fillCart(member.client, id, 2);
  const total_amount = books.reduce((sum, { price }) => sum + 2 * price, 0);
  const order = { id: randomUUID(), user_id: member.id, total_amount, status: "pending", ...delivery };
  await dataOf(member.client.from("orders").insert(order).select("id"));
  return { books, order };
}

test("reports print in full: every row, the period, no controls, and a heading on each page", async ({
  page,
  context,
  admin,
  member,
  signIn,
}) => {
  test.setTimeout(180_000);
  await signIn(context, admin);
  const { books, order } = await sell(admin.client, member);
  const titles = books.map(({ title }) => title);
  const wishes = books.map(({ id }) => ({ user_id: member.id, book_id: id }));
  await member.client.from("wishlists").insert(wishes).throwOnError();
  await dataOf(
    admin.client.rpc("record_payment", {
      _payment_id: randomUUID(),
      _order_id: order.id,
      _kind: "payment",
      _method: "cash",
      _amount: order.total_amount / 2,
      _paid_on: DAY,
    }),
  );
  const unlisted = Array.from({ length: TITLES }, () => newTitle("Unlisted"));
  await dataOf(
    admin.client.rpc("save_booklist", {
      _school: newTitle("Achimota Basic School"),
      _class_name: "Class 4",
      _school_year: "2026/2027",
      _lines: unlisted.map((title) => ({ title })),
    }),
  );

  const sales = await print(page, {
    path: "/admin/reports?period=today",
    table: "Sales by publisher",
    heads: ["Publisher", "Copies", "Sales"],
    rows: books.map(({ publisher }) => publisher ?? ""),
  });
  expect(sales[0]).toMatch(/^Reports.*Sales,\d+\w+20\d\d/);
  expect(sales.length).toBeGreaterThan(1);
  expect(sales.join("").match(/Total\d/g), "one total, at the end").toHaveLength(1);

  const byTitle = await print(page, {
    path: `/admin/reports?period=${YEAR}-01-01_${YEAR}-12-31&by=title`,
    table: "Sales by title",
    heads: ["Title", "Orders", "Copies", "Sales"],
    rows: titles,
  });
  expect(byTitle[0]).toContain(`Sales,1Jan${YEAR}to`);
  for (const [report, table, heads, rows] of [
    ["takings", "Takings by day and method", ["Day", "Method", "Payments"], []],
    ["owed", "Owed by customer", ["School or customer", "0–30 days"], ["Reader of the test", member.email]],
    [
      "wanted",
      "Books that customers are waiting for or wish for",
      ["Title", "Publisher", "In stock"],
      titles,
    ],
    ["demand", "Booklist titles without a book", ["Title", "Newest list", "Schools"], unlisted],
  ] as const) {
    const path = `/admin/reports?report=${report}&period=today`;
    const sheets = await print(page, { path, table, heads: [...heads], rows: [...rows] });
    const name = report[0]?.toUpperCase() + report.slice(1);
    expect(sheets[0], `${report}: its name and day`).toMatch(
      new RegExp(`^Reports.*${name},\\d+\\w+20\\d\\d`),
    );
  }
});

test("books not sold, a pick list, a stock card and a day's closing print in full", async ({
  page,
  context,
  admin,
  member,
  signIn,
}) => {
  test.setTimeout(180_000);
  await signIn(context, admin);
  const { books, order } = await sell(admin.client, member);
  const titles = books.map(({ title }) => title);
  const unsold = await Promise.all(
    titles.map((title) =>
      addBook(admin.client, { title: `Left: ${title}`, price: 98_765.25, stock_quantity: 90 }),
    ),
  );
  await print(page, {
    path: "/admin/reports?report=unsold&period=today",
    table: "Books in stock that were not sold",
    heads: ["Title", "Publisher", "Added", "Copies", "Value"],
    rows: unsold.map(({ title }) => title),
  });
  const pick = await print(page, {
    path: `/admin/orders/${order.id}/pick-list`,
    table: "Books to pick",
    heads: ["Picked"],
    rows: titles,
  });
  expect(pick[0]).toMatch(/^Picklist1order,60titles,120copies/);

  const [book] = books;
  for (let copies = 100; copies < 140; copies += 1)
    await admin.client
      .from("books")
      .update({ stock_quantity: copies })
      .eq("id", book?.id ?? "")
      .throwOnError();
  const card = await print(page, {
    path: `/admin/stock?book=${book?.id}`,
    table: "Stock movements",
    heads: ["When", "Why", "Order", "By", "Copies", "In stock afterwards"],
    rows: Array.from({ length: 39 }, (_, n) => `+1${101 + n}`),
  });
  expect(card[0]).toContain(joined(book?.title ?? ""));
  expect(card.length).toBeLessThanOrEqual(3);

  await page.goto(`/admin/payments?view=closing&day=${DAY}`);
  await expect(page.getByRole("heading", { name: "Mobile money" })).toBeVisible();
  const closing = pdfPages(await page.pdf({ format: "A4" })).map(joined);
  expect(closing).toHaveLength(1);
  expect(closing[0]).toMatch(/^PaymentsClosingof\d+\w+20\d\dCashTakenGH/);
  expect(closing[0]).toMatch(/TotaltakenGH.*CountedbyCheckedby$/);
  expect(closing[0]).not.toMatch(/Counted\(|Note\(|Allpayments|Matcha|Print/);
});
