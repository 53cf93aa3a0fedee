import { readFile } from "node:fs/promises";
import type { Browser, Page } from "@playwright/test";
import sharp from "sharp";
import { openWorkbook } from "#app/lib/tables/read-workbook.ts";
import { demoWordsIn } from "#tests/support/demo-words.ts";
import { inEmptyShop } from "#tests/support/empty-shop.ts";
import { newIsbn } from "#tests/support/factories.ts";
import { expectLightPictures } from "#tests/support/first-screen.ts";
import { makeWorkbook } from "#tests/support/make-workbook.ts";
import { openUntil } from "#tests/support/open-until.ts";
import { photoCover } from "#tests/support/photo-covers.ts";
import { expect } from "#tests/support/test.ts";
import { addPublisher, openAdmin } from "./back-office.ts";

const test = inEmptyShop();

const BOOKS = 250;
/** How many of them the supplier's list has a cover of. An admin may upload 120 pictures within 10 minutes. */
const LINKED = 60;
const publishers = ["Adom Press", "Sankofa Readers"] as const;
const subjects = ["English", "Mathematics", "Science", "Social Studies", "French"];

const bookAt = (at: number) => ({
  title: `${["Bright Path", "Star Workbook", "First Steps", "Open Sky", "River Reader"][at % 5]} ${String(at + 1).padStart(3, "0")}`,
  isbn: newIsbn().isbn13,
  publisher: publishers[at % 2] ?? "",
  price: 20 + (at % 40),
  stock: 5 + (at % 30),
  subject: subjects[at % 5] ?? "",
  cover: at < LINKED ? `https://covers.example/${at}.jpg` : "",
});

/** An Excel sheet with these headings and rows. */
function sheetOf(...rows: (string | number)[][]): Promise<Buffer> {
  const row = (cells: readonly (string | number)[]) =>
    `<row>${cells.map((cell) => `<c t="str"><v>${cell}</v></c>`).join("")}</row>`;
  return makeWorkbook({ Books: rows.map(row).join("") });
}

/**
 * What the shop's server fetches of another website. From here it can't reach one: linked-cover-routes.test.ts has that half.
 */
async function serveCovers(page: Page): Promise<void> {
  const photos = await Promise.all(Array.from({ length: 8 }, (_, number) => photoCover(number)));
  await page.route("**/admin/linked-covers", (route) => {
    const number = Number(/\d+/.exec(route.request().postDataJSON().url)?.[0]);
    return route.fulfill({ body: photos[number % photos.length], contentType: "image/jpeg" });
  });
}

async function importSheet(page: Page, name: string, sheet: Promise<Buffer>, count: number): Promise<void> {
  await openAdmin(page, "/admin/books/import", "Import Books");
  await page.getByLabel("CSV file").setInputFiles({
    name,
    mimeType: "application/octet-stream",
    buffer: await sheet,
  });
  await page.getByRole("button", { name: "Check rows" }).click();
  await page.getByRole("button", { name: `Import ${count} books` }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Import", exact: true }).click();
  await expect(page.getByText(`${name} has been imported`)).toBeVisible();
}

/** Imports the supplier's list and copies its covers; the other volumes of each series get the same ones by a second list. */
async function importBooks(page: Page): Promise<void> {
  await serveCovers(page);
  const books = Array.from({ length: BOOKS }, (_, at) => bookAt(at));
  const headings = ["Title", "ISBN", "Publisher", "Price", "Stock", "Subject", "Cover URL"];
  const list = sheetOf(headings, ...books.map((book) => Object.values(book)));
  await importSheet(page, "price-list.xlsx", list, BOOKS);
  await expect(page.getByText(`${BOOKS} books added, 0 changed, 0 unchanged`)).toBeVisible();
  const linked = page.getByRole("region", { name: "Linked covers" });
  await linked.getByRole("button", { name: "Copy Covers into the Shop" }).click();
  await expect(linked.getByRole("status")).toHaveText(`${LINKED} covers copied`, { timeout: 60_000 });

  await openAdmin(page, "/admin/books", "Book Management");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download Excel" }).click(),
  ]);
  const exported = await openWorkbook(new Uint8Array(await readFile(await download.path())));
  const [names, ...rows] = await exported.read("Sheet1", BOOKS + 1);
  const at = (name: string) => names?.cells.indexOf(name) ?? -1;
  const covers = rows.map(({ cells }) => cells[at("Cover image")] ?? "").filter(Boolean);
  expect(covers).toHaveLength(LINKED);
  const others = rows
    .filter(({ cells }) => !cells[at("Cover image")])
    .map(({ cells }) => cells[at("ISBN")] ?? "");
  const changes = others.map((isbn, index) => [isbn, covers[index % LINKED] ?? ""]);
  await importSheet(page, "covers.xlsx", sheetOf(["ISBN", "Cover URL"], ...changes), BOOKS - LINKED);
  await expect(page.getByText(`0 books added, ${BOOKS - LINKED} changed`)).toBeVisible();
  await expect(linked).toHaveCount(0);
}

