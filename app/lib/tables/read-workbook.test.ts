import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { needsWorkbookReader } from "#shared/tables/workbook.ts";
import { fc } from "#tests/support/properties.ts";
import { NO_RESULT } from "./cell-text.ts";
import { openWorkbook, WorkbookProblem } from "./read-workbook.ts";
import { createArchive } from "./zip.ts";

const fixture = (name: string) =>
  new Uint8Array(readFileSync(join(import.meta.dirname, "../../../tests/support/workbooks", name)));

const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

async function zip(files: Record<string, string>): Promise<Uint8Array> {
  const archive = createArchive();
  for (const [name, content] of Object.entries(files)) {
    const file = archive.open(name);
    await file.write(content);
    await file.end();
  }
  return new Uint8Array(await new Blob(archive.finish()).arrayBuffer());
}

type Made = {
  rows?: string;
  strings?: string;
  styles?: string;
  workbook?: string;
  sheets?: Record<string, string>;
};

/** A workbook as Excel and Google Sheets lay it out, with these parts. */
function made({ rows = "", strings = "", styles = "", workbook = "", sheets }: Made): Promise<Uint8Array> {
  const names = Object.keys(sheets ?? { Sheet1: rows });
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`;
  return zip({
    "_rels/.rels": `<Relationships>${relation("rId1", "officeDocument", "xl/workbook.xml")}</Relationships>`,
    "xl/workbook.xml": `\uFEFF<?xml version="1.0"?><workbook xmlns="${MAIN}" xmlns:r="${OFFICE}">${workbook}<sheets>${names.map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="s${at}"/>`).join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships>${names.map((_, at) => relation(`s${at}`, "worksheet", `worksheets/sheet${at + 1}.xml`)).join("")}${relation("a", "sharedStrings", "sharedStrings.xml")}${relation("b", "styles", "styles.xml")}</Relationships>`,
    "xl/sharedStrings.xml": `<sst xmlns="${MAIN}">${strings}</sst>`,
    "xl/styles.xml": `<styleSheet xmlns="${MAIN}">${styles}</styleSheet>`,
    ...Object.fromEntries(
      Object.values(sheets ?? { Sheet1: rows }).map((sheet, at) => [
        `xl/worksheets/sheet${at + 1}.xml`,
        `<worksheet xmlns="${MAIN}"><sheetData>${sheet}</sheetData></worksheet>`,
      ]),
    ),
  });
}

async function read(bytes: Uint8Array, maxRows = 100) {
  const workbook = await openWorkbook(bytes);
  return workbook.read(workbook.sheets[0] ?? "", maxRows);
}
const cellsOf = async (parts: Made) => (await read(await made(parts))).map(({ cells }) => cells);
/** The currencies of cells with these number formats, by column. */
async function currenciesOf(formats: string[]) {
  const xml = (text: string) => text.replaceAll('"', "&quot;");
  const numFmts = formats.map((code, at) => `<numFmt numFmtId="${170 + at}" formatCode="${xml(code)}"/>`);
  const xfs = formats.map((_, at) => `<xf numFmtId="${170 + at}"/>`);
  const styles = `<numFmts>${numFmts.join("")}</numFmts><cellXfs>${xfs.join("")}<xf numFmtId="44"/><xf numFmtId="4"/></cellXfs>`;
  const cells = [...formats, "44", "4"].map((_, at) => `<c s="${at}"><v>1</v></c>`);
  const [row] = await read(await made({ styles, rows: `<row>${cells.join("")}</row>` }));
  return row?.currencies;
}
const problemOf = (bytes: Uint8Array | Promise<Uint8Array>, maxRows?: number) =>
  Promise.resolve(bytes)
    .then((file) => read(file, maxRows))
    .then(
      () => null,
      (error) => (error instanceof WorkbookProblem ? error.message : Promise.reject(error)),
    );

