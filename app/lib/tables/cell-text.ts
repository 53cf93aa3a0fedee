import { currenciesIn } from "#shared/text/currencies.ts";

/* What a workbook's cells say, as text: a number is in its cell as it is stored, and only the cell's format says that it is a date. */

/** What a cell's format says of the number in it. */
export type CellStyle = {
  /** It is a day, or a time of day. */
  isDate: boolean;
  /** It is shown with at least so many digits, zeros in front. */
  digits: number;
  /** The currency that is shown with it. */
  currency?: string;
};

/** The formats that every workbook has without saying so, of days and times. */
const isBuiltInDate = (id: number) =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 58);

/** @param used for each style its number format, of which `formats` has those that the workbook made */
export function cellStyles(used: readonly number[], formats: ReadonlyMap<number, string>): CellStyle[] {
  return used.map((id) => {
    const format = formats.get(id) ?? (isBuiltInMoney(id) ? "$0.00" : undefined);
    const currency = format === undefined ? undefined : currencyOf(format);
    return {
      isDate: format === undefined ? isBuiltInDate(id) : isDateFormat(format),
      digits: /^0{2,}$/.test(format ?? "") ? (format ?? "").length : 0,
      ...(currency && { currency }),
    };
  });
}

/** Formats of money in dollars. Where they mean another currency, Excel writes them out. */
const isBuiltInMoney = (id: number) => (id >= 5 && id <= 8) || id === 42 || id === 44;

/** Dollars of these countries: [$$-409] is the United States'. */
const DOLLARS: Readonly<Record<string, string>> = { "409": "US$", c09: "A$", "1009": "C$" };

/** The currency of a format such as [$$-409]#,##0.00, "£"#,##0.00 or [$GHS] 0.00. */
function currencyOf(format: string): string | undefined {
  const [first = ""] = format.split(";");
  const shown = first
    .replace(/\[\$([^\]-]*)(?:-([^\]]*))?\]/g, (_, sign: string, place = "") =>
      sign === "$" ? (DOLLARS[place.toLowerCase()] ?? "$") : sign,
    )
    .replace(/\[[^\]]*\]|_.|\*.|["\\]/g, "");
  return currenciesIn(shown)[0];
}

/** A date's format has a letter for its parts outside of texts, colours and currencies. */
function isDateFormat(format: string): boolean {
  const [first = ""] = format.split(";");
  return /[dmyhs]/i.test(first.replace(/"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]|general/gi, ""));
}

/** What a formula's cell says if the program that wrote the file has not stored its result. Only a column that is needed is refused for it. */
export const NO_RESULT = "#NO RESULT!";

type Stored = { type: string; style: CellStyle | undefined; has1904Dates: boolean };

/** A cell's value as text; days are '2026-11-25', with a time if they have one. */
export function cellText(value: string, { type, style, has1904Dates }: Stored): string {
  if (type === "b") return value === "1" || value === "true" ? "TRUE" : "FALSE";
  if (type === "d") return value.replace(/T00:00:00(?:\.0+)?Z?$/, "").replace("T", " ");
  if (type !== "n" || value.trim() === "") return value;
  const number = Number(value);
  if (!Number.isFinite(number)) return value;
  if (style?.isDate) return dateText(number, has1904Dates);
  return plainNumber(number).padStart(style?.digits ?? 0, "0");
}

/** All its digits, never '9.78E+12'; the fifteen that a spreadsheet shows, so that 0.1 + 0.2 is 0.3. */
function plainNumber(number: number): string {
  const shown = Number(number.toPrecision(15));
  const text = String(shown);
  return text.includes("e")
    ? shown.toLocaleString("en", { useGrouping: false, maximumFractionDigits: 20 })
    : text;
}

const DAY_MS = 86_400_000;

/** Days since the end of 1899, or of 1903 where Excel for Mac began; below a day it is a time alone. */
function dateText(days: number, has1904Dates: boolean): string {
  // Excel believes that 1900 had a 29 February, so its first 59 days are one late.
  const since = has1904Dates ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, days < 60 ? 31 : 30);
  const at = new Date(since + Math.round((days * DAY_MS) / 1000) * 1000);
  if (Number.isNaN(at.getTime()) || at.getUTCFullYear() > 9999 || days < 0) return plainNumber(days);
  const [day = "", time = ""] = at.toISOString().split("T");
  const minute = time.slice(0, time.slice(6, 8) === "00" ? 5 : 8);
  if (days < 1 && !has1904Dates) return minute;
  return minute === "00:00" ? day : `${day} ${minute}`;
}
