import { isIsbn13 } from "#app/features/books/isbn.ts";
import { spreadsheetIsbn } from "#app/office/frame/export/export-table.ts";
import { rearmFormulas } from "#shared/tables/csv.ts";
import type { SavedTable, TableCell } from "#shared/tables/table-file.ts";
import { countOf } from "#shared/text/count-of.ts";
import type { BookImportCounts, LeftOutKind, RowLeftOut } from "./book-import.queries.ts";
import { REPAIR_HEADINGS } from "./book-table.ts";

/** What an import leaves out, in the order in which it is named. */
export const LEFT_OUT = [
  {
    kind: "refused",
    count: "refused",
    words: (count) => `${countOf(count, "row")} with problems`,
    fileSuffix: "-to-repair",
  },
  {
    kind: "not_a_book",
    count: "not_books",
    words: (count) => `${countOf(count, "line")} left out`,
    fileSuffix: "-left-out",
  },
] as const satisfies {
  kind: LeftOutKind;
  count: keyof BookImportCounts;
  words: (count: number) => string;
  /** Of the file to which they are written, behind the name of their own. */
  fileSuffix: string;
}[];

/** What was not imported: '2 rows with problems, 11 lines left out'; empty if there is nothing. */
export function leftOutWords(counts: BookImportCounts): string {
  return LEFT_OUT.filter(({ count }) => counts[count] > 0)
    .map(({ count, words }) => words(counts[count]))
    .join(", ");
}

type RowsLeftOut = {
  kind?: LeftOutKind;
  fileName: string;
  headings: readonly string[];
  rows: readonly RowLeftOut[];
};

/** The rows left out as a table to repair and import again: the file's columns behind each row's line and reason. */
export function rowsLeftOutTable({ kind = "refused", fileName, headings, rows }: RowsLeftOut): SavedTable {
  return {
    name: rowsLeftOutName(fileName, kind),
    headings: leftOutHeadings(headings),
    rows: rows.map(leftOutRow),
  };
}

export const leftOutHeadings = (headings: readonly string[]) => [...REPAIR_HEADINGS, ...headings];

export function leftOutRow({ line, problems, cells }: RowLeftOut): TableCell[] {
  return [line, problems.join(" "), ...cells.map(cellAgain)];
}

/** A cell whose apostrophes an export added gets them anew, and not a second time; a spreadsheet would keep six digits of a bare ISBN. */
function cellAgain(cell: string): TableCell {
  if (isIsbn13(cell)) return spreadsheetIsbn(cell);
  const text = rearmFormulas(cell);
  return text === cell ? cell : { literal: text };
}

const SUFFIX = new RegExp(`(?:${LEFT_OUT.map(({ fileSuffix }) => fileSuffix).join("|")})(?:-\\d+)?$`);

/** 'books.csv' → 'books-to-repair', 'books-left-out'; a repaired file keeps its name. */
export function rowsLeftOutName(fileName: string, kind: LeftOutKind): string {
  const suffix = LEFT_OUT.find((one) => one.kind === kind)?.fileSuffix;
  return `${withoutLeftOutSuffix(fileName.replace(/\.[^.]*$/, ""))}${suffix}`;
}

/** The name of the file that rows left out came from. */
export function withoutLeftOutSuffix(name: string): string {
  return name.replace(SUFFIX, "");
}

/** The spellings of a column's publishers as the rows of the file have them. */
export function columnOf(rows: readonly { cells: string[] }[], place: number | undefined): string[] {
  if (place === undefined) return [];
  return rows
    .map(({ cells }) => (cells[place] ?? "").trim().replace(/\s+/g, " "))
    .filter((cell) => cell !== "");
}