describe("a workbook", () => {
  it.each(["libreoffice.xlsx", "xlsxwriter.xlsx", "exceljs-1904.xlsx", "sheetjs.xlsx"])(
    "%s has the same texts, whichever program wrote it, and its empty sheet is not offered",
    async (name) => {
      expect((await openWorkbook(fixture(name))).sheets).toEqual(["Books"]);
      expect(await read(fixture(name))).toEqual([
        { line: 1, cells: ["Title", "ISBN", "Price (GH₵)", "Stock", "Added", "Old ISBN", "Total"] },
        {
          line: 2,
          cells: ["Atlas & Co <1>", "9780306406157", "45.5", "12", "2026-11-25", "0306406152", "546"],
        },
        {
          line: 3,
          cells: ["Ɛkɔ\n₵", "978-0-306-40615-7", "0.3", "0", "2026-11-25 14:30", "080442957X", "0"],
        },
      ]);
    },
  );

  it("may have prefixed names, absolute addresses, texts in their cells and no references, as .NET programs write it", async () => {
    const bytes = await zip({
      "_rels/.rels": `<Relationships><Relationship Type="${OFFICE}/officeDocument" Target="/book.xml" Id="R1"/></Relationships>`,
      "book.xml": `<x:workbook xmlns:x="${MAIN}" xmlns:r="${OFFICE}"><x:sheets><x:sheet x:name="A &gt; B" r:id="R2"/></x:sheets></x:workbook>`,
      "_rels/book.xml.rels": `<Relationships><Relationship Type="${OFFICE}/worksheet" Target="/pages/one.xml" Id="R2"/></Relationships>`,
      "pages/one.xml": `<x:worksheet xmlns:x="${MAIN}"><!-- <x:row> --><x:sheetData><x:row><x:c t="inlineStr"><x:is><x:t>Title</x:t></x:is></x:c><x:c><x:v>7</x:v></x:c></x:row><x:row/><x:row><x:c/><x:c t="str"><x:v><![CDATA[<b>]]></x:v></x:c></x:row></x:sheetData></x:worksheet>`,
    });
    expect((await openWorkbook(bytes)).sheets).toEqual(["A > B"]);
    expect(await read(bytes)).toEqual([
      { line: 1, cells: ["Title", "7"] },
      { line: 3, cells: ["", "<b>"] },
    ]);
  });

  it("has texts in several fonts, without their pronunciation, and characters that XML has not", async () => {
    const strings =
      "<si><r><t>Ma</t></r><r><rPr><b/></rPr><t xml:space='preserve'>ths </t></r><rPh><t>sound</t></rPh></si><si><t>a_x000D_&#10;b_x005F_x000D_</t></si><si/>";
    const rows =
      '<row r="4"><c r="B4" t="s"><v>0</v></c><c r="D4" t="s"><v>1</v></c><c r="E4" t="s"><v>2</v></c></row>';
    expect(await cellsOf({ rows, strings })).toEqual([["", "Maths ", "", "a\r\nb_x000D_"]]);
  });

  it("says which rows and columns are hidden", async () => {
    const sheet =
      '</sheetData><cols><col min="2" max="3" hidden="1"/><col min="4" max="4" width="9"/></cols><sheetData>' +
      '<row r="1"><c t="str"><v>a</v></c></row><row r="2" hidden="1"><c t="str"><v>b</v></c></row>';
    const workbook = await openWorkbook(await made({ rows: sheet }));
    const hiddenColumns = new Set<number>();
    const rows = await workbook.read("Sheet1", 100, hiddenColumns);
    expect(rows).toEqual([
      { line: 1, cells: ["a"] },
      { line: 2, cells: ["b"], hidden: true },
    ]);
    expect([...hiddenColumns]).toEqual([1, 2]);
  });

  it("names the currency that a number's format shows", async () => {
    const formats = [
      "[$$-409]#,##0.00",
      '"£"#,##0.00',
      "_-[$€-2]\\ * #,##0.00_-;\\-[$€-2]\\ * #,##0.00_-",
      "[$GHS] #,##0.00",
      "[Red]$#,##0.00",
      "[$$-C09]0.00",
      "#,##0.00",
      '0" copies"',
      "General",
    ];
    expect(await currenciesOf(formats)).toEqual({
      0: "USD",
      1: "GBP",
      2: "EUR",
      3: "GHS",
      4: "USD",
      5: "AUD",
      // The two behind them are Excel's own 44, accounting in dollars, and 4, an amount.
      9: "USD",
    });
  });

  it("has all digits of numbers, and zeros in front where its format says so", async () => {
    const styles =
      '<numFmts><numFmt numFmtId="170" formatCode="0000000000"/><numFmt numFmtId="171" formatCode="[$GH₵-409] #,##0.00;[Red]\\-0"/><numFmt numFmtId="172" formatCode="&quot;days&quot; 0\\d"/></numFmts><cellXfs><xf/><xf numFmtId="170"/><xf numFmtId="171"/><xf numFmtId="172"/></cellXfs>';
    const number = (value: string, style = 0) => `<c s="${style}"><v>${value}</v></c>`;
    const rows = `<row>${number("9.780306406157E+12")}${number("306406152", 1)}${number("45.100000000000001", 2)}${number("3", 3)}${number("1E+21")}${number("-0.5")}</row>`;
    expect(await cellsOf({ rows, styles })).toEqual([
      ["9780306406157", "0306406152", "45.1", "3", "1000000000000000000000", "-0.5"],
    ]);
  });

  it.each([
    ["", "2026-11-25", "2026-11-25 14:30:15", "1900-01-01"],
    ['<workbookPr date1904="1"/>', "2030-11-26", "2030-11-26 14:30:15", "1904-01-02"],
  ])("has days and times of its calendar: %s", async (workbook, day, time, first) => {
    const styles =
      '<numFmts><numFmt numFmtId="170" formatCode="[$-809]d\\ mmm\\ yyyy;@"/></numFmts><cellXfs><xf/><xf numFmtId="14"/><xf numFmtId="170"/><xf numFmtId="22"/></cellXfs>';
    const rows =
      '<row><c s="1"><v>46351</v></c><c s="3"><v>46351.604340277778</v></c><c s="2"><v>1</v></c><c t="d"><v>2026-11-25T00:00:00</v></c></row>';
    expect(await cellsOf({ workbook, styles, rows })).toEqual([[day, time, first, "2026-11-25"]]);
  });

  it("has numbers as they are where their style is missing, and nothing in a text's cell without a text", async () => {
    const styles = '<cellXfs><xf numFmtId="14"/></cellXfs>';
    const rows =
      '<row><c s="7"><v>46351</v></c><c s="-1"><v>7</v></c><c s="x"><v>8</v></c><c t="s"/><c t="s"><v></v></c><c s="0"><v>46351</v></c></row>';
    expect(await cellsOf({ rows, styles, strings: "<si><t>Title</t></si>" })).toEqual([
      ["46351", "7", "8", "", "", "2026-11-25"],
    ]);
  });

  it("has truth values and errors as words, and no empty row", async () => {
    const rows =
      '<row><c t="b"><v>1</v></c><c t="b"><v>0</v></c><c t="e"><v>#REF!</v></c></row><row r="9"><c s="3"/><c t="str"><v> </v></c></row>';
    expect(await cellsOf({ rows })).toEqual([["TRUE", "FALSE", "#REF!"]]);
  });

  it("marks formulas whose results the program has not stored, as openpyxl and pandas write them", async () => {
    const rows =
      '<row><c t="inlineStr"><is><t>Atlas</t></is></c><c><f>B1*2</f><v></v></c><c><f>1+1</f><v>2</v></c></row>';
    expect(await cellsOf({ rows })).toEqual([["Atlas", NO_RESULT, "2"]]);
    expect((await read(fixture("openpyxl-without-results.xlsx"))).flatMap(({ cells }) => cells)).toContain(
      NO_RESULT,
    );
  });

  it("is found whatever the letters, spaces and links of its parts' addresses", async () => {
    const bytes = await zip({
      "_rels/.rels": `<Relationships><Relationship Id="a" Type="${OFFICE}/officeDocument" Target="XL/workbook.xml"/></Relationships>`,
      "xl/workbook.xml": `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="A" r:id="s"/><sheet name="B" r:id="t"/></sheets></workbook>`,
      "xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="h" Type="${OFFICE}/hyperlink" Target="http://" TargetMode="External"/><Relationship Id="i" Type="${OFFICE}/externalLink" Target="https://"/><Relationship Id="s" Type="${OFFICE}/worksheet" Target="../xl/./worksheets/my sheet.xml"/><Relationship Id="t" Type="${OFFICE}/worksheet" Target="worksheets/100%.xml"/></Relationships>`,
      "xl/worksheets/my%20sheet.xml":
        "<worksheet><sheetData><row><c><v>1</v></c></row></sheetData></worksheet>",
      "xl/worksheets/100%.xml": "<worksheet><sheetData><row><c><v>2</v></c></row></sheetData></worksheet>",
    });
    const { sheets, read: readOf } = await openWorkbook(bytes);
    expect(sheets).toEqual(["A", "B"]);
    expect(await readOf("A", 9)).toEqual([{ line: 1, cells: ["1"] }]);
    expect(await readOf("B", 9)).toEqual([{ line: 1, cells: ["2"] }]);
  });

  it("offers its visible sheets with anything in them", async () => {
    const filled = "<row><c><v>1</v></c></row>";
    const bytes = await made({ sheets: { Notes: "", Orders: filled, "Books &amp; more": filled } });
    const { sheets, read: readOf } = await openWorkbook(bytes);
    expect(sheets).toEqual(["Orders", "Books & more"]);
    expect(await readOf("Books & more", 9)).toEqual([{ line: 1, cells: ["1"] }]);
    await expect(readOf("Notes", 9)).rejects.toThrow(WorkbookProblem);
    expect(await problemOf(made({ rows: "" }))).toBe("The workbook is empty.");
  });
});

