import { type Reading, readStockCell } from "#app/office/catalogue/book-import/book-import-cells.ts";

/** Reads cells as schools and their spreadsheets write them. Anything ambiguous is refused, never guessed. */

/** '2026/2027', '2026-27', '2026 – 2027' → '2026/2027'. The database checks that the years are consecutive. */
export function readSchoolYearCell(text: string): Reading<string> {
  const [, start, end] = /^(20\d\d)\s*[/\\–-]\s*((?:20)?\d\d)$/.exec(text) ?? [];
  if (!start || !end)
    return { problem: `The school year ${text} can't be read. Write two years, such as 2026/2027.` };
  return { value: `${start}/${end.length === 2 ? start.slice(0, 2) : ""}${end}` };
}

const REQUIRED = /^(?:y|yes|true|1|x|✓|✔|required|compulsory|mandatory)$/i;
const OPTIONAL = /^(?:n|no|false|0|optional)$/i;

/** 'yes', 'optional', '1', 'x'; an empty cell means required. */
export function readRequiredCell(text: string | null): Reading<boolean> {
  if (text === null || REQUIRED.test(text)) return { value: true };
  if (OPTIONAL.test(text)) return { value: false };
  return { problem: `Required must be yes or no, not ${text}.` };
}

/** The file's own number for a line's place on the list; null when it has none. */
export function readPositionCell(text: string | null): Reading<number | null> {
  if (text === null) return { value: null };
  const { value, problem } = { value: undefined, ...readStockCell(text.replace(/[.)]$/, "")) };
  return problem === undefined && typeof value === "number"
    ? { value }
    : { problem: `The position ${text} is not a whole number.` };
}
