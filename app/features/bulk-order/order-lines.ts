import { isbnsIn, looksLikeIsbn, restoreIsbn10Zeros } from "#app/features/books/isbn.ts";
import { MAX_QUANTITY, parseQuantity, TOO_MANY } from "#app/features/cart/cart.ts";
import { type Delimiter, readCsv } from "#shared/tables/csv-reader.ts";

/*
 * Reads a school's list, typed, pasted from a spreadsheet or exported: lines with an ISBN or title and a quantity, with
 * or without headings and other columns.
 */

/** One line of a list. ISBN and title are as written; either may be empty, but not both. */
export type OrderLine = {
  /** The line of the text where it begins, from 1. */
  line: number;
  isbn: string;
  title: string;
  /** 1 to 999, or null when `written` is not such a number. */
  quantity: number | null;
  /** The quantity as written; empty when there is none. */
  written: string;
  /** What a line without a clear quantity may mean, most likely first: only the database knows which titles end in a number. */
  readings: readonly Reading[];
};

/** 'Maths - 4' as 4 copies of Maths. */
export type Reading = {
  title: string;
  quantity: number;
  /** Whether punctuation marks the quantity, unlike in 'Maths 4', which may be a title. */
  isMarked: boolean;
};

type Columns = { isbn: number; title: number; quantity: number };

/** All lines of a list except empty ones and those above its headings. */
export function readOrderLines(text: string): OrderLine[] {
  const delimiter = findDelimiter(text);
  const rows = [...readCsv(text, delimiter)].filter(({ cells }) => !/^"?sep=.?"?$/i.test(cells[0] ?? ""));
  const headings = rows.slice(0, MAX_ROWS_ABOVE).findIndex(({ cells }) => readHeadings(cells) !== null);
  const columns = readHeadings(rows[headings]?.cells ?? []);
  return rows.slice(headings + 1).flatMap(({ line, cells }) => {
    const book = columns ? readColumns(cells, columns) : readRow(cells, delimiter);
    if (!book.isbn && !book.title) return [];
    const readings = book.written === "" && book.isbn === book.title ? readingsOf(book.title) : [];
    return [{ line, ...book, quantity: readQuantity(book.written), readings }];
  });
}

/** Why a line cannot be ordered as it is written, in a sentence; null when its quantity is fine. */
export function quantityProblem({
  quantity,
  written,
}: Pick<OrderLine, "quantity" | "written">): string | null {
  if (quantity !== null) return null;
  if (written === "") return "No quantity.";
  const number = parseQuantity(bareQuantity(written));
  return number !== null && number > MAX_QUANTITY ? TOO_MANY : `“${written}” is not a number of copies.`;
}

/** What may be wrong with an ISBN that the shop does not know; null when it looks right or is not one. */
export function isbnHint(isbn: string): string | null {
  if (/^\d(\.\d+)?E\+\d+$/i.test(isbn))
    return "Your spreadsheet has shortened this ISBN. Format its column as a number without decimals and copy it again.";
  if (maybeIsbn(isbn) && isbnsIn(restoreIsbn10Zeros(isbn) ?? isbn).length === 0)
    return "The check digit is wrong. Please compare with the book.";
  return null;
}

/** A school's name, a date and a note above the headings are no longer than this. */
const MAX_ROWS_ABOVE = 12;

const HEADINGS = {
  isbn: /^(isbn(no|number|code|e?an)?(10|13)?(no)?|(isbn|ean|barcode)s?|ean13)$/,
  title: /^((book|product|item)?(title|name)s?|(title|name)of(the)?book|books?|item|description)$/,
  quantity:
    /^((total|order|ordered|required|your)?(qty|quantity|quantities|copies|pcs|pieces)(ordered|required|needed|wanted|ofcopies|ofbooks|perclass)?|howmany|order|pupils|(number|no)of(copies|books|pupils|students))$/,
};

/**
 * The columns of the quantity and of the ISBN or title (-1 for none); null for a row that is not a row of headings.
 */
function readHeadings(cells: readonly string[]): Columns | null {
  const names = cells.map((cell) => cell.toLowerCase().replace(/[^a-z0-9]/g, ""));
  const find = (look: RegExp) => names.findIndex((name) => look.test(name));
  // An order form has a column for the shop's stock as well.
  const ordered = names.findIndex(
    (name) => /order|required|needed/.test(name) && HEADINGS.quantity.test(name),
  );
  const columns = {
    isbn: find(HEADINGS.isbn),
    title: find(HEADINGS.title),
    quantity: ordered === -1 ? find(HEADINGS.quantity) : ordered,
  };
  return columns.quantity !== -1 && Math.max(columns.isbn, columns.title) !== -1 ? columns : null;
}

type Book = Pick<OrderLine, "isbn" | "title" | "written">;

function readColumns(cells: readonly string[], { isbn, title, quantity }: Columns): Book {
  const at = (index: number) => clean(cells[index] ?? "");
  return { isbn: at(isbn), title: at(title), written: at(quantity) };
}

/**
 * A row without headings: its book is the first ISBN or text, its quantity the first whole number behind it, else
 * before it.
 */
