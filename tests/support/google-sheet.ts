import { crc32, deflateRawSync } from "node:zlib";

/*
 * Files as Google Sheets downloads them. The workbook: a streamed archive whose sizes follow each file, no docProps, every text in the shared
 * strings, numbers as Java writes them (12.0, 9.780306406157E12), its own number formats, formulas with their results, and rows of empty cells
 * with a style below the table. The CSV: UTF-8 without a byte order mark, CRLF between rows and none at the end, cells as they are shown.
 */

/** A cell: a text; a number with its style; a formula with its result. Null is empty. */
type SheetCell =
  | string
  | { number: number; style?: keyof typeof STYLES; shown: string }
  | { formula: string; result: string }
  | null;

/** The styles that the sheet has, by position: Google numbers its own formats from 164. */
const STYLES = { plain: 0, day: 1, minute: 2, cedis: 3, isbn: 4 } as const;
const FORMATS = ["yyyy-mm-dd", "d/m/yyyy h:mm:ss", "[$GH₵]#,##0.00", "0000000000"];

const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';

/** Rows of the sheet as Google Sheets saves them as .xlsx. */
export function googleWorkbook(rows: readonly SheetCell[][]): Uint8Array<ArrayBuffer> {
  const strings: string[] = [];
  const indexOf = (text: string) => {
    if (!strings.includes(text)) strings.push(text);
    return strings.indexOf(text);
  };
  const cell = (value: SheetCell, at: string): string => {
    if (value === null) return `<c r="${at}" s="${STYLES.plain}"/>`;
    if (typeof value === "string") return `<c r="${at}" s="0" t="s"><v>${indexOf(value)}</v></c>`;
    if ("formula" in value)
      return `<c r="${at}" s="0" t="str"><f t="shared" ref="${at}" si="1">${escaped(value.formula)}</f><v>${escaped(value.result)}</v></c>`;
    return `<c r="${at}" s="${STYLES[value.style ?? "plain"]}"><v>${javaNumber(value.number)}</v></c>`;
  };
  const empty = Array.from({ length: 3 }, () => rows[0]?.map(() => null) ?? []);
  const sheetRows = [...rows, ...empty].map(
    (cells, row) =>
      `<row r="${row + 1}" ht="15.75" customHeight="1">${cells.map((value, column) => cell(value, `${String.fromCharCode(65 + column)}${row + 1}`)).join("")}</row>`,
  );
  const relations = (targets: Record<string, string>) =>
    `${XML}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${Object.entries(
      targets,
    )
      .map(
        ([target, type], at) =>
          `<Relationship Id="rId${at + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`,
      )
      .join("")}</Relationships>`;
  const styles = FORMATS.map((code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${escaped(code)}"/>`);
  const xf = (format: number) =>
    `<xf borderId="0" fillId="0" fontId="1" numFmtId="${format}" xfId="0" applyAlignment="1" applyFont="1" applyNumberFormat="1"><alignment readingOrder="0"/></xf>`;
  return streamedArchive({
    "xl/worksheets/sheet1.xml": `${XML}<worksheet xmlns="${MAIN}" xmlns:r="${OFFICE}" xmlns:mx="http://schemas.microsoft.com/office/mac/excel/2008/main" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:mv="urn:schemas-microsoft-com:mac:vml"><sheetPr><outlinePr summaryBelow="0" summaryRight="0"/></sheetPr><sheetViews><sheetView workbookViewId="0"/></sheetViews><sheetFormatPr customHeight="1" defaultColWidth="12.63" defaultRowHeight="15.75"/><sheetData>${sheetRows.join("")}</sheetData><drawing r:id="rId1"/></worksheet>`,
    "xl/drawings/drawing1.xml": `${XML}<xdr:wsDr xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"/>`,
    "xl/sharedStrings.xml": `${XML}<sst xmlns="${MAIN}" count="${strings.length}" uniqueCount="${strings.length}">${strings.map((text) => `<si><t${/^\s|\s$|\n/.test(text) ? ' xml:space="preserve"' : ""}>${escaped(text)}</t></si>`).join("")}</sst>`,
    "xl/styles.xml": `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="${styles.length}">${styles.join("")}</numFmts><cellStyleXfs count="1"><xf borderId="0" fillId="0" fontId="0" numFmtId="0"/></cellStyleXfs><cellXfs count="5">${xf(0)}${FORMATS.map((_, at) => xf(164 + at)).join("")}</cellXfs></styleSheet>`,
    "xl/workbook.xml": `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><workbookPr/><sheets><sheet state="visible" name="Sheet1" sheetId="1" r:id="rId3"/></sheets><definedNames/><calcPr/></workbook>`,
    "xl/worksheets/_rels/sheet1.xml.rels": relations({ "../drawings/drawing1.xml": "drawing" }),
    "xl/_rels/workbook.xml.rels": relations({
      "styles.xml": "styles",
      "sharedStrings.xml": "sharedStrings",
      "worksheets/sheet1.xml": "worksheet",
    }),
    "_rels/.rels": relations({ "xl/workbook.xml": "officeDocument" }),
    "[Content_Types].xml": `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default ContentType="application/xml" Extension="xml"/></Types>`,
  });
}

