import { bookFieldLabel, bookFieldNames } from "#app/features/books/book-fields.ts";
import {
  type BookImportColumn,
  type BookImportMapping,
  mapBookImportColumns,
} from "#app/features/books/book-import-columns.ts";

/** The meaning of each column of an uploaded table, by position; null is ignored. */
export type ColumnChoices = readonly (BookImportColumn | null)[];

/** What a column can be taken for, as the page calls it. */
export function columnName(column: BookImportColumn): string {
  return column === "id" ? "ID (from an export)" : bookFieldLabel(column);
}

export const IMPORT_COLUMNS: readonly BookImportColumn[] = [...bookFieldNames, "id"];

export function suggestChoices(headings: readonly string[]): ColumnChoices {
  const { columns } = mapBookImportColumns(headings);
  return headings.map((_, place) => IMPORT_COLUMNS.find((column) => columns[column] === place) ?? null);
}

/** Takes a column for something; what was taken for it before is left out. */
export function chooseColumn(
  choices: ColumnChoices,
  place: number,
  column: BookImportColumn | null,
): ColumnChoices {
  return choices.map((choice, at) => {
    if (at === place) return column;
    return choice === column ? null : choice;
  });
}

/** The choices as reading the rows takes them. */
export function mappingOf(choices: ColumnChoices, headings: readonly string[]): BookImportMapping {
  const columns: BookImportMapping["columns"] = {};
  choices.forEach((column, place) => {
    if (column !== null) columns[column] = place;
  });
  return { columns, ignored: headings.filter((_, place) => choices[place] === null), width: headings.length };
}

/** A message saying what is missing before rows can be read, or null when nothing is. */
export function missingColumn(choices: ColumnChoices): string | null {
  if (choices.includes("title") || choices.includes("isbn") || choices.includes("id")) return null;
  return "Say which column is the title or the ISBN. New books need a title; books of the shop are found by their ISBN.";
}
