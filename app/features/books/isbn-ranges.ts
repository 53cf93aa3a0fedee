import { parseIsbn13 } from "./isbn.ts";

/**
 * Where the hyphens of an ISBN-13 go, for the groups that a Ghanaian school bookshop sees: the English-language groups
 * and Ghana's own two. After the group comes the publisher's number, whose length depends on its range.
 * Source: the International ISBN Agency's range message of October 2023; each range is written first-last.
 */
const publisherRanges: Readonly<Record<string, string>> = {
  "978-0": `00-19 200-227 2280-2289 229-368 3690-3699 370-638 6390-6397 6398000-6399999 640-644 6450000-6459999
    646-647 6480000-6489999 649-654 6550-6559 656-699 7000-8499 85000-89999 900000-900370 9003710-9003719
    900372-949999 9500000-9999999`,
  "978-1": `000-009 01-02 030-034 0350-0399 040-049 05-05 0670000-0699999 0700-0999 100-397 3980-5499 55000-64999
    6500-6799 68000-68599 6860-7139 714-716 7170-7319 7320000-7399999 74000-77499 7750000-7753999 77540-77639
    7764000-7764999 77650-77699 7770000-7782999 77830-78999 7900-7999 80000-83799 8380000-8384999 83850-86719
    8672-8675 86760-86979 869800-915999 9160000-9165059 916506-916869 9168700-9169079 916908-919599
    9196000-9196549 919655-972999 9730-9877 987800-991149 9911500-9911999 991200-998989 9989900-9999999`,
  "978-9964": "0-6 70-94 950-999",
  "978-9988": "0-3 40-54 550-749 7500-9999",
};

/**
 * For spreadsheets, which would show thirteen digits as 9.78E+12: a valid ISBN as thirteen digits with hyphens, without
 * them where its group or range is not known here; anything else unchanged.
 */
export function hyphenatedIsbn(text: string): string {
  const isbn13 = parseIsbn13(text);
  if (isbn13 === null) return text;
  for (const [prefix, ranges] of Object.entries(publisherRanges)) {
    const start = prefix.replace("-", "");
    if (!isbn13.startsWith(start)) continue;
    const rest = isbn13.slice(start.length, 12);
    for (const range of ranges.split(/\s+/)) {
      const [first = "", last = ""] = range.split("-");
      const publisher = rest.slice(0, first.length);
      if (publisher >= first && publisher <= last) {
        return [prefix, publisher, rest.slice(first.length), isbn13.slice(12)].join("-");
      }
    }
  }
  return isbn13;
}
