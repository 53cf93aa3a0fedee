/**
 * Dates that may lack their day or their month, such as that of a book's publication: '2027', '2027-01' or '2027-01-15', as the database
 * stores them.
 */

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const NAME = "(jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\\.?";
const SPACE = "[ ,./-]+";

/** With the month as a number: year first, then day and month in either order, then month and year. */
const YEAR_FIRST = /^(\d{4})[-/.](\d{1,2})(?:[-/.](\d{1,2})(?:[ T]\d{1,2}:\d{2}.*)?)?$/;
const DIGITS_ALONE = /^(\d{4})(\d{2})?(\d{2})?$/;
const YEAR_LAST = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})$/;
const MONTH_YEAR = /^(\d{1,2})[-/.](\d{4})$/;
/** With its name; two digits are a year only after a day. */
const DAY_NAME_YEAR = new RegExp(`^(\\d{1,2})(?:st|nd|rd|th)?${SPACE}${NAME}${SPACE}(\\d{4}|\\d{2})$`, "i");
const NAME_DAY_YEAR = new RegExp(`^${NAME}${SPACE}(\\d{1,2})(?:st|nd|rd|th)?${SPACE}(\\d{4})$`, "i");
const NAME_YEAR = new RegExp(`^${NAME}${SPACE}(\\d{4})$`, "i");

const monthOf = (name = "") => MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;

/** A date as lists and people write it; null if it is none, or may be two: 05/06/2027. */
export function readOpenDate(typed: string): string | null {
  const text = typed.trim().replace(/\s+/g, " ");
  const [, year, month, day] = DIGITS_ALONE.exec(text) ?? YEAR_FIRST.exec(text) ?? [];
  if (year) return written(Number(year), month, day);
  const [, one, other, itsYear] = YEAR_LAST.exec(text) ?? [];
  if (itsYear) {
    if (one !== other && Number(one) <= 12 && Number(other) <= 12) return null;
    return Number(other) > 12 ? written(Number(itsYear), one, other) : written(Number(itsYear), other, one);
  }
  const [, numbered, ofYear] = MONTH_YEAR.exec(text) ?? [];
  if (ofYear) return written(Number(ofYear), numbered);
  const [, first, name, last] = DAY_NAME_YEAR.exec(text) ?? [];
  if (last) return written(last.length === 2 ? 2000 + Number(last) : Number(last), monthOf(name), first);
  const [, named, second, third] = NAME_DAY_YEAR.exec(text) ?? [];
  if (third) return written(Number(third), monthOf(named), second);
  const [, alone, theYear] = NAME_YEAR.exec(text) ?? [];
  return theYear ? written(Number(theYear), monthOf(alone)) : null;
}

function written(year: number, month?: string | number, day?: string | number): string | null {
  const [m, d] = [month === undefined ? 1 : Number(month), day === undefined ? 1 : Number(day)];
  const at = new Date(Date.UTC(year, m - 1, d));
  if (year < 1900 || year > 2099 || at.getUTCMonth() !== m - 1 || at.getUTCDate() !== d) return null;
  return at.toISOString().slice(0, day !== undefined ? 10 : month !== undefined ? 7 : 4);
}

const formats = [
  { year: "numeric" },
  { month: "long", year: "numeric" },
  { day: "numeric", month: "long", year: "numeric" },
] as const;

/** '2027', 'January 2027' or '15 January 2027'; null for no date. */
export function formatOpenDate(date: string | null): string | null {
  const format = date === null ? undefined : formats[date.split("-").length - 1];
  if (date === null || !format) return null;
  return new Intl.DateTimeFormat("en-GB", { ...format, timeZone: "UTC" }).format(new Date(date));
}
