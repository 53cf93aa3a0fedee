import { randomUUID } from "node:crypto";
import { addBook, dataOf, newTitle } from "#tests/support/factories.ts";
import { brokenAmounts } from "#tests/support/layout.ts";
import { type PlacedPage, placedPages } from "#tests/support/pdf-places.ts";
import { expect, test } from "#tests/support/test.ts";
import { openAdmin } from "./back-office.ts";

const TITLES = 60;
const MARGIN_MM = 15;
const A4_MM = { width: 210, height: 297 };
/** Chromium rounds a page to whole pixels of a quarter of a millimetre. */
const ROUNDING_MM = 0.27;

const joined = (text: string) => text.replaceAll(/\s+/g, "");

/** A page's texts in reading order, without spaces. */
const textOf = ({ texts }: PlacedPage) => joined(texts.map(({ text }) => text).join(""));

test("a purchase order of sixty titles prints on A4 with margins, unbroken lines, and headings on each page", async ({
  page,
  context,
  admin,
  signIn,
}) => {
  test.setTimeout(180_000);
  await signIn(context, admin);
  const [supplier, id, name] = [randomUUID(), randomUUID(), newTitle("Ordered")];
  const books = await Promise.all(
    Array.from({ length: TITLES }, (_, n) =>
      addBook(admin.client, {
        title: `${name}-${n}: the Complete Integrated Science Course for Junior High Schools, Student's Book with Answers`,
        isbn: `9789988${String(10_000 + n)}0`,
        publisher: "Cambridge University Press",
      }),
    ),
  );
  await dataOf(
    admin.client.rpc("save_supplier", {
      _id: supplier,
      _name: "Longhorn Publishers",
      _terms: "Payment within 60 days of delivery",
      _currency: "GBP",
    }),
  );
  await dataOf(admin.client.rpc("create_purchase_order", { _id: id, _supplier_id: supplier }));
  const lines = books.map(({ id: book_id }, n) => ({
    book_id,
    copies: 1000 + n,
    list_price: 1_234.5,
    discount: 33.33,
  }));
  await dataOf(admin.client.rpc("update_purchase_order", { _id: id, _version: 1, _lines: lines }));
  const reference = await dataOf(admin.client.rpc("send_purchase_order", { _id: id, _version: 2 }));

  await page.setViewportSize({ width: 1280, height: 900 });
  await openAdmin(page, `/admin/purchases/${id}`, "Purchase order");
  await page.getByRole("link", { name: "Print" }).click();
  await expect(page.getByRole("article", { name: "Purchase order" })).toContainText(`${name}-59`);
  const pages = placedPages(await page.pdf({ preferCSSPageSize: true, printBackground: true }));
  const sheets = pages.sort((one, other) => Number(startsDocument(other)) - Number(startsDocument(one)));
  expect(sheets.length).toBeGreaterThan(1);
  for (const [index, sheet] of sheets.entries()) {
    const where = `page ${index + 1}`;
    expect(Math.abs(sheet.width - A4_MM.width), `${where}: ${sheet.width} mm wide`).toBeLessThan(ROUNDING_MM);
    expect(Math.abs(sheet.height - A4_MM.height), `${where}: ${sheet.height} mm high`).toBeLessThan(
      ROUNDING_MM,
    );
    const [left, top, bottom] = [
      Math.min(...sheet.texts.map(({ x }) => x)),
      Math.min(...sheet.texts.map(({ y }) => y)),
      Math.max(...sheet.texts.map(({ y }) => y)),
    ];
    expect(Math.abs(left - MARGIN_MM), `${where}: the left margin, ${left} mm`).toBeLessThan(0.5);
    expect(top, `${where}: the first line`).toBeGreaterThan(MARGIN_MM);
    expect(top, `${where}: the first line`).toBeLessThan(MARGIN_MM + 15);
    expect(bottom, `${where}: the last line`).toBeLessThan(A4_MM.height - MARGIN_MM);
    const text = textOf(sheet);
    for (const heading of ["Book", "Copies", "List price", "Discount", "Amount, GBP"])
      expect(text, `${where}: the heading`).toContain(joined(heading));
    expect(text, `${where}: its number`).toContain(joined(`Purchase order ${reference}`));
    expect(text, `${where}: what is not of the document`).not.toMatch(/AdminPanel|Backto|Print/);
  }

  // A line's title, ISBN, copies and amount are on one page, from top to bottom in the order of the purchase order.
  const rows = sheets.flatMap((sheet) => {
    const starts = sheet.texts.filter(({ text }) => joined(text).includes(`${joined(name)}-`));
    return starts.map(({ y }, at) => {
      const next = starts[at + 1]?.y ?? A4_MM.height;
      return joined(
        sheet.texts
          .filter((one) => one.y >= y - 1 && one.y < next - 1)
          .map(({ text }) => text)
          .join(""),
      );
    });
  });
  expect(rows).toHaveLength(TITLES);
  for (const [n, row] of rows.entries()) {
    expect(row).toContain(`${joined(name)}-${n}:`);
    for (const part of ["StudentsBookwithAnswers", "CambridgeUniversityPress", "1,234.50", "33.33%"])
      expect(row.replaceAll(/['’]/g, ""), `line ${n + 1}`).toContain(part);
    expect(row, `line ${n + 1}`).toContain(`${(1000 + n).toLocaleString("en-GB")}1,234.50`);
  }
  const last = textOf(sheets.at(-1) as PlacedPage);
  expect(last).toMatch(/TotalGBP[\d,]+\.\d\dTermsPaymentwithin60daysofdelivery$/);
  expect(
    sheets
      .map(textOf)
      .join("")
      .match(/TotalGBP/g),
  ).toHaveLength(1);

  // The width between the margins.
  const width = Math.floor(((A4_MM.width - 2 * MARGIN_MM) * 96) / 25.4);
  await page.setViewportSize({ width, height: 1000 });
  await page.emulateMedia({ media: "print" });
  expect(await brokenAmounts(page), "broken amounts").toEqual([]);
  const cut = await page
    .getByRole("article", { name: "Purchase order" })
    .locator("td, th, dd, p, h2, address")
    .evaluateAll((parts) =>
      parts
        .filter((part) => part.checkVisibility() && part.getBoundingClientRect().right > innerWidth)
        .map(({ textContent }) => textContent),
    );
  expect(cut, "cut off at the right").toEqual([]);
});

/** The first page alone has the shop's name and the addressee. */
const startsDocument = (sheet: PlacedPage) => textOf(sheet).includes("LonghornPublishers");
