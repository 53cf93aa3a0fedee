import type { Reading } from "./book-import-cells.ts";

/*
 * Cells that a spreadsheet or a web shop has damaged: ranges that became dates, and texts with their HTML. What they were is restored where it
 * can be only one thing, and refused elsewhere.
 */

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const MONTH = "(jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*";

/** '07-Sep', '7 Sept', '9-Jul-26' */
const DAY_MONTH = new RegExp(`^(\\d{1,2})[ -]${MONTH}(?:[ -](?:\\d{2}|\\d{4}))?$`, "i");
/** 'Nov-14' */
const MONTH_YEAR = new RegExp(`^${MONTH}[ -](\\d{2})$`, "i");
const YEAR_FIRST = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[ T]00:00.*)?$/;
const YEAR_LAST = /^(\d{1,2})[/.](\d{1,2})[/.](?:\d{2}|\d{4})$/;
/** Days since 1899 as spreadsheets store them: 2009 to 2064. */
const STORED_DAY = /^[45]\d{4}(?:\.0+)?$/;

const monthOf = (name: string) => MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;

/** The two numbers of a text that a spreadsheet has made a date; null for any other text. */
function numbersOfDate(text: string): [number, number] | null {
  const [, day, month] = DAY_MONTH.exec(text) ?? [];
  if (day && month) return [Number(day), monthOf(month)];
  const [, first, year] = MONTH_YEAR.exec(text) ?? [];
  if (first && year) return [monthOf(first), Number(year)];
  const [, , one, other] = YEAR_FIRST.exec(text) ?? [];
  if (one && other) return [Number(one), Number(other)];
  const [, a, b] = YEAR_LAST.exec(text) ?? [];
  if (a && b) return [Number(a), Number(b)];
  if (!STORED_DAY.test(text)) return null;
  const at = new Date(Date.UTC(1899, 11, 30) + Number(text) * 86_400_000);
  return [at.getUTCMonth() + 1, at.getUTCDate()];
}

/**
 * A range of ages or classes. One that became a date is what it was: whether 07-Sep was 7-9 or 9-7, the lower comes first.
 * @param label what the field is called in a sentence
 */
export function readRangeCell(text: string, label: string): Reading<string> {
  const numbers = numbersOfDate(text);
  if (numbers === null) return { value: text };
  const [low = 0, high = 0] = numbers.sort((one, other) => one - other);
  if (low === high) return { problem: madeADate(text, label) };
  return { value: `${low}-${high}` };
}

/** A text that may name a month and a year, such as an edition, but is not '02-Jan' or '01/02/2026'. */
export function readEditionCell(text: string): Reading<string> {
  const isDate =
    DAY_MONTH.test(text) || YEAR_FIRST.test(text) || YEAR_LAST.test(text) || STORED_DAY.test(text);
  return isDate ? { problem: madeADate(text, "edition") } : { value: text };
}

const madeADate = (text: string, label: string) =>
  `The ${label} ${text} is a date, made by a spreadsheet. Write what it was.`;

/** '="Reader 1"' → 'Reader 1': how a text is kept from becoming a number. */
export function unwrapped(text: string): string {
  const inner = /^\s*="((?:[^"]|"")*)"\s*$/.exec(text)?.[1];
  return inner === undefined ? text : inner.replaceAll('""', '"');
}

/** '7.0' → '7', "'01" → '01': an age, a class or an edition that a spreadsheet has as a number, or marked as a text. */
export function withoutNumberMarks(text: string): string {
  return text.replace(/^'(?=\S)/, "").replace(/^(\d{1,3})\.0+$/, "$1");
}

const TAG =
  /<\/?(?:p|br|hr|ul|ol|li|div|span|b|i|u|em|strong|sub|sup|h[1-6]|a|font|blockquote|table|tr|td|th|tbody)(?:\s[^<>]*)?\/?>/gi;

/** A text without its HTML: paragraphs and lines stay, and points of a list have one each. */
export function withoutMarkup(text: string): string {
  if (!text.includes("<") || text.search(TAG) === -1) return text;
  return text
    .replace(/\s*<li(?:\s[^<>]*)?>\s*/gi, "\n• ")
    .replace(/\s*<\/?(?:p|div|h[1-6]|ul|ol|blockquote|table)(?:\s[^<>]*)?>\s*/gi, "\n\n")
    .replace(/\s*<(?:br|hr|tr)(?:\s[^<>]*)?\/?>\s*/gi, "\n")
    .replace(TAG, "")
    .replace(/[ \t]+\n/g, "\n")
    .replace(/\n{2,}(?=• )/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}
