import { disarmFormulas, rearmFormulas } from "#shared/tables/csv.ts";
import { type TableCell, type TableFile, TableProblem } from "#shared/tables/table-file.ts";
import { createArchive } from "./zip.ts";

/*
 * Writes Excel workbooks of one sheet: bold headings that stay in view, numbers as numbers, times as times, everything else as text. No formula
 * is ever written. Rows are compressed as they come, so that a long table takes little memory.
 */

const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml";

/** A sheet ends there. */
const MAX_ROWS = 1_048_576;
/** A cell's text does. */
const MAX_TEXT = 32_767;

/** The styles in their order in STYLES. */
const style = { plain: 0, heading: 1, amount: 2, minute: 3, quoted: 4, code: 5 } as const;

const STYLES = `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="6"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/><xf numFmtId="4" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0" quotePrefix="1"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;

const files: [name: string, content: string][] = [
  [
    "[Content_Types].xml",
    `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/></Types>`,
  ],
  [
    "_rels/.rels",
    `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  ],
  [
    "xl/workbook.xml",
    `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  ],
  [
    "xl/_rels/workbook.xml.rels",
    `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
  ],
  ["xl/styles.xml", STYLES],
];

export async function workbookFile(headings: readonly string[]): Promise<TableFile> {
  const archive = createArchive();
  for (const [name, content] of files) {
    const file = archive.open(name);
    await file.write(content);
    await file.end();
  }
  const sheet = archive.open("xl/worksheets/sheet1.xml");
  const columns = headings.map(
    (heading, at) =>
      `<col min="${at + 1}" max="${at + 1}" width="${Math.max(12, heading.length + 3)}" customWidth="1"/>`,
  );
  await sheet.write(
    `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${columns.join("")}</cols><sheetData>`,
  );
  await sheet.write(rowXml(1, headings, style.heading));
  let line = 1;
  return {
    async add(rows) {
      if (line + rows.length > MAX_ROWS)
        throw new TableProblem("An Excel sheet can't have more than 1,048,576 rows. Download CSV instead.");
      await sheet.write(
        rows
          .map((cells) => {
            line += 1;
            return rowXml(line, cells);
          })
          .join(""),
      );
    },
    async finish() {
      await sheet.write("</sheetData></worksheet>");
      await sheet.end();
      return new Blob(archive.finish(), { type: `${TYPE}.sheet` });
    },
  };
}

function rowXml(line: number, cells: readonly TableCell[], textStyle?: number): string {
  return `<row r="${line}">${cells.map((cell, at) => cellXml(`${columnName(at)}${line}`, cell, textStyle)).join("")}</row>`;
}

function cellXml(place: string, value: TableCell, textStyle?: number): string {
  const cell = value !== null && typeof value === "object" && "literal" in value ? value.literal : value;
  if (cell === null || cell === undefined || cell === "") return "";
  if (typeof cell === "number") return Number.isFinite(cell) ? `<c r="${place}"><v>${cell}</v></c>` : "";
  if (cell instanceof Date) return `<c r="${place}" s="${style.minute}"><v>${daysOf(cell)}</v></c>`;
  if (typeof cell === "object")
    return `<c r="${place}" s="${style.amount}"><v>${cell.cedis.toFixed(2)}</v></c>`;
  // The import takes away the apostrophes that CSV needs; a text that has such of its own gets them.
  const isKept = !cell.includes("'") || rearmFormulas(cell) === cell;
  const text = (isKept ? cell : disarmFormulas(cell)).slice(0, MAX_TEXT);
  const of = textStyle ?? styleOf(text);
  return `<c r="${place}" t="inlineStr"${of ? ` s="${of}"` : ""}><is><t xml:space="preserve">${escapeXml(text)}</t></is></c>`;
}

/** What keeps a text a text when someone edits its cell: one that looks like a formula, and one like a number. */
function styleOf(text: string): number {
  if (/^[^\p{L}\p{N}]/u.test(text) && disarmFormulas(text) !== text) return style.quoted;
  return /^[\d -]{4,}X?$/.test(text) ? style.code : style.plain;
}

/** Days since the end of 1899, to the minute, in Ghana's time, which is UTC all year. */
function daysOf(at: Date): number {
  return Math.floor(at.getTime() / 60_000) / 1440 + 25_569;
}

/** 27 → 'AB' */
function columnName(at: number): string {
  const last = String.fromCharCode(65 + (at % 26));
  return at < 26 ? last : columnName(Math.floor(at / 26) - 1) + last;
}

const ESCAPED: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Characters that XML hasn't are written as Excel writes them, '_x000D_'; so is what only looks like that. */
function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/_(?=x[\da-f]{4}_)/gi, "_x005F_")
    .replace(/[^\P{Cc}\t\n]|[\uFFFE\uFFFF]/gu, (character) => {
      const code = character.charCodeAt(0);
      return code > 0x7e && code < 0xa0
        ? character
        : `_x${code.toString(16).toUpperCase().padStart(4, "0")}_`;
    })
    .replace(/[&<>"]/g, (character) => ESCAPED[character] ?? character);
}
