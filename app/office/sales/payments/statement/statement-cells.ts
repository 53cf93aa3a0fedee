import type { Pesewas } from "#shared/text/money.ts";
import { readPrice } from "#shared/text/typed-price.ts";

/** Reads a statement's cells as operators and banks write them, except ambiguous ones. */

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const WEEKDAY = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,?\s+/i;
const YEAR_FIRST = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/;
const COMPACT = /^(20\d\d)(\d\d)(\d\d)(?:\s|T|$)/;
const DAY_FIRST = /^(\d{1,2})[-/. ](\d{1,2})[-/. ](\d{4}|\d{2})(?!\d)/;
const NAMED = /^(\d{1,2})(?:st|nd|rd|th)?[-/., ]*([a-z]{3,9})[-/., ]*(\d{4}|\d{2})(?!\d)/i;
const MONTH_FIRST = /^([a-z]{3,9})\.?[- ]*(\d{1,2})(?:st|nd|rd|th)?[-, ]+(\d{4})(?!\d)/i;

/**
 * The day of '23/11/2026 10:15', '23 Nov 2026', '2026-11-23T10:15', as '2026-11-23'; the day comes before the month.
 * @returns null for an empty cell, false when it can't be read
 */
export function readStatementDay(cell: string): string | null | false {
  const text = cell.trim().replace(/^'/, "").replace(WEEKDAY, "");
  if (text === "") return null;
  const [, year, month, day] = YEAR_FIRST.exec(text) ?? COMPACT.exec(text) ?? [];
  if (year) return dayOf(year, Number(month), Number(day));
  const [, first, second, last = ""] = DAY_FIRST.exec(text) ?? [];
  if (first) return dayOf(last, Number(second), Number(first));
  const [, named, name = "", monthYear = ""] = NAMED.exec(text) ?? [];
  if (named) return dayOf(monthYear, monthOf(name), Number(named));
  const [, leading = "", date, ofYear = ""] = MONTH_FIRST.exec(text) ?? [];
  return date ? dayOf(ofYear, monthOf(leading), Number(date)) : false;
}

/** Whether most dates that can be read in one way only, as 11/23/2026, have their month first. */
export function hasMonthsFirst(cells: readonly string[]): boolean {
  let monthsFirst = 0;
  for (const cell of cells) {
    const [first, second] = twoNumbers(cell);
    if (first <= 12 && second > 12) monthsFirst += 1;
    if (first > 12 && second <= 12) monthsFirst -= 1;
  }
  return monthsFirst > 0;
}

/** Whether a date would also be valid with its month first. */
export function isAmbiguousDate(cell: string): boolean {
  const [first, second] = twoNumbers(cell);
  return first <= 12 && second <= 12 && first !== second;
}

function twoNumbers(cell: string): [number, number] {
  const [, first, second] = DAY_FIRST.exec(cell.trim().replace(/^'/, "").replace(WEEKDAY, "")) ?? [];
  return [Number(first), Number(second)];
}

const monthOf = (name: string) => MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;

function dayOf(year: string, month: number, day: number): string | false {
  const date = new Date(Date.UTC(Number(year.length === 2 ? `20${year}` : year), month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day
    ? date.toISOString().slice(0, 10)
    : false;
}

/** An amount, and the direction if the cell states it. */
export type StatementAmount = { amount: Pesewas; direction: "in" | "out" | null };

/**
 * '1,234.50', 'GHS 45', '45.00 CR', '(45.00)', '-45.00', '45.00-', '45.00 DR'.
 * @returns null for an empty cell or a dash, false when it can't be read
 */
export function readStatementAmount(cell: string): StatementAmount | null | false {
  const text = cell.trim().replace(/^'/, "");
  if (/^[-–—−]*$/.test(text)) return null;
  const [, bracketed] = /^\((.+)\)$/.exec(text) ?? [];
  const [, sign, unsigned = text] = /^(?:GH[S₵¢]\s*)?([-–−+])\s*(.+)$/i.exec(text) ?? [];
  const [, before = bracketed ?? unsigned, word] =
    /^(.*\d[^A-Za-z\d]*)(CR|DR|C|D)\.?$/i.exec(bracketed ?? unsigned) ?? [];
  const [, bare = before, trailing] = /^(.*\d)\s*([-–−])$/.exec(before) ?? [];
  const amount = readPrice(bare.trim());
  if (typeof amount !== "number") return false;
  const isOut = bracketed !== undefined || /^d/i.test(word ?? "") || trailing !== undefined;
  if (isOut || (sign && sign !== "+")) return { amount, direction: "out" };
  return { amount, direction: word || sign === "+" ? "in" : null };
}

/** The direction that a type states, such as 'CR', 'Cash in' or 'PAYMENT_SEND'; null if none, such as 'Transfer'. */
export function readDirection(cell: string): "in" | "out" | null {
  const text = ` ${cell.toLowerCase().replace(/[^a-z]+/g, " ")} `;
  if (
    / (?:d|dr|debit|debited|out|outgoing|sent|send|withdrawal|withdraw|cashout|charge|fee|levy|tax) /.test(
      text,
    )
  )
    return "out";
  return / (?:c|cr|credit|credited|in|incoming|received|receive|deposit|cashin) /.test(text) ? "in" : null;
}
