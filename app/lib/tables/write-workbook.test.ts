import { crc32, inflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import { rearmFormulas } from "#shared/tables/csv.ts";
import { type TableCell, TableProblem } from "#shared/tables/table-file.ts";
import { fc } from "#tests/support/properties.ts";
import { openWorkbook } from "./read-workbook.ts";
import { workbookFile } from "./write-workbook.ts";

async function write(headings: string[], rows: TableCell[][]): Promise<Uint8Array> {
  const file = await workbookFile(headings);
  await file.add(rows);
  return new Uint8Array(await (await file.finish()).arrayBuffer());
}

/** The files of an archive, unpacked and with their checksums compared by Node. */
function filesOf(bytes: Uint8Array): Record<string, string> {
  const buffer = Buffer.from(bytes);
  const files: Record<string, string> = {};
  for (let at = 0; buffer.readUInt32LE(at) === 0x04034b50; ) {
    const [crc, packed, unpacked, name] = [14, 18, 22]
      .map((place) => buffer.readUInt32LE(at + place))
      .concat(buffer.readUInt16LE(at + 26)) as [number, number, number, number];
    const start = at + 30 + name;
    const content = inflateRawSync(buffer.subarray(start, start + packed));
    expect([crc32(content), content.length]).toEqual([crc, unpacked]);
    files[buffer.toString("utf8", at + 30, start)] = content.toString("utf8");
    at = start + packed;
  }
  return files;
}

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }).filter((each) => each.isWellFormed()),
  fc.constantFrom(
    "=1+1",
    "'=1+1",
    "+233 20",
    "@a",
    "_x000D_",
    "a\r\nb",
    "\t=1",
    ";'=x",
    "0306406152",
    "<&>\"'",
    "ɛ ₵ 学 📚",
  ),
);
const cell = fc.oneof(
  text,
  fc
    .double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 })
    .map((number) => Number(number.toPrecision(12))),
  fc.integer(),
  fc.constant(null),
);

test("whatever is written is read back, and no cell is a formula", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { maxLength: 4 }),
      async (rows) => {
        const bytes = await write(["Heading", "=Other"], rows);
        const sheet = filesOf(bytes)["xl/worksheets/sheet1.xml"] ?? "";
        expect(sheet).not.toMatch(/<f[ >/]/);
        const workbook = await openWorkbook(bytes);
        const read = await workbook.read("Sheet1", 10);
        const written = rows.map((cells, at) => {
          const texts = cells.map((each) =>
            each === null ? "" : typeof each === "number" ? plain(each) : each,
          );
          while (texts.at(-1) === "") texts.pop();
          return { line: at + 2, cells: texts };
        });
        expect(read.map((row) => ({ ...row, cells: row.cells.map(rearmFormulas) }))).toEqual([
          { line: 1, cells: ["Heading", "=Other"] },
          ...written.filter(({ cells }) => cells.some((each) => each.trim() !== "")),
        ]);
      },
    ),
    { numRuns: 100 },
  );
});

const plain = (number: number) =>
  String(number).includes("e")
    ? number.toLocaleString("en", { useGrouping: false, maximumFractionDigits: 20 })
    : String(number);

test("the headings are bold and stay in view, amounts are numbers and times are times in Ghana", async () => {
  const at = new Date("2026-11-20T08:05:59.999Z");
  const files = filesOf(
    await write(["Price", "Added", "ISBN"], [[{ cedis: 45.5 }, at, "978-0-306-40615-7"]]),
  );
  const sheet = files["xl/worksheets/sheet1.xml"] ?? "";
  expect(sheet).toContain('<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>');
  expect(sheet).toContain('<c r="A1" t="inlineStr" s="1">');
  expect(sheet).toContain(
    '<c r="A2" s="2"><v>45.50</v></c><c r="B2" s="3"><v>46346.336805555555</v></c><c r="C2" t="inlineStr" s="5">',
  );
  const [, row] = await (await openWorkbook(await write(["Added"], [[at]]))).read("Sheet1", 9);
  expect(row?.cells).toEqual(["2026-11-20 08:05"]);
});

test("a table with more rows than a sheet has is refused in words", async () => {
  const file = await workbookFile(["A"]);
  await expect(file.add(Array(1_048_576))).rejects.toThrow(TableProblem);
});