/** The same rows as Google Sheets saves them as .csv. */
export function googleCsv(rows: readonly SheetCell[][]): Uint8Array<ArrayBuffer> {
  const shown = (cell: SheetCell) =>
    cell === null ? "" : typeof cell === "string" ? cell : "formula" in cell ? cell.result : cell.shown;
  const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const lines = rows.map((cells) => cells.map((cell) => quoted(shown(cell))).join(","));
  return new TextEncoder().encode(lines.join("\r\n"));
}

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** '12.0', '0.1', '9.780306406157E12' */
function javaNumber(number: number): string {
  if (number !== 0 && (Math.abs(number) >= 1e7 || Math.abs(number) < 1e-3)) {
    const [digits = "", exponent = ""] = number.toExponential().split("e");
    return `${digits.includes(".") ? digits : `${digits}.0`}E${Number(exponent)}`;
  }
  return Number.isInteger(number) ? `${number}.0` : String(number);
}

/** A ZIP archive that was written without going back: checksum and sizes are behind each file, and zero in front of it. */
function streamedArchive(files: Record<string, string>): Uint8Array<ArrayBuffer> {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  const put = (part: Buffer) => {
    parts.push(part);
    at += part.length;
  };
  for (const [name, text] of Object.entries(files)) {
    const content = Buffer.from(text);
    const packed = deflateRawSync(content);
    const start = at;
    const sums = numbers([4, crc32(content)], [4, packed.length], [4, content.length]);
    const facts = numbers([2, 20], [2, 0x0808], [2, 8], [2, 0], [2, 0x21]);
    const names = numbers([2, name.length], [2, 0]);
    put(Buffer.concat([numbers([4, 0x04034b50]), facts, Buffer.alloc(12), names, Buffer.from(name)]));
    put(packed);
    put(Buffer.concat([numbers([4, 0x08074b50]), sums]));
    const rest = numbers([2, 0], [2, 0], [2, 0], [4, 0], [4, start]);
    directory.push(numbers([4, 0x02014b50], [2, 20]), facts, sums, names, rest, Buffer.from(name));
  }
  const listed = Buffer.concat(directory);
  const count = Object.keys(files).length;
  const end = numbers([4, 0x06054b50], [4, 0], [2, count], [2, count], [4, listed.length], [4, at], [2, 0]);
  return new Uint8Array(Buffer.concat([...parts, listed, end]));
}

/** Little-endian numbers of 2 or 4 bytes. */
function numbers(...fields: [bytes: 2 | 4, value: number][]): Buffer {
  return Buffer.concat(
    fields.map(([bytes, value]) => {
      const field = Buffer.alloc(bytes);
      field.writeUIntLE(value, 0, bytes);
      return field;
    }),
  );
}
