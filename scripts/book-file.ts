import { createHash } from "node:crypto";
import { createReadStream, openAsBlob } from "node:fs";
import { type FileHandle, open, readFile, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { LeftOutKind, RowLeftOut } from "#app/office/catalogue/book-import/book-import.queries.ts";
import {
  type BookImportMapping,
  bookImportColumns,
  findDoubleColumns,
  mapBookImportColumns,
  shownHeadings,
} from "#app/office/catalogue/book-import/book-import-columns.ts";
import {
  BookTableProblem,
  noRows,
  readTableRow,
  readTableShape,
  type TableRow,
  type TableShape,
} from "#app/office/catalogue/book-import/book-table.ts";
import { ListPlan, planOf } from "#app/office/catalogue/book-import/list-plan.ts";
import { isOnix } from "#app/office/catalogue/book-import/onix-start.ts";
import { onixHeadings, readOnixRows } from "#app/office/catalogue/book-import/onix-table.ts";
import { isArchive, openPackedOnix } from "#app/office/catalogue/book-import/packed-onix.ts";
import {
  columnOf,
  leftOutHeadings,
  leftOutRow,
  rowsLeftOutName,
} from "#app/office/catalogue/book-import/rows-left-out.ts";
import { readTableFile } from "#app/office/catalogue/book-import/workbook-table.ts";
import { csvBeginning, csvLine } from "#shared/tables/csv.ts";
import { readCsvPieces } from "#shared/tables/csv-reader.ts";
import { type Encoding, pieceDecoder } from "#shared/tables/decode-text.ts";
import { needsWorkbookReader } from "#shared/tables/workbook.ts";
import { CommandError } from "./command.ts";

/**
 * A table of books: a CSV file or an ONIX message, also in a ZIP archive, of which only a few megabytes are in memory at any time, or a sheet of an Excel workbook.
 */
export type BookFile = {
  headings: string[];
  /** What its columns are. */
  mapping: BookImportMapping;
  encoding: Encoding;
  rowCount: number;
  /** The line on which the last row begins. */
  lastLine: number;
  /** The same for the same content. */
  fingerprint: string;
  /** How often each spelling of a publisher occurs. */
  publishers: ReadonlyMap<string, number>;
  /** Sheets of the workbook that are hidden and not read. */
  hiddenSheets: readonly string[];
  /** In which currencies its prices are, and which of its lines aren't books. */
  plan: ListPlan;
  /** Reads the rows once more, from the first. */
  rows: () => AsyncGenerator<TableRow>;
};

const PIECE_BYTES = 1_000_000;

/** Spellings after this many are left as they are. */
const MAX_PUBLISHERS = 20_000;

/** A workbook is read whole; larger tables are CSV files. */
const MAX_WORKBOOK_ROWS = 100_000;

/**
 * Reads a file as the back office does, from its first row to its last, to know what must be known before any row is sent.
 * @param sheet the sheet to read; needed only where a workbook has several
 * @throws CommandError in one line when it is missing or not a table
 */
export async function openBookFile(
  path: string,
  sheet?: string,
  choices: ColumnOptions = {},
): Promise<BookFile> {
  try {
    const start = await readStart(path);
    const onix = isOnix(start)
      ? () => piecesOf(path)
      : isArchive(start) && (await openPackedOnix(await openAsBlob(path)));
    if (onix) return await openOnixFile(onix, choices);
    if (needsWorkbookReader(start)) return await openWorkbookFile(path, sheet, choices);
    const shape = readTableShape(textOf(start));
    const hash = createHash("sha256");
    let encoding: Encoding = "UTF-8";
    const watch: Watch = {
      bytes: (piece) => hash.update(piece),
      encoding: (found) => {
        encoding = found;
      },
    };
    const read = await readThrough(readRows(path, shape, watch), shape.headings, choices);
    return { ...read, encoding, fingerprint: hash.digest("hex"), rows: () => readRows(path, shape) };
  } catch (error) {
    throw problemWith(path, error);
  }
}

/** The message is read again for each pass, so that none has to fit into memory. */
async function openOnixFile(
  pieces: () => AsyncIterable<Uint8Array>,
  choices: ColumnOptions,
  asksForCurrency = false,
): Promise<BookFile> {
  const hash = createHash("sha256");
  let encoding: Encoding = "UTF-8";
  let hasBarePrice = false;
  async function* watched() {
    for await (const piece of pieces()) {
      hash.update(piece);
      yield piece;
    }
  }
  const rows = readOnixRows(watched(), {
    onBarePrice: () => {
      hasBarePrice = true;
    },
    onWindowsText: () => {
      encoding = "Windows-1252";
    },
  });
  const read = await readThrough(rows, onixHeadings(asksForCurrency), choices);
  // Only the whole file shows it, and the plan goes by the headings.
  if (hasBarePrice && !asksForCurrency) return openOnixFile(pieces, choices, true);
  return { ...read, encoding, fingerprint: hash.digest("hex"), rows: () => readOnixRows(pieces()) };
}

/** What a first pass over all rows finds. */
async function readThrough(
  rows: AsyncIterable<TableRow>,
  headings: string[],
  choices: ColumnOptions,
): Promise<Omit<BookFile, "encoding" | "fingerprint" | "rows">> {
  const mapping = mapColumnsOf(headings, choices);
  const { columns } = mapping;
  const examples: string[][] = [];
  const publishers = new Map<string, number>();
  const plan = new ListPlan(headings, columns);
  let rowCount = 0;
  let lastLine = 0;
  for await (const row of rows) {
    rowCount += 1;
    lastLine = row.line;
    const [publisher] = columnOf([row], columns.publisher);
    if (publisher) countPublisher(publishers, publisher);
    plan.add(row);
    if (examples.length < EXAMPLES && row.problem === undefined) examples.push(row.cells.map(ownText));
  }
  plan.end();
  if (rowCount === 0) throw noRows();
  requireChosenColumns(headings, mapping, choices, examples);
  return { headings, mapping, rowCount, lastLine, publishers, hiddenSheets: [], plan };
}

async function openWorkbookFile(
  path: string,
  sheet: string | undefined,
  choices: ColumnOptions,
): Promise<BookFile> {
  const bytes = await readFile(path);
  const table = await readTableFile(bytes, { known: bookImportColumns, maxRows: MAX_WORKBOOK_ROWS, sheet });
  if ("sheets" in table)
    throw new BookTableProblem(
      `The workbook has several sheets. Name one with --sheet: ${[...table.sheets, ...table.hiddenSheets.map((name) => `${name} (hidden)`)].join(", ")}.${table.proposed === undefined ? "" : ` The list looks like --sheet "${table.proposed}"`}`,
    );
  const { headings, rows, encoding, hiddenColumns, hiddenSheets = [] } = table;
  const mapping = mapColumnsOf(headings, choices, hiddenColumns);
  const { columns } = mapping;
  const examples = rows.filter(({ problem }) => problem === undefined).slice(0, EXAMPLES);
  requireChosenColumns(
    headings,
    mapping,
    choices,
    examples.map(({ cells }) => cells),
    hiddenColumns,
  );
  const publishers = new Map<string, number>();
  for (const name of columnOf(rows, columns.publisher)) countPublisher(publishers, name);
  return {
    headings,
    mapping,
    encoding,
    rowCount: rows.length,
    lastLine: rows.at(-1)?.line ?? 0,
    fingerprint: createHash("sha256")
      .update(bytes)
      .update(sheet ?? "")
      .digest("hex"),
    publishers,
    hiddenSheets,
    plan: planOf(rows, headings, columns, choices.takesHidden),
    async *rows() {
      yield* rows;
    },
  };
}

/** What was typed about a file's columns and rows. */
export type ColumnOptions = {
  /** Places of columns, by what they are. */
  columns?: BookImportMapping["columns"];
  /** Rows and columns that are hidden in a workbook are taken like all others. */
  takesHidden?: boolean;
};

/** Rows that show what a column has. */
const EXAMPLES = 3;

function mapColumnsOf(
  headings: readonly string[],
  { columns, takesHidden }: ColumnOptions,
  hidden: readonly number[] = [],
): BookImportMapping {
  const mapping = mapBookImportColumns(takesHidden ? headings : shownHeadings(headings, hidden));
  const chosen = new Set(Object.values(columns ?? {}));
  const missing = [...chosen].find((place) => place >= headings.length);
  if (missing !== undefined)
    throw new BookTableProblem(`There is no column ${missing + 1}: the file has ${headings.length}.`);
  // A column is one thing: what it was taken for before is free.
  const others = Object.entries(mapping.columns).filter(([, place]) => !chosen.has(place));
  const meant = { ...Object.fromEntries(others), ...columns };
  const used = new Set(Object.values(meant));
  const ignored = headings.filter((heading, place) => !used.has(place) && heading.trim() !== "");
  return { ...mapping, columns: meant, ignored };
}

/** @throws BookTableProblem where several columns mean the same and none was chosen */
function requireChosenColumns(
  headings: readonly string[],
  mapping: BookImportMapping,
  { columns = {}, takesHidden }: ColumnOptions,
  examples: readonly string[][],
  hidden: readonly number[] = [],
): void {
  const shown = takesHidden ? headings : shownHeadings(headings, hidden);
  const double = findDoubleColumns(shown, mapping).find(({ name }) => columns[name] === undefined);
  if (!double) return;
  const [first = 0] = double.places;
  const described = double.places.map((place) => {
    const cells = examples.map((row) => row[place] ?? "").filter((cell) => cell.trim() !== "");
    return `  column ${place + 1}, ${headings[place]?.trim()}: ${cells.join(", ")}`;
  });
  throw new BookTableProblem(
    [
      `Several columns may be the ${double.name.replaceAll("_", " ")}. Say which one, such as --column ${double.name}=${first + 1}`,
      ...described,
    ].join("\n"),
  );
}

function problemWith(path: string, error: unknown): unknown {
  if (error instanceof BookTableProblem || error instanceof RangeError)
    return new CommandError(error.message);
  const { code } = error as NodeJS.ErrnoException;
  return code ? new CommandError(`${path} cannot be read (${code}).`) : error;
}

function countPublisher(publishers: Map<string, number>, name: string): void {
  const uses = publishers.get(name);
  if (uses !== undefined) publishers.set(name, uses + 1);
  else if (publishers.size < MAX_PUBLISHERS) publishers.set(ownText(name), 1);
}

/** A text that does not keep the piece of the file in memory from which it was cut. */
export const ownText = (text: string) => Buffer.from(text).toString();

/** The beginning of a file, in which its headings are. */
async function readStart(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(PIECE_BYTES), 0, PIECE_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

function textOf(start: Buffer): string {
  const decoder = pieceDecoder(start);
  return decoder.decode(start) + decoder.end().text;
}

const piecesOf = (path: string): AsyncIterable<Buffer> =>
  createReadStream(path, { highWaterMark: PIECE_BYTES });

type Watch = { bytes: (piece: Buffer) => void; encoding: (found: Encoding) => void };

async function* readRows(path: string, shape: TableShape, watch?: Watch): AsyncGenerator<TableRow> {
  const { delimiter, line, width } = shape;
  for await (const row of readCsvPieces(readTexts(path, shape.start, watch), delimiter, { line, width })) {
    const read = readTableRow(row, shape);
    if (read) yield read;
  }
}

/** The file's text behind its first characters. */
async function* readTexts(path: string, start: number, watch?: Watch): AsyncGenerator<string> {
  let decoder: ReturnType<typeof pieceDecoder> | null = null;
  let skip = start;
  const behindStart = (text: string) => {
    const rest = text.slice(skip);
    skip = Math.max(skip - text.length, 0);
    return rest;
  };
  for await (const piece of piecesOf(path)) {
    watch?.bytes(piece);
    decoder ??= pieceDecoder(piece);
    yield behindStart(decoder.decode(piece));
  }
  const end = decoder?.end();
  if (!end) return;
  yield behindStart(end.text);
  watch?.encoding(end.encoding);
}

/** The file of rows left out while it is being written. */
export type LeftOutFile = {
  path: string;
  add: (rows: readonly RowLeftOut[]) => Promise<void>;
  close: () => Promise<void>;
  /** Removes it, unfinished. */
  discard: () => Promise<void>;
};

/**
 * Opens a file for the rows of one kind that are left out, beside their own, never over another file.
 * @throws CommandError when nothing can be written there
 */
export async function openLeftOutFile(
  path: string,
  kind: LeftOutKind,
  headings: string[],
): Promise<LeftOutFile> {
  const name = `${rowsLeftOutName(basename(path), kind)}.csv`;
  const { path: free, file } = await openFree(join(dirname(path), name));
  const write = async (text: string) => {
    try {
      await file.appendFile(text);
    } catch (error) {
      throw new CommandError(`${free} cannot be written (${(error as NodeJS.ErrnoException).code}).`);
    }
  };
  await write(csvBeginning(leftOutHeadings(headings)));
  return {
    path: free,
    add: (rows) => write(rows.map((row) => csvLine(leftOutRow(row))).join("")),
    close: () => file.close(),
    discard: async () => {
      await file.close();
      await unlink(free);
    },
  };
}

async function openFree(target: string): Promise<{ path: string; file: FileHandle }> {
  for (let number = 1; ; number += 1) {
    const path = number === 1 ? target : target.replace(/\.csv$/, `-${number}.csv`);
    try {
      return { path, file: await open(path, "wx") };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== "EEXIST") throw new CommandError(`${path} cannot be written (${code}).`);
    }
  }
}
