import { type BookField, bookFieldNames, longestText } from "#app/features/books/book-fields.ts";
import { compactIsbn, isbnsIn } from "#app/features/books/isbn.ts";
import { saleStateNames } from "#app/features/books/sale-states.ts";
import {
  importedSpelling,
  noSpellings,
  type PublisherSpellings,
} from "#app/features/publishers/publisher-spelling.ts";
import { NO_RESULT } from "#app/lib/tables/cell-text.ts";
import { rearmFormulas } from "#shared/tables/csv.ts";
import { CEDIS, currencyName } from "#shared/text/currencies.ts";
import { cedisFromPesewas } from "#shared/text/money.ts";
import { readOpenDate } from "#shared/text/open-date.ts";
import { isUuid } from "#shared/text/uuid.ts";
import {
  decodeEntities,
  hasWrongCheckDigit,
  isSpreadsheetError,
  type Reading,
  readDigitalByCell,
  readIsbnCell,
  readKindCell,
  readStockCell,
  withSurnamesLast,
} from "./book-import-cells.ts";
import type { BookImportMapping } from "./book-import-columns.ts";
import type { TableRow } from "./book-table.ts";
import {
  readEditionCell,
  readRangeCell,
  unwrapped,
  withoutMarkup,
  withoutNumberMarks,
} from "./damaged-cells.ts";
import { inCedis, type ListMoney, markCurrency, readListedPrice } from "./list-prices.ts";
import { rowStateOf } from "./list-status.ts";
import { withSubtitle } from "./onix-title.ts";
import { convertPrice } from "./price-conversion.ts";

/**
 * Rows of a supplier's table, read into what the database's import takes. Nothing here knows where the table comes
 * from: the command reads a file, the back office an upload. Every row goes to the database, which refuses those with
 * problems: the ones found here and its own (no title, no price, the same ISBN twice).
 */

/**
 * One row for the import. A field whose column the table does not have is absent: a book keeps its own. An empty cell
 * is null. Numbers that could not be read stay text, for the database to refuse with the row's other problems.
 */
export type BookImportRow = {
  /** Where the row begins in its file, counted from 1, the headings included. */
  line: number;
  /** As the file has them, for the list of rows left out. */
  cells: string[];
  /** Why it cannot be imported, in sentences. */
  problems: string[];
  /** The shop's own id of the book, from an export. */
  id?: string;
  /** Its stock when the file was exported. */
  seen_stock?: string | number | null;
  /** What its other fields were then: private.marked_fields. */
  marks?: string;
  /** Why its ISBN cannot be right, unless the book already has it. */
  isbn_problem?: string;
  /** A sum, a heading or a note: leaving it out is not reported as a problem. */
  not_a_book?: true;
  /** The list's own price, if it is in another currency: the price is what it comes to in cedis. */
  source_price?: number;
  source_currency?: string;
} & Partial<Record<BookField, string | number | null>>;

export interface BookImportNote {
  line: number;
  message: string;
}

export type ReadRow = { row: BookImportRow; hints: BookImportNote[] };

/** Reads one row, with hints at what was understood. Missing cells at its end are empty. */
export function readBookImportRow(
  tableRow: TableRow,
  mapping: BookImportMapping,
  spellings: PublisherSpellings = noSpellings,
  money: ListMoney = inCedis,
): ReadRow {
  const { cells, line, problem } = tableRow;
  const row: BookImportRow = { line, cells: cells.map(storableCell), problems: [] };
  if (problem) {
    row.problems.push(problem);
    if (tableRow.notABook) row.not_a_book = true;
    keepCurrency(row, tableRow, mapping, money);
    return { row, hints: [] };
  }
  const { id } = mapping.columns;
  const ownId = id === undefined ? null : readId(cells[id]);
  if (ownId) row.id = ownId;
  const messages: string[] = tableRow.hint ? [tableRow.hint] : [];
  for (const field of bookFieldNames) {
    const place = mapping.columns[field];
    if (place === undefined || field === "sale_state" || field === "available_on") continue;
    const text = ownId ? exportedCell(cells[place]) : suppliedCell(cells[place], field === "title");
    if (field === "publisher" && !ownId) {
      const imprint = knownImprint(tableRow, mapping, spellings);
      if (imprint !== null) {
        if (text !== null && imprint !== text)
          messages.push(`The publisher ${text} is read as its imprint ${imprint}.`);
        row.publisher = imprint;
        continue;
      }
    }
    if (field === "price" && text !== null && text !== NO_RESULT && !isSpreadsheetError(text))
      row.price = readPrice(text, row, tableRow, mapping, money, messages);
    else row[field] = text === null ? null : readField(field, text, row, messages, ownId ? null : spellings);
  }
  if (!ownId) {
    keepCurrency(row, tableRow, mapping, money);
    addToNames(row, tableRow, mapping);
  }
  readState(row, tableRow, mapping, ownId !== null, messages);
  const { seen_stock: seenPlace, marks: marksPlace } = mapping.columns;
  const seen = seenPlace === undefined ? null : suppliedCell(cells[seenPlace], false);
  if (seen !== null) row.seen_stock = accept(readStockCell(seen), seen, row);
  const marks = marksPlace === undefined ? null : suppliedCell(cells[marksPlace], false);
  if (marks !== null) row.marks = marks;
  return { row, hints: messages.map((message) => ({ line, message })) };
}