function readRow(written: readonly string[], delimiter: Delimiter): Book {
  const [only = "", ...others] = written.filter((cell) => cell.trim() !== "");
  if (others.length === 0) return readSingle(only, delimiter);
  const cells = written.map(clean);
  const isbnAt = cells.findIndex(maybeIsbn);
  const textAt = cells.findIndex((cell) => /\p{L}{2}/u.test(cell) && !isQuantity(cell));
  const bookAt = isbnAt !== -1 ? isbnAt : textAt !== -1 ? textAt : cells.findIndex((cell) => cell !== "");
  const behind = cells.findIndex((cell, index) => index > bookAt && isQuantity(cell));
  const quantityAt =
    behind !== -1 ? behind : cells.findIndex((cell, index) => index < bookAt && isQuantity(cell));
  const wrong = cells.findLastIndex((cell, index) => index > bookAt && /^-?[\d.,]+$/.test(cell));
  const quantity = cells[quantityAt] ?? cells[wrong] ?? "";
  if (isbnAt !== -1) return { isbn: cells[isbnAt] ?? "", title: cells[textAt] ?? "", written: quantity };
  // A typed title may contain the comma or semicolon that separates the cells.
  const end = delimiter === "\t" ? bookAt + 1 : behind !== -1 ? behind : wrong !== -1 ? wrong : cells.length;
  const title = cells
    .slice(bookAt, end)
    .filter((cell) => cell !== "")
    .join(`${delimiter} `);
  return { isbn: title, title, written: quantity };
}

/** 'copies' or 'pcs', behind a number. */
const UNIT = "(?:cop(?:y|ies)|cps|pcs|pieces|nos?)\\.?";
/** '40 x Maths', '40 copies of Maths' */
const QUANTITY_FIRST = new RegExp(`^(\\d{1,4}) ?(?:[x×]|${UNIT}(?: of)?(?= )) ?(.+)$`, "i");
/** 'Maths x 40', 'Maths 40 copies', 'Maths - 40 copies' */
const QUANTITY_LAST = new RegExp(`^(.+?)(?: ?[-–—:=])? (?:[x×] ?(\\d{1,4})|(\\d{1,4}) ?${UNIT})$`, "i");
/** 'Maths - 40', 'Maths: 40', 'Maths (40)', and 'Maths 40' without a sign. */
const NUMBER_LAST = /^(.+?)( ?[:=] ?| [-–—] ?| \(| )(\d{1,3})\)?$/;
const NUMBER_FIRST = /^(\d{1,3}) (.+)$/;

/**
 * A typed line without a separator: '9780008123456 40', '40 x 9780008123456', 'Primary Maths 2 x 40' or no quantity
 * at all.
 */
function readSingle(typed: string, delimiter: Delimiter): Book {
  for (const other of ["\t", ";", ","] as const)
    if (other !== delimiter && splitAt(typed, other).length > 1) return readRow(splitAt(typed, other), other);
  const text = clean(typed);
  if (maybeIsbn(text)) return { isbn: text, title: "", written: "" };
  const [, isbn = "", afterIsbn = ""] = /^(.+?)(?: ?[-–—:=])? (\S+(?: cop(?:y|ies))?)$/i.exec(text) ?? [];
  if (maybeIsbn(isbn) && isQuantity(afterIsbn)) return { isbn, title: "", written: afterIsbn };
  const [, first = "", rest = ""] = QUANTITY_FIRST.exec(text) ?? [];
  if (first) return { isbn: rest, title: rest, written: first };
  const [, title = "", times = "", copies = ""] = QUANTITY_LAST.exec(text) ?? [];
  const last = times || copies;
  return last ? { isbn: title, title, written: last } : { isbn: text, title: text, written: "" };
}

/** The possible meanings of a text in which no word such as 'copies' marks the quantity. */
function readingsOf(text: string): Reading[] {
  const [, before = "", sign = "", last = ""] = NUMBER_LAST.exec(text) ?? [];
  const [, first = "", behind = ""] = NUMBER_FIRST.exec(text) ?? [];
  return [
    { title: before, quantity: Number(last), isMarked: sign.trim() !== "" },
    { title: behind, quantity: Number(first), isMarked: false },
  ].filter(({ title, quantity }) => title !== "" && quantity > 0);
}

const splitAt = (text: string, delimiter: Delimiter) =>
  text.split(delimiter).filter((cell) => cell.trim() !== "");

/** The most frequent separator; a line with another one is split by that. */
function findDelimiter(text: string): Delimiter {
  const lines = text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== "");
  const half = lines.length / 2;
  const has = (sign: string) => lines.filter((line) => line.includes(sign)).length;
  if (has("\t") >= half) return "\t";
  return has(";") > has(",") && has(";") >= half ? ";" : ",";
}

/** Spreadsheets write ="9780008123456" or '9780008123456 to keep a number as text. */
function clean(cell: string): string {
  const text = cell.normalize("NFC").replace(/\s+/g, " ").trim();
  return text
    .replace(/^="(.*)"$/, "$1")
    .replace(/^'(?=\d)/, "")
    .trim();
}

/** An ISBN, right or wrong, or what a spreadsheet has made of one. */
const maybeIsbn = (text: string) =>
  looksLikeIsbn(text) || restoreIsbn10Zeros(text) !== null || /^\d\.\d+E\+1\d$/i.test(text);

/** Without 'x', 'copies' or 'pcs' around the number. */
const bareQuantity = (text: string) =>
  text.replace(/^[x×]\s*/i, "").replace(/\s*(x|×|copy|copies|cps|pcs|pieces|nos?)\.?$/i, "");

const isQuantity = (text: string) => /^\d{1,3}([, ]?\d{3})*$/.test(bareQuantity(text)) && !maybeIsbn(text);

function readQuantity(written: string): number | null {
  const number = isQuantity(written) ? parseQuantity(bareQuantity(written)) : null;
  return number !== null && number >= 1 && number <= MAX_QUANTITY ? number : null;
}
