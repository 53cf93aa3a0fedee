import { compactIsbn, isIsbn10, isIsbn13, restoreIsbn10Zeros } from "#app/lib/isbn.ts";
import { cedisFromPesewas, parseCedis } from "#app/lib/money.ts";
import { type BookImportField, type BookImportMapping, bookImportFields } from "./book-import-columns.ts";

/**
 * Rows of a supplier's table, read into what the database's import takes. Nothing here knows where the table comes
 * from: the command reads a file, the back office an upload. What makes a row impossible (no title, a price that is
 * none, the same ISBN twice) the database says, for both alike; here are only hints at what was understood.
 */

/**
 * One row for the import. A field whose column the table does not have is absent: a book keeps its own. An empty cell
 * is null. Numbers that could not be read stay text, for the database to refuse with the row's other problems.
 */
export type BookImportRow = {
  /** Where the row begins in its file, counted from 1, the headings included. */
  line: number;
} & Partial<Record<BookImportField, string | number | null>>;

export interface BookImportNote {
  line: number;
  message: string;
}

/**
 * Reads one row.
 * @param cells its cells, as many as the table has headings; missing ones at the end are empty
 * @returns the row and hints about it, or the problem when its cells do not fit the headings
 */
export function readBookImportRow(
  cells: readonly string[],
  line: number,
  mapping: BookImportMapping,
): { row: BookImportRow; hints: BookImportNote[] } | { row: null; problem: BookImportNote } {
  if (cells.slice(mapping.width).some((cell) => cell.trim() !== "")) {
    return { row: null, problem: { line, message: "The row has more cells than there are headings." } };
  }
  const messages: string[] = [];
  const row: BookImportRow = { line };
  for (const field of bookImportFields) {
    const place = mapping.columns[field];
    if (place !== undefined) row[field] = readField(field, cleanCell(cells[place]), messages);
  }
  if (mapping.columns.authors !== undefined) {
    const authors = nothingIsNull(cleanCell(cells[mapping.columns.authors]));
    row.description = withAuthors(authors, (row.description ?? null) as string | null);
  }
  return { row, hints: messages.map((message) => ({ line, message })) };
}

/** Upload limits of the data API's smallest backend are 128 KiB; half a thousand rows also keep a request short. */
const chunkBytes = 100_000;
const chunkRows = 500;

/** Groups rows for staging: each group fits in one request. */
export async function* chunkBookImportRows(
  rows: Iterable<BookImportRow> | AsyncIterable<BookImportRow>,
): AsyncGenerator<BookImportRow[]> {
  const encoder = new TextEncoder();
  let chunk: BookImportRow[] = [];
  let bytes = 0;
  for await (const row of rows) {
    const size = encoder.encode(JSON.stringify(row)).length + 1;
    if (chunk.length > 0 && (chunk.length === chunkRows || bytes + size > chunkBytes)) {
      yield chunk;
      chunk = [];
      bytes = 0;
    }
    chunk.push(row);
    bytes += size;
  }
  if (chunk.length > 0) yield chunk;
}

function readField(field: BookImportField, cell: string, hints: string[]): string | number | null {
  // Books may be called "None" or "NaN"; elsewhere such words mean an empty cell.
  if (field === "title") return cell;
  const text = nothingIsNull(cell);
  if (text === null) return null;
  if (field === "isbn") return readIsbn(text, hints);
  if (field === "price") return readPrice(text, hints);
  if (field === "stock_quantity") return readStock(text);
  if (field === "image_url" && !/^https:\/\/\S+$/i.test(text)) {
    hints.push("The image address is not an https address and will not be shown.");
  }
  return text;
}

/** Two code units a character and one character more than any field holds: still too long, but not endless. */
const longestCell = 20_002;

/**
 * A cell as it is meant: without the characters that no text holds, trimmed, without the apostrophe that exports put
 * before a formula sign.
 */
function cleanCell(cell = ""): string {
  return cell
    .slice(0, longestCell)
    .toWellFormed()
    .replace(/[^\P{Cc}\t\n\r]/gu, " ")
    .trim()
    .replace(/^'(?=[=+\-@])/, "");
}

function nothingIsNull(text: string): string | null {
  return /^(?:|-|n\/?a|#n\/a|null|none|nan)$/i.test(text) ? null : text;
}

/** Keeps the number that was printed; an unreadable one stays as text, with a hint, because it may be a shop's code. */
function readIsbn(text: string, hints: string[]): string | null {
  if (/^\d(?:[.,]\d+)?e\+?\d+$/i.test(text)) {
    hints.push(`The ISBN ${text} has lost its digits in a spreadsheet and is left empty.`);
    return null;
  }
  // Spreadsheets also write whole numbers as 9780306406157.0.
  const compact = compactIsbn(text.replace(/\.0+$/, ""));
  if (isIsbn13(compact) || isIsbn10(compact)) return compact;
  const restored = restoreIsbn10Zeros(compact);
  if (restored !== null) return restored;
  if (/^\d{8,13}X?$/.test(compact)) hints.push(`The ISBN ${text} has a wrong check digit.`);
  return text;
}

function readPrice(text: string, hints: string[]): number | string {
  const amount = parseCedis(text);
  if (amount === null) return text;
  if (amount === 0) hints.push("The price is 0.");
  return cedisFromPesewas(amount);
}

function readStock(text: string): number | string {
  const isWhole = /^(?:\d{1,15}|\d{1,3}(?:,\d{3})+)(?:\.0+)?$/.test(text);
  return isWhole ? Number(text.replaceAll(",", "")) : text;
}

function withAuthors(authors: string | null, description: string | null): string | null {
  if (authors === null) return description;
  const by = `By ${authors.replace(/\s+/g, " ").replace(/\.$/, "")}.`;
  return description === null ? by : `${by} ${description}`;
}
