import { type CellStyle, cellStyles, cellText, NO_RESULT } from "./cell-text.ts";
import { readXml, type XmlPart, XmlProblem } from "./read-xml.ts";
import { unreadableArchive, unreadableWorkbook } from "./unreadable-workbook.ts";
import { type Archive, ArchiveProblem, DAMAGED, openArchive } from "./unzip.ts";

/*
 * Reads Excel workbooks (xlsx) as Excel, LibreOffice, Google Sheets and libraries write them: a sheet's rows as texts, as if it had been saved as
 * CSV. Formulas count as their stored results. Nothing in a workbook is run.
 */

/** A workbook that is not read, in a sentence. */
export class WorkbookProblem extends Error {
  override name = "WorkbookProblem";
}

type SheetRow = {
  /** Its number in the sheet, from 1. */
  line: number;
  cells: string[];
  /** The currencies that the formats of its numbers show, by column. */
  currencies?: Record<number, string>;
  /** Hidden, by hand or by a filter. */
  hidden?: true;
};

export type Workbook = {
  /** The names of the visible sheets with anything in them, in their order. */
  sheets: readonly string[];
  /** Those of the hidden ones. */
  hiddenSheets: readonly string[];
  /** The cells of a sheet's first rows. */
  peek: (sheet: string, rows: number) => Promise<string[][]>;
  /**
   * The rows of a sheet that are not empty.
   * @param hiddenColumns gets the places of columns that are hidden
   * @throws WorkbookProblem
   */
  read: (sheet: string, maxRows: number, hiddenColumns?: Set<number>) => Promise<SheetRow[]>;
};

const MEGABYTE = 1024 * 1024;
/** What 20,000 rows with long descriptions take several times over, and a phone has memory for. */
const MAX_UNPACKED = 100 * MEGABYTE;
/** The longest table that people write by hand or a supplier's system exports has about fifty. */
const MAX_COLUMNS = 500;

const NO_TABLE =
  "This is not an Excel workbook that can be read. Save it as 'Excel Workbook (.xlsx)' or CSV.";

/** @throws WorkbookProblem */
export async function openWorkbook(bytes: Uint8Array): Promise<Workbook> {
  const unreadable = unreadableWorkbook(bytes);
  if (unreadable) throw new WorkbookProblem(unreadable);
  return inWords(async () => {
    const archive = await openArchive(new Blob([bytes as Uint8Array<ArrayBuffer>]), MAX_UNPACKED);
    const otherProgram = unreadableArchive(archive.names);
    if (otherProgram) throw new WorkbookProblem(otherProgram);
    const { sheets, has1904Dates, stringsPath, stylesPath } = await readContents(archive);
    const filled: Contents["sheets"] = [];
    for (const sheet of sheets) if (await isFilled(archive, sheet.path)) filled.push(sheet);
    const namesOf = (hidden: boolean) =>
      filled.filter(({ isHidden }) => isHidden === hidden).map(({ name }) => name);
    if (namesOf(false).length === 0)
      throw new WorkbookProblem(
        filled.length === 0
          ? "The workbook is empty."
          : "All sheets with anything in them are hidden. Show the one to read in Excel, and save the file.",
      );
    let shared: Promise<{ strings: string[]; styles: CellStyle[] }> | undefined;
    const rowsOf = async (wanted: string, limits: Pick<SheetContext, "maxRows" | "hiddenColumns">) => {
      const sheet = filled.find(({ name }) => name === wanted);
      if (!sheet) throw new WorkbookProblem(NO_TABLE);
      shared ??= Promise.all([readSharedStrings(archive, stringsPath), readStyles(archive, stylesPath)]).then(
        ([strings, styles]) => ({ strings, styles }),
      );
      return readSheet(archive, sheet.path, { ...(await shared), has1904Dates, ...limits });
    };
    return {
      sheets: namesOf(false),
      hiddenSheets: namesOf(true),
      peek: (wanted, maxRows) =>
        inWords(async () => {
          const first: string[][] = [];
          for await (const { cells } of await rowsOf(wanted, { maxRows: Infinity, hiddenColumns: new Set() }))
            if (first.push(cells) === maxRows) break;
          return first;
        }),
      read: (wanted, maxRows, hiddenColumns = new Set()) =>
        inWords(async () => {
          const rows: SheetRow[] = [];
          for await (const row of await rowsOf(wanted, { maxRows, hiddenColumns })) rows.push(row);
          return rows;
        }),
    };
  });
}

