import { expect, test } from "vitest";
import { workbookFile } from "#app/lib/tables/write-workbook.ts";
import { createArchive } from "#app/lib/tables/zip.ts";
import { bookImportColumns } from "./book-import-columns.ts";
import { BookTableProblem } from "./book-table.ts";
import { readTableFile } from "./workbook-table.ts";

const read = (bytes: Uint8Array, sheet?: string) =>
  readTableFile(bytes, { known: bookImportColumns, maxRows: 50, sheet });

async function workbook(headings: string[], rows: string[][]): Promise<Uint8Array> {
  const file = await workbookFile(headings);
  await file.add(rows);
  return new Uint8Array(await (await file.finish()).arrayBuffer());
}

/** A workbook with these sheets, each of one column. */
async function withSheets(sheets: Record<string, string[]>): Promise<Uint8Array> {
  const archive = createArchive();
  const add = async (name: string, content: string) => {
    const file = archive.open(name);
    await file.write(content);
    await file.end();
  };
  const names = Object.keys(sheets);
  await add(
    "xl/workbook.xml",
    `<w>${names.map((name, at) => `<sheet name="${name}" id="s${at}"/>`).join("")}</w>`,
  );
  await add(
    "xl/_rels/workbook.xml.rels",
    `<R>${names.map((_, at) => `<Relationship Id="s${at}" Type="/worksheet" Target="s${at}.xml"/>`).join("")}</R>`,
  );
  for (const [at, texts] of Object.values(sheets).entries())
    await add(
      `xl/s${at}.xml`,
      `<s>${texts.map((text) => `<row><c t="str"><v>${text}</v></c></row>`).join("")}</s>`,
    );
  return new Uint8Array(await new Blob(archive.finish()).arrayBuffer());
}

test("a workbook's headings are found below a title, totals are not books, and lines are the sheet's", async () => {
  const bytes = await workbook(
    ["Price list", ""],
    [
      ["", ""],
      ["Title", "Price"],
      ["Atlas", "45"],
      ["Total", "45"],
    ],
  );
  expect(await read(bytes)).toEqual({
    encoding: "UTF-8",
    headings: ["Title", "Price"],
    rows: [
      { line: 1, cells: ["Price list"], problem: "This line is above the headings." },
      { line: 4, cells: ["Atlas", "45"] },
      { line: 5, cells: ["Total", "45"], problem: "This looks like a line of totals, not a book." },
    ],
  });
});

test("rows left out that were repaired in a workbook are read without their reasons", async () => {
  const bytes = await workbook(
    ["Line", "Reason", "Title", "Price"],
    [["7", "The price is missing.", "Atlas", "45"]],
  );
  expect(await read(bytes)).toMatchObject({
    headings: ["Title", "Price"],
    rows: [{ cells: ["Atlas", "45"] }],
  });
});

test("of several sheets one is chosen, and named in the table", async () => {
  const bytes = await withSheets({ Old: ["Title", "Atlas"], New: ["Title", "Globe"], Empty: [] });
  expect(await read(bytes)).toEqual({ sheets: ["Old", "New"], hiddenSheets: [] });
  expect(await read(bytes, "New")).toMatchObject({ sheet: "New", rows: [{ line: 2, cells: ["Globe"] }] });
});

test("a file is what its bytes are, not what its name says", async () => {
  const csv = new TextEncoder().encode("Title;Price\nAtlas;45");
  expect(await read(csv)).toMatchObject({ headings: ["Title", "Price"] });
  const old = Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 0]);
  await expect(read(old)).rejects.toThrow(BookTableProblem);
  await expect(read(old)).rejects.toThrow(/old Excel workbook/);
  await expect(read(await workbook(["Title"], []))).rejects.toThrow("The file has headings and no rows.");
});
