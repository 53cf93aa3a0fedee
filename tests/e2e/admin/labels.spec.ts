import type { Page } from "@playwright/test";
import { isbn13CheckDigit } from "#app/features/books/isbn.ts";
import { barcodeDigits } from "#app/office/stock/labels/ean13.ts";
import { addBook, dataOf, newTitle } from "#tests/support/factories.ts";
import { pdfPages } from "#tests/support/pdf-text.ts";
import { readBarcodesIn } from "#tests/support/read-barcodes.ts";
import { expect, expectAccessibleAtWidths, test } from "#tests/support/test.ts";
import { openAdmin } from "./back-office.ts";

const newIsbn = () => {
  const digits = `9789988${Math.floor(10_000 + Math.random() * 89_999)}`;
  return digits + isbn13CheckDigit(digits);
};

const MM_PER_PX = 25.4 / 96;
const round = (mm: number) => Math.round(mm * 10) / 10;

/** The pages as the browser prints them: their size in millimetres, and their texts. */
async function printed(page: Page) {
  const pdf = await page.pdf({ preferCSSPageSize: true });
  const boxes = [...pdf.toString("latin1").matchAll(/\/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)\s*\]/g)];
  const sizes = boxes.map(([, width, height]) =>
    [width, height].map((points) => round((Number(points) * 25.4) / 72)),
  );
  return { sizes, texts: pdfPages(pdf) };
}

/** Chromium rounds a page to whole pixels of a quarter of a millimetre. */
function expectSizes(sizes: number[][], [width, height]: readonly [number, number], pages: number): void {
  expect(sizes).toHaveLength(pages);
  for (const [x = 0, y = 0] of sizes) {
    expect(Math.abs(x - width), `a page's width, ${x} mm`).toBeLessThan(0.27);
    expect(Math.abs(y - height), `a page's height, ${y} mm`).toBeLessThan(0.27);
  }
}

/** Where things are on paper, in millimetres from the first page's corner: `selector` of those that are printed. */
async function measured(page: Page, selector: string) {
  await page.emulateMedia({ media: "print" });
  const boxes = await page.locator(`[data-on-paper] ${selector}`).evaluateAll((elements) =>
    elements.map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return [x, y + scrollY, width, height];
    }),
  );
  await page.emulateMedia({ media: null });
  return boxes.map((box) => box.map((px) => round(px * MM_PER_PX)));
}

/** What a reader sees on the printed pages. */
async function barcodesOn(page: Page): Promise<string[]> {
  await page.emulateMedia({ media: "print" });
  const picture = await page.locator("[data-on-paper]").screenshot();
  await page.emulateMedia({ media: null });
  return readBarcodesIn(picture);
}

test.use({ deviceScaleFactor: 3 });
test.beforeEach(async ({ context, admin, signIn }) => signIn(context, admin));

test("a receipt's labels fill a used A4 sheet from its first free label, in millimetres, and are read again", async ({
  page,
  admin,
}) => {
  const isbns = [newIsbn(), newIsbn()];
  const books = [];
  for (const isbn of isbns)
    books.push(
      await addBook(admin.client, {
        title: newTitle("Label"),
        isbn,
        price: 45.5,
        shelf: "C4",
        stock_quantity: 0,
      }),
    );
  const bare = await addBook(admin.client, {
    title: newTitle("Bare"),
    isbn: "AB-9",
    price: 12,
    stock_quantity: 0,
  });
  const id = crypto.randomUUID();
  await dataOf(
    admin.client.rpc("book_receipt", {
      _id: id,
      _lines: [
        { book_id: books[0]?.id ?? "", copies: 3, damaged: 0, cost: null },
        { book_id: books[1]?.id ?? "", copies: 2, damaged: 1, cost: null },
        { book_id: bare.id, copies: 1, damaged: 0, cost: null },
      ],
      _currency: "GHS",
      _rate: 1,
      _note: "",
    }),
  );
  await openAdmin(page, "/admin/receiving", "Receiving");
  await page.getByRole("row").filter({ hasText: bare.title }).getByRole("link", { name: "Labels" }).click();
  await expect(page.getByLabel(`Labels of ${books[0]?.title}`)).toHaveValue("3");
  await expect(page.getByText("This book has no valid ISBN, so the label has no barcode")).toContainText(
    bare.title,
  );
  await expectAccessibleAtWidths(page);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.getByLabel("First free label").fill("22");
  await expect(page.getByRole("button", { name: "Print 6 labels" })).toBeEnabled();

  const { sizes, texts } = await printed(page);
  expectSizes(sizes, [210, 297], 2);
  // A PDF lists its pages in any order.
  const [first = "", second = ""] = texts[0]?.includes("12.00") ? [...texts].reverse() : texts;
  expect(first.match(/45\.50/g)).toHaveLength(3);
  expect(second.match(/45\.50/g)).toHaveLength(2);
  expect(second).toContain("12.00");
  expect(texts.join(""), "the page around the labels").not.toMatch(/Admin Panel|Scan or type|Print/);
  // The three last of eight rows, then the first row: 296 of 297 mm are used.
  const corners = (await measured(page, ".absolute")).map(([x, y]) => [x, y]);
  expect(corners.slice(0, 3)).toEqual([0, 70, 140].map((x) => [x, 0.5 + 7 * 37]));
  // At full size a barcode is 37.29 mm wide with its quiet zones.
  for (const [, , width] of await measured(page, "svg")) expect(width).toBe(37.3);
  expect((await barcodesOn(page)).sort()).toEqual(
    [isbns[0], isbns[0], isbns[0], isbns[1], isbns[1]].map(String).sort(),
  );
});