async function inWords<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ArchiveProblem) throw new WorkbookProblem(error.message);
    if (error instanceof XmlProblem) throw new WorkbookProblem(NO_TABLE);
    throw error;
  }
}

/** The parts of a file of the archive; none if it is not there. */
async function* partsOf(archive: Archive, path: string | undefined): AsyncGenerator<XmlPart> {
  const chunks = path === undefined ? null : archive.open(path);
  if (chunks) for await (const parts of readXml(chunks)) yield* parts;
}

type Contents = {
  sheets: { name: string; path: string; isHidden: boolean }[];
  has1904Dates: boolean;
  stringsPath: string | undefined;
  stylesPath: string | undefined;
};

async function readContents(archive: Archive): Promise<Contents> {
  const root = (await readRelations(archive, "")).find(({ type }) => type === "officeDocument")?.target;
  const path = root ?? "xl/workbook.xml";
  if (!archive.open(path) || !path.endsWith(".xml")) throw new WorkbookProblem(NO_TABLE);
  const relations = await readRelations(archive, path);
  const byType = (wanted: string) => relations.find(({ type }) => type === wanted)?.target;
  const sheets: Contents["sheets"] = [];
  let has1904Dates = false;
  for await (const part of partsOf(archive, path)) {
    if (part.kind !== "open") continue;
    const { attributes } = part;
    if (part.name === "workbookPr") has1904Dates = isTrue(attributes.date1904);
    if (part.name !== "sheet") continue;
    const sheet = relations.find(({ id }) => id === attributes.id);
    if (!sheet || !archive.open(sheet.target)) throw new WorkbookProblem(DAMAGED);
    // A chart may have a sheet of its own.
    if (sheet.type === "worksheet") {
      const isHidden = (attributes.state ?? "visible") !== "visible";
      sheets.push({ name: attributes.name ?? "", path: sheet.target, isHidden });
    }
  }
  return { sheets, has1904Dates, stringsPath: byType("sharedStrings"), stylesPath: byType("styles") };
}

type Relation = { id: string; type: string; target: string };

/** What a file of the archive ("" for the archive itself) refers to; targets are full paths. */
async function readRelations(archive: Archive, path: string): Promise<Relation[]> {
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  const relations: Relation[] = [];
  for await (const part of partsOf(archive, `${folder}_rels/${path.slice(folder.length)}.rels`)) {
    if (part.kind !== "open" || part.name !== "Relationship") continue;
    const { Id = "", Type = "", Target = "", TargetMode } = part.attributes;
    // A link to a web page, for instance.
    if (TargetMode === "External" || /^[a-z]+:/i.test(Target)) continue;
    relations.push({
      id: Id,
      // Excel's 'strict' workbooks have other addresses with the same end.
      type: Type.slice(Type.lastIndexOf("/") + 1),
      target: resolved(folder, Target),
    });
  }
  return relations;
}

/** A target's full path: 'xl/', '../a b.xml' → 'a b.xml'. */
function resolved(folder: string, target: string): string {
  const names: string[] = [];
  for (const name of (target.startsWith("/") ? target : folder + target).split("/"))
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  return names.join("/");
}

async function isFilled(archive: Archive, path: string): Promise<boolean> {
  for await (const part of partsOf(archive, path))
    if (part.kind === "open" && /^(?:v|t|f)$/.test(part.name)) return true;
  return false;
}

async function readSharedStrings(archive: Archive, path: string | undefined): Promise<string[]> {
  const strings: string[] = [];
  const text = richText();
  for await (const part of partsOf(archive, path)) {
    if (part.kind === "open" && part.name === "si") text.begin();
    else if (part.kind === "close" && part.name === "si") strings.push(text.end());
    else text.take(part);
  }
  return strings;
}