/** A visitor on a phone whose pixels are small. */
async function phoneOf(browser: Browser, baseURL: string): Promise<Page> {
  const viewport = { width: 360, height: 740 };
  return (await browser.newContext({ baseURL, viewport, deviceScaleFactor: 3 })).newPage();
}

test("an owner adds two publishers and imports 250 books with their covers, and a phone's first screen has at most 60 kB of pictures", async ({
  page,
  context,
  browser,
  shop,
  admin,
  signIn,
}) => {
  test.slow();
  await signIn(context, admin);
  const create = { width: 900, height: 300, channels: 3, background: "#205080" } as const;
  const logo = await sharp({ create }).png().toBuffer();
  await addPublisher(page, "Adom Press", async (dialog) => {
    await dialog
      .getByLabel("Logo (optional)")
      .setInputFiles({ name: "logo.png", mimeType: "image/png", buffer: logo });
    await expect(dialog.getByRole("img", { name: "Adom Press" })).toBeVisible();
  });
  await addPublisher(page, "Sankofa Readers", async (dialog) => {
    await dialog.getByRole("radio", { name: "Mark 5" }).press("Space");
    await dialog.getByLabel("Known for (optional)").fill("River Reader\nOpen Sky");
  });
  await importBooks(page);

  const phone = await phoneOf(browser, shop.url);
  const cards = phone.getByRole("main").getByRole("article");
  const covers = cards.getByRole("presentation");
  const expectCovers = (count: number) => async () => {
    await expect(cards).toHaveCount(count, { timeout: 500 });
    await expect(covers).toHaveCount(count, { timeout: 500 });
  };
  const expectOwn = async () => expect(demoWordsIn(await phone.content()), phone.url()).toEqual([]);

  await openUntil(phone, "/shop", expectCovers(24));
  await expect(phone.getByText(`${BOOKS} Book(s) Found`)).toBeVisible();
  await expectLightPictures(phone, 2);
  await expectOwn();
  const book = (await cards.first().getByRole("link").first().getAttribute("href")) ?? "";
  await openUntil(phone, "/shop?page=11", expectCovers(BOOKS % 24));
  await expectLightPictures(phone, 2);
  await phone.goto(book);
  await expect(phone.getByRole("img", { name: /^Cover of / })).toBeVisible();
  await expectLightPictures(phone, 1);
  await expectOwn();
  for (const [name, path] of [
    ["Adom Press", "/products/adom-press"],
    ["Sankofa Readers", "/products/sankofa-readers"],
  ] as const) {
    await openUntil(phone, "/", async () =>
      expect(phone.locator("#mobile-menu")).toContainText(name, { timeout: 500 }),
    );
    await phone.getByRole("button", { name: "Menu", exact: true }).click();
    const menu = phone.getByRole("navigation", { name: "Mobile" });
    await menu.getByText("Products & Services").click();
    await menu.getByRole("link", { name }).click();
    await expect(phone).toHaveURL(path);
    await expect(phone.getByRole("heading", { level: 1, name })).toBeVisible();
    await phone.goto(path);
    await expect(covers.first()).toBeVisible();
    await expectLightPictures(phone, 1);
    await expectOwn();
  }
  await phone.goto("/");
  const grid = phone.getByRole("region", { name: "Two publishers, one order" });
  await expect(grid.getByRole("img", { name: "Adom Press" })).toBeVisible();
  await expect(grid.getByRole("link", { name: /^Sankofa Readers/ })).toBeVisible();
  await expectLightPictures(phone, 1);
  await expectOwn();
  await phone.context().close();
});