for (const [name, size, widths] of [
  ["A4, 21 labels, 63.5 × 38.1 mm", [210, 297], [37.3, 33.6, 29.8]],
  ["Roll, 57 × 32 mm", [57, 32], [37.3, 33.6, 29.8]],
  ["Roll, 50 × 25 mm", [50, 25], [37.3, 33.6, 29.8]],
] as const)
  test(`labels on ${name} have pages of that size, and are read at each size of barcode`, async ({
    page,
    admin,
  }) => {
    const book = await addBook(admin.client, {
      title: `${newTitle("A long title")}: the Complete Integrated Science Course for Junior High Schools, Book 2`,
      isbn: newIsbn(),
      price: 1_234.5,
      shelf: "Shelf 12",
    });
    await openAdmin(page, `/admin/stock/labels?book=${book.id}`, "Labels");
    await page.getByLabel(`Labels of ${book.title}`).fill("2");
    await page.getByLabel("Labels", { exact: true }).selectOption(name);
    for (const [index, percent] of ["100 %", "90 %", "80 %"].entries()) {
      await page.getByLabel("Barcode size").selectOption(percent);
      const { sizes, texts } = await printed(page);
      expectSizes(sizes, size, size[0] === 210 ? 1 : 2);
      expect(texts.join("").match(/1,234\.50/g)).toHaveLength(2);
      expect(texts.join("")).toContain("Shelf");
      expect((await measured(page, "svg")).map(([, , width]) => width)).toEqual([
        widths[index],
        widths[index],
      ]);
      const digits = barcodeDigits(book.isbn ?? "");
      expect(await barcodesOn(page), percent).toEqual([digits, digits]);
    }
    // Nothing sticks out of its label.
    await page.emulateMedia({ media: "print" });
    expect(
      await page
        .locator("[data-on-paper] .absolute")
        .evaluateAll(
          (labels) => labels.filter((label) => label.scrollHeight > label.clientHeight + 1).length,
        ),
    ).toBe(0);
  });

test("labels are chosen from the list of books and by scanning, one more with each scan", {
  tag: "@gate",
}, async ({ page, admin }) => {
  const name = newTitle("Shelved");
  const [listed, scanned] = [
    await addBook(admin.client, { title: `${name} one`, isbn: newIsbn() }),
    await addBook(admin.client, { title: newTitle("Other"), isbn: newIsbn() }),
  ];
  await openAdmin(page, `/admin/books?q=${name}`, "Book Management");
  await expect(page.getByRole("table", { name: "Book Inventory" }).getByRole("row")).toHaveCount(2);
  await page.getByRole("link", { name: "Print labels" }).click();
  await expect(page.getByLabel(`Labels of ${listed.title}`)).toHaveValue("1");
  for (const code of [scanned.isbn, listed.isbn, scanned.isbn]) {
    await page.keyboard.type(String(code));
    await page.keyboard.press("Enter");
  }
  await expect(page.getByLabel(`Labels of ${scanned.title}`)).toHaveValue("2");
  await expect(page.getByLabel(`Labels of ${listed.title}`)).toHaveValue("2");
  await page.getByLabel(`Labels of ${scanned.title}`).fill("9999");
  await expect(page.getByText("Up to 2,000 labels are printed at once.")).toBeVisible();
  await expect(page.getByRole("button", { name: /^Print/ })).toBeDisabled();
  await page.getByRole("button", { name: `Remove ${scanned.title}` }).click();
  await expect(page.getByRole("button", { name: "Print 2 labels" })).toBeEnabled();
});