/** Gathers a text that may be in pieces of several fonts, without the pronunciation beside it. */
function richText() {
  let text = "";
  let within = false;
  let beside = 0;
  return {
    begin: () => {
      text = "";
    },
    take: (part: XmlPart) => {
      if (part.kind === "text") text += within && beside === 0 ? part.text : "";
      else if (part.name === "t") within = part.kind === "open";
      else if (part.name === "rPh") beside += part.kind === "open" ? 1 : -1;
    },
    /** '_x000D_' is how a text has a character that XML hasn't. */
    end: () => text.replace(/_x([\da-fA-F]{4})_/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
  };
}

async function readStyles(archive: Archive, path: string | undefined): Promise<CellStyle[]> {
  const formats = new Map<number, string>();
  const used: number[] = [];
  let within = "";
  for await (const part of partsOf(archive, path)) {
    if (part.kind === "text") continue;
    if (part.name === "cellXfs" || part.name === "numFmts") within = part.kind === "open" ? part.name : "";
    if (part.kind !== "open") continue;
    const { numFmtId, formatCode } = part.attributes;
    if (within === "numFmts" && part.name === "numFmt") formats.set(Number(numFmtId), formatCode ?? "");
    if (within === "cellXfs" && part.name === "xf") used.push(Number(numFmtId ?? 0));
  }
  return cellStyles(used, formats);
}

type SheetContext = {
  strings: string[];
  styles: CellStyle[];
  has1904Dates: boolean;
  maxRows: number;
  hiddenColumns: Set<number>;
};

const isTrue = (text: string | undefined) => text !== undefined && /^(?:1|true|on)$/.test(text);

async function* readSheet(archive: Archive, path: string, context: SheetContext): AsyncGenerator<SheetRow> {
  const { strings, styles, has1904Dates, maxRows, hiddenColumns } = context;
  let count = 0;
  let row: SheetRow = { line: 0, cells: [] };
  let column = -1;
  let cell: { type: string; style: number } = { type: "", style: 0 };
  let value: string | null = null;
  let within = false;
  let calculated = false;
  const inline = richText();

  for await (const part of partsOf(archive, path)) {
    if (part.kind === "open") {
      const { r, t, s } = part.attributes;
      if (part.name === "row") {
        row = { line: Number(r) || row.line + 1, cells: [] };
        if (isTrue(part.attributes.hidden)) row.hidden = true;
        column = -1;
      } else if (part.name === "col") {
        const { min, max, hidden } = part.attributes;
        const last = Math.min(Number(max), MAX_COLUMNS);
        if (isTrue(hidden))
          for (let place = Number(min); place <= last; place += 1) hiddenColumns.add(place - 1);
      } else if (part.name === "c") {
        column = r ? columnOf(r) : column + 1;
        cell = { type: t ?? "n", style: Number(s ?? 0) };
        value = null;
        calculated = false;
        inline.begin();
      } else if (part.name === "v") {
        value = "";
        within = true;
      } else if (part.name === "f") calculated = true;
      else inline.take(part);
    } else if (part.kind === "text") {
      if (within) value += part.text;
      else inline.take(part);
    } else if (part.name === "v") within = false;
    else if (part.name === "c") {
      const hasNoResult = calculated && !value && cell.type !== "inlineStr" && cell.type !== "str";
      const text = hasNoResult
        ? NO_RESULT
        : cell.type === "inlineStr"
          ? inline.end()
          : cell.type === "s"
            ? sharedText(strings, value)
            : cellText(value ?? "", { type: cell.type, style: styles[cell.style], has1904Dates });
      if (text === "") continue;
      if (column >= MAX_COLUMNS)
        throw new WorkbookProblem(
          `The sheet has more than ${MAX_COLUMNS} columns. Delete those that are not needed.`,
        );
      while (row.cells.length < column) row.cells.push("");
      row.cells[column] = text;
      const currency = cell.type === "n" ? styles[cell.style]?.currency : undefined;
      if (currency) row.currencies = { ...row.currencies, [column]: currency };
    } else if (part.name === "row") {
      if (row.cells.every((text) => text.trim() === "")) continue;
      count += 1;
      if (count > maxRows)
        throw new WorkbookProblem(
          `The sheet has more than ${maxRows.toLocaleString("en-GB")} rows. Split it into files with fewer.`,
        );
      yield row;
    } else inline.take(part);
  }
}

/** An empty cell in place of a lost title or ISBN would be imported unnoticed. */
function sharedText(strings: string[], number: string | null): string {
  const text = number ? strings[Number(number)] : "";
  if (text === undefined) throw new WorkbookProblem(DAMAGED);
  return text;
}

/** 'AB12' → 27 */
function columnOf(reference: string): number {
  let column = 0;
  for (const letter of reference.toUpperCase()) {
    if (letter < "A" || letter > "Z") break;
    column = column * 26 + letter.charCodeAt(0) - 64;
  }
  return column - 1;
}
