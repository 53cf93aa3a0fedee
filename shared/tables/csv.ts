import { sortableMinute } from "#shared/text/dates.ts";
import type { TableCell, TableFile } from "./table-file.ts";

/** Tables as text for spreadsheets: commas, CRLF, UTF-8 with a byte order mark, as Excel reads them best. */

/** Without it Excel assumes another encoding and garbles ɛ and ₵. */
const BYTE_ORDER_MARK = "\uFEFF";

/** A CSV file, of which only the text is kept. */
export function csvFile(headings: readonly string[]): TableFile {
  const parts = [csvBeginning(headings)];
  return {
    add: async (rows) => void parts.push(rows.map(csvLine).join("")),
    finish: async () => new Blob(parts, { type: "text/csv;charset=utf-8" }),
  };
}

/** The byte order mark and the headings. */
export function csvBeginning(headings: readonly string[]): string {
  return BYTE_ORDER_MARK + csvLine(headings);
}

/** One line with its line ending. Text that a spreadsheet would calculate is neutralised; numbers stay numbers. */
export function csvLine(cells: readonly TableCell[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(value: TableCell): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return String(value);
  if (value instanceof Date) return sortableMinute(value);
  if (typeof value === "object" && "cedis" in value) return value.cedis.toFixed(2);
  const text = typeof value === "object" ? disarmValues(value.literal) : disarmFormulas(value);
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Characters that begin a formula, as typed on keyboards and in their wider, smaller and typographic forms. */
const FORMULA = /^[=+\-@＝＋－＠﹦﹢﹣﹫−]$/;

/** What may precede a cell's formula: quotation marks, spaces and invisible characters. */
const SKIPPED = /^["'\s\p{Z}\p{C}\p{Default_Ignorable_Code_Point}\u2800]$/u;

/** Tabs and line ends at the start count as well: some programs drop them before they look for a formula. */
const BLANK_START = /^'*[\t\r\n]/;

/**
 * Texts that a spreadsheet may read as a number, a date or a time: digits with only the signs, days, months and letters of such, in one
 * line. Codes of four and more groups, such as an ISBN with its hyphens, stay texts by themselves. No two parts may match the same
 * characters (the e of June is among the single ones), or a text that repeats them takes forever.
 */
const VALUE =
  /^(?!\w+(?:-\w+){3,}$|\d{3}-\d{9,}$)(?=\D*\d)(?:[\d\p{Zs}.,:/()%+\-\p{Sc}aep]|gh(?=₵)|[ap]m|(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?|jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|jun|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)+$|^(?:true|false)$/iu;

const isValue = (text: string) => VALUE.test(text.replace(/^'+/, ""));

/**
 * A cell that begins like a formula could run one on the computer of anyone who opens the file. An apostrophe in front
 * makes it text, also inside a cell where a program with another separator would begin a new one.
 */
export function disarmFormulas(text: string): string {
  // An apostrophe before a number would be taken for one that was added.
  return disarm(text, BLANK_START.test(text) || (text.startsWith("'") && isValue(text)));
}

/** The same, with an apostrophe also before a text that a spreadsheet would read as a number or a date: '007', '9-11'. */
function disarmValues(text: string): string {
  return disarm(text, BLANK_START.test(text) || isValue(text));
}

const disarm = (text: string, atStart: boolean) =>
  atFormulas(text, (character, here) => (here ? `'${character}` : character), atStart);

/** Removes exactly the apostrophes that `csvLine` added. */
export function rearmFormulas(text: string): string {
  return atFormulas(
    text,
    (character, _, behind) => (character === "'" && behind ? "" : character),
    text.startsWith("'") && (BLANK_START.test(text.slice(1)) || isValue(text)),
  );
}

/**
 * Rewrites a text character by character, from its end to its start so that long texts take no longer than they must.
 * @param rewrite gets, wherever a cell can begin, whether a formula follows `here` and whether one follows `behind` the character
 */
function atFormulas(
  text: string,
  rewrite: (character: string, here: boolean, behind: boolean) => string,
  atStart: boolean,
): string {
  const characters = [...text];
  const written: string[] = [];
  let behind = false;
  for (let at = characters.length - 1; at >= 0; at -= 1) {
    const character = characters[at] ?? "";
    const here: boolean = FORMULA.test(character) || (behind && SKIPPED.test(character));
    const begins = canBegin(characters[at - 1], character);
    const first = at === 0 && atStart;
    written.push(rewrite(character, begins && (here || first), begins && (behind || first)));
    behind = here;
  }
  return written.reverse().join("");
}

/** A cell begins with the text, and for a program that separates by ; or tab also behind these and behind line ends. */
function canBegin(before: string | undefined, character: string): boolean {
  if (before === "\r" && character === "\n") return false;
  return before === undefined || /^[;\t\r\n]$/.test(before);
}