/** Whether the row's title is on sale. A title that is unavailable now has a stock of 0, unless the list states another number. */
function readState(
  row: BookImportRow,
  { cells }: TableRow,
  { columns }: BookImportMapping,
  isOwn: boolean,
  hints: string[],
): void {
  const found = rowStateOf(cells, columns);
  if (found) row.sale_state = found.state;
  if (!isOwn && (found?.isOut || found?.state === "coming_soon")) row.stock_quantity ??= 0;
  const text = (place: number | undefined) =>
    place === undefined ? null : suppliedCell(cells[place], false);
  const [status, date] = [text(columns.sale_state), text(columns.available_on)];
  if (isOwn && status !== null && !found)
    row.problems.push(`The status ${status} is not one of ${Object.values(saleStateNames).join(", ")}.`);
  if (date === null || (!isOwn && found?.state !== "coming_soon")) return;
  const read = readOpenDate(date);
  if (read !== null) row.available_on = read;
  else if (isOwn) row.problems.push(`The date ${date} can't be read. Write it as 15 Jan 2027 or 2027-01-15.`);
  else hints.push(`The date ${date} can't be read with certainty, so the book is coming soon without one.`);
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

function readField(
  field: BookField,
  text: string,
  row: BookImportRow,
  hints: string[],
  spellings: PublisherSpellings | null,
): string | number | null {
  if (text === NO_RESULT) {
    row.problems.push(
      `The ${field.replaceAll("_", " ")} is a formula whose result is not in the file. Save the file in Excel, and choose it again.`,
    );
    return null;
  }
  if (spellings && isSpreadsheetError(text)) {
    row.problems.push(`The ${field.replaceAll("_", " ")} is a spreadsheet's error (${text}).`);
    return null;
  }
  if (field === "isbn") return readIsbn(text, row, hints);
  if (field === "newer_isbn") return readNewerIsbn(text, row, hints, spellings === null);
  if (field === "stock_quantity") return accept(readStockCell(text), text, row);
  if (field === "kind") return acceptChoice(readKindCell(text), row);
  if (field === "digital_by") return acceptChoice(readDigitalByCell(text), row);
  if (field === "publisher" && spellings) {
    const name = text.replace(/\s+/g, " ");
    const known = importedSpelling(spellings, name);
    if (known !== name) hints.push(`The publisher ${text} is read as ${known}.`);
    return known;
  }
  if (spellings && (field === "age_range" || field === "grade_level")) {
    const label = field.replaceAll("_", " ");
    const bare = withoutNumberMarks(text);
    const range = accept(readRangeCell(bare, label), text, row);
    if (range !== bare && range !== text)
      hints.push(`The ${label} ${text} is a date, made by a spreadsheet, and is read as ${range}.`);
    return range;
  }
  if (spellings && field === "edition") return accept(readEditionCell(withoutNumberMarks(text)), text, row);
  if (spellings && (field === "subject" || field === "course")) return withoutNumberMarks(text);
  if (field === "image_url" && !/^https:\/\/\S+$/i.test(text)) {
    hints.push("The image address is not an https address and will not be shown.");
  }
  return text;
}

/** The imprint as the shop has it: customers know a book by that name. Null if the shop does not have it, or the list names none. */
function knownImprint(
  { cells }: TableRow,
  { columns }: BookImportMapping,
  spellings: PublisherSpellings,
): string | null {
  const text = columns.imprint === undefined ? null : suppliedCell(cells[columns.imprint], false);
  if (text === null) return null;
  const known = importedSpelling(spellings, text.replace(/\s+/g, " "));
  return spellings.known.has(known) ? known : null;
}

/** A title's second half, and authors whose surnames come first, unless the list has them in another column as they are shown. */
function addToNames(row: BookImportRow, { cells }: TableRow, { columns }: BookImportMapping): void {
  const text = (place: number | undefined) =>
    place === undefined ? null : suppliedCell(cells[place], false);
  const [subtitle, inverted] = [text(columns.subtitle), text(columns.authors_inverted)];
  if (subtitle !== null && typeof row.title === "string" && row.title !== "")
    row.title = withSubtitle(row.title, subtitle);
  if (columns.authors_inverted !== undefined)
    row.authors ??= inverted === null ? null : withSurnamesLast(inverted);
}

/** The price in cedis. Foreign prices are converted, or refused if there is no rate. Text that isn't an amount is left for the database to refuse. */
function readPrice(
  text: string,
  row: BookImportRow,
  tableRow: TableRow,
  { columns }: BookImportMapping,
  { base, conversion }: ListMoney,
  hints: string[],
): string | number {
  const reading = readListedPrice(text, tableRow, columns, base);
  if (reading.problem !== undefined) {
    row.problems.push(reading.problem);
    return text;
  }
  const { amount, currency } = reading.value;
  if (amount === 0) hints.push("The price is 0.");
  if (currency === CEDIS) return amount === null ? text : cedisFromPesewas(amount);
  if (amount === null) return text;
  const price = conversion && convertPrice({ amount, currency }, conversion);
  if (price === null) {
    row.problems.push(
      conversion?.rates[currency] === undefined
        ? `The price is in ${currencyName(currency)}, for which no rate was given.`
        : "The price is more than the shop can hold.",
    );
    return text;
  }
  row.source_price = cedisFromPesewas(amount);
  row.source_currency = currency;
  return cedisFromPesewas(price);
}

/** The list of rows left out has neither number formats nor choices, so the cell itself must name its currency. */
function keepCurrency(
  row: BookImportRow,
  tableRow: TableRow,
  { columns }: BookImportMapping,
  { base }: ListMoney,
): void {
  const text = columns.price === undefined ? undefined : row.cells[columns.price];
  if (text !== undefined && columns.price !== undefined)
    row.cells[columns.price] = markCurrency(text, tableRow, columns, base);
}

/** What a cell means; unchanged if there is a problem. */
function accept<Value>(reading: Reading<Value>, text: string, row: BookImportRow): Value | string {
  if (reading.problem === undefined) return reading.value;
  row.problems.push(reading.problem);
  return text;
}

/** What a cell means; null if there is a problem, because the database would name it a second time. */
function acceptChoice<Value>(reading: Reading<Value>, row: BookImportRow): Value | null {
  if (reading.problem === undefined) return reading.value;
  row.problems.push(reading.problem);
  return null;
}

function readIsbn(text: string, row: BookImportRow, hints: string[]): string {
  const reading = readIsbnCell(text);
  if (reading.problem !== undefined) {
    row.isbn_problem = reading.problem;
    return text;
  }
  if (/[oil]/i.test(text) && /^\d{13}$/.test(reading.value) && compactIsbn(text) !== reading.value)
    hints.push(`The ISBN ${text} is read as ${reading.value}.`);
  if (hasWrongCheckDigit(reading.value)) hints.push(`The ISBN ${text} has a wrong check digit.`);
  return reading.value;
}

/** A cell without an ISBN, such as 'yes', doesn't identify the newer edition: the row is imported without one. */
function readNewerIsbn(text: string, row: BookImportRow, hints: string[], isOwn: boolean): string | null {
  const reading = readIsbnCell(text);
  const [isbn, ...more] = reading.problem === undefined ? isbnsIn(reading.value) : [];
  if (isbn !== undefined && more.length === 0) return isbn;
  const message = `The newer edition ${text} is not an ISBN`;
  if (isOwn) row.problems.push(`${message}.`);
  else hints.push(`${message} and is left out.`);
  return null;
}

/** Two code units a character and one character more than any field holds: still too long, but not endless. */
const LONGEST_CELL = 2 * (longestText("description") + 1);

/** A cell as the file has it, as far as a database can keep it. */
export function storableCell(cell: string): string {
  return cell.slice(0, LONGEST_CELL).toWellFormed().replaceAll("\0", "");
}

/** A cell of the shop's own export, unchanged; null when it is empty. */
function exportedCell(cell = ""): string | null {
  return rearmFormulas(cell).slice(0, LONGEST_CELL).replaceAll("\0", "") || null;
}

/**
 * A supplier's cell as it is meant, without the characters that no text holds. Books may be called "None" or "NaN";
 * elsewhere such words mean an empty cell, which is null.
 */
export function suppliedCell(cell: string | undefined, isTitle: boolean): string | null {
  const plain = rearmFormulas(unwrapped(cell ?? ""))
    .slice(0, LONGEST_CELL)
    .toWellFormed();
  const text = withoutMarkup(decodeEntities(plain.replace(/[^\P{Cc}\t\n\r]/gu, " ")).trim());
  if (isTitle) return isSpreadsheetError(text) ? "" : text;
  return /^(?:|-|n\/?a|#n\/a|null|none|nan)$/i.test(text) ? null : text;
}

function readId(cell = ""): string | null {
  const id = cell.trim().toLowerCase();
  return isUuid(id) ? id : null;
}
