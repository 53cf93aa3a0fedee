import { bookFieldLabel, bookFieldNames } from "#app/features/books/book-fields.ts";
import {
  type BookImportColumn,
  type ColumnMapping,
  type KnownColumn,
  mapColumns,
} from "#app/office/catalogue/book-import/book-import-columns.ts";

/** The meaning of each column of an uploaded table, by position; null is ignored. */
export type ColumnChoices<Name extends string = BookImportColumn> = readonly (Name | null)[];

/** What a column can be taken for, and what the page calls it. */
export type NamedColumn<Name extends string> = { name: Name; label: string };

export const bookColumnNames: readonly NamedColumn<BookImportColumn>[] = [
  // A list's price may be in any currency.
  ...bookFieldNames.map((name) => ({ name, label: name === "price" ? "Price" : bookFieldLabel(name) })),
  { name: "currency", label: "Currency of the price" },
  { name: "seen_stock", label: "Stock at export" },
  { name: "marks", label: "As exported" },
  { name: "id", label: "ID (from an export)" },
];

export function suggestChoices<Name extends string>(
  headings: readonly string[],
  known: readonly KnownColumn<Name>[],
): ColumnChoices<Name> {
  const { columns } = mapColumns(headings, known);
  return headings.map((_, index) => known.find(({ name }) => columns[name] === index)?.name ?? null);
}

/** Maps a column to a field; the column that had that field is no longer imported. */
export function chooseColumn<Name extends string>(
  choices: ColumnChoices<Name>,
  index: number,
  column: Name | null,
): ColumnChoices<Name> {
  return choices.map((choice, at) => {
    if (at === index) return column;
    return choice === column ? null : choice;
  });
}

/** The choices as reading the rows takes them. */
export function mappingOf<Name extends string>(
  choices: ColumnChoices<Name>,
  headings: readonly string[],
): ColumnMapping<Name> {
  const columns: ColumnMapping<Name>["columns"] = {};
  choices.forEach((column, index) => {
    if (column !== null) columns[column] = index;
  });
  return { columns, ignored: headings.filter((_, index) => choices[index] === null), width: headings.length };
}

/** A message saying what is missing before rows can be read, or null when nothing is. */
export function missingColumn(choices: ColumnChoices): string | null {
  if (choices.includes("title") || choices.includes("isbn") || choices.includes("id")) return null;
  return "Say which column is the title or the ISBN. New books need a title; books of the shop are found by their ISBN.";
}