describe("a refused file", () => {
  it("says why it refuses an old workbook, one with a password, and one of another program", async () => {
    expect(await problemOf(fixture("libreoffice.xls"))).toMatch(/old Excel workbook/);
    const wrapped = Buffer.concat([
      Buffer.from("d0cf11e0a1b11ae1", "hex"),
      Buffer.from("EncryptedPackage", "utf16le"),
    ]);
    expect(await problemOf(new Uint8Array(wrapped))).toMatch(/protected by a password/);
    expect(await problemOf(fixture("libreoffice.ods"))).toMatch(/LibreOffice file/);
    expect(await problemOf(zip({ "ppt/presentation.xml": "<p/>" }))).toMatch(/not an Excel workbook/);
    expect(await problemOf(zip({ "xl/workbook.bin": "" }))).toMatch(/binary Excel workbook/);
    expect(await problemOf(zip({ "Index/Document.iwa": "" }))).toMatch(/Apple Numbers/);
    expect(await problemOf(zip({ "list.csv": "title" }))).toMatch(/Unzip it first/);
  });

  it("refuses a Word document, new or old", async () => {
    const word = {
      "_rels/.rels": `<Relationships><Relationship Id="a" Type="${OFFICE}/officeDocument" Target="word/document.xml"/></Relationships>`,
      "word/document.xml": "<w/>",
    };
    expect(await problemOf(zip(word))).toMatch(/Word document/);
    const old = Buffer.concat([
      Buffer.from("d0cf11e0a1b11ae1", "hex"),
      Buffer.from("WordDocument", "utf16le"),
    ]);
    expect(await problemOf(new Uint8Array(old))).toMatch(/Word document/);
  });

  it.each([
    ["a PDF", "%PDF-1.7\n", /This is a PDF/],
    ["a picture", "\x89PNG\r\n", /picture/],
    ["a web page", "\uFEFF<!DOCTYPE html><table><tr><td>Title</td></tr></table>", /web page/],
    ["XML that is no table", '<?xml version="1.0"?><list/>', /This is an XML file/],
    ["a web page without its head", "<table><tr><td>Title</td></tr></table>", /web page/],
    [
      "an XML spreadsheet",
      '<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>',
      /XML spreadsheet/,
    ],
    [
      "an XML spreadsheet without Excel's mark",
      '<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet">',
      /XML spreadsheet/,
    ],
  ])("refuses %s with a workbook's name", async (_, content, reason) => {
    const encoding = content.startsWith("\x89") ? "latin1" : "utf8";
    const bytes = new Uint8Array(Buffer.from(content, encoding));
    expect(needsWorkbookReader(bytes)).toBe(true);
    expect(await problemOf(bytes)).toMatch(reason);
  });

  it("refuses a sheet with too many rows or columns", async () => {
    const rows = "<row><c><v>1</v></c></row>";
    expect(await problemOf(made({ rows: rows.repeat(3) }), 2)).toMatch(/more than 2 rows/);
    expect(await problemOf(made({ rows: rows.repeat(3) }), 3)).toBeNull();
    expect(await problemOf(made({ rows: '<row><c r="XFD1"><v>1</v></c></row>' }))).toMatch(/columns/);
  });

  it.each(["1", "-1", "0.5", "x"])("refuses a workbook that lacks the text number %s", async (number) => {
    const rows = `<row><c t="s"><v>0</v></c><c t="s"><v>${number}</v></c></row>`;
    expect(await problemOf(made({ rows, strings: "<si><t>Title</t></si>" }))).toMatch(
      /damaged or incomplete/,
    );
  });

  it("refuses a workbook that lacks a sheet's file or doesn't say which one it is", async () => {
    const parts = (relation: string) =>
      zip({
        "_rels/.rels": `<Relationships><Relationship Id="a" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
        "xl/workbook.xml": `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="A" r:id="s"/><sheet name="B" r:id="t"/></sheets></workbook>`,
        "xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="s" Type="${OFFICE}/worksheet" Target="a.xml"/>${relation}</Relationships>`,
        "xl/a.xml": "<worksheet><sheetData><row><c><v>1</v></c></row></sheetData></worksheet>",
      });
    const relation = (type: string, target: string) =>
      `<Relationship Id="t" Type="${OFFICE}/${type}" Target="${target}"/>`;
    expect(await problemOf(parts(""))).toMatch(/damaged or incomplete/);
    expect(await problemOf(parts(relation("worksheet", "b.xml")))).toMatch(/damaged or incomplete/);
    expect(await problemOf(parts(relation("chartsheet", "a.xml")))).toBeNull();
  });

  it("refuses XML that never ends, and expands no entities that it defines", async () => {
    expect(await problemOf(made({ rows: `<row><c t="str"><v>${"x".repeat(3_000_000)}` }))).toMatch(
      /not an Excel/,
    );
    const rows = '<row><c t="str"><v>&bomb;</v></c></row>';
    expect(await cellsOf({ rows: `<!DOCTYPE x>${rows}` })).toEqual([["&bomb;"]]);
  });

  it("reads a damaged workbook or says why not, whatever its bytes are", async () => {
    const whole = fixture("libreoffice.xlsx");
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 20 }),
        fc.nat(whole.length),
        async (changes, end) => {
          const bytes = whole.slice(0, end % 3 === 0 ? end : undefined);
          for (const [at, byte] of changes) if (at < bytes.length) bytes[at] = byte;
          const problem = await problemOf(bytes);
          expect(problem === null || /^[A-Z].*\.$/.test(problem)).toBe(true);
        },
      ),
      { numRuns: 150 },
    );
  });
});
