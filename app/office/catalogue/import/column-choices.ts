import { type BookField, bookFieldLabel, bookFieldNames } from "#app/features/books/book-fields.ts";
import {
  type BookImportColumn,
  bookImportColumns,
  type ColumnMapping,
  type DoubleColumns,
  findDoubleColumns,
  type KnownColumn,
  mapColumns,
  shownHeadings,
} from "#app/office/catalogue/book-import/book-import-columns.ts";
import type { TableRow } from "#app/office/catalogue/book-import/book-table.ts";

/** The meaning of each column of an uploaded table, by position; null is ignored. */
export type ColumnChoices<Name extends string = BookImportColumn> = readonly (Name | null)[];

/** What a column can be taken for, and what the page calls it. */
export type NamedColumn<Name extends string> = { name: Name; label: string };

/** Labels that differ from the book form's: a list's price may be in any currency, and most of its titles are already published. */
const LIST_LABELS: Partial<Record<BookField, string>> = {
  price: "Price",
  available_on: "Available on (if not yet out)",
};

export const bookColumnNames: readonly NamedColumn<BookImportColumn>[] = [
  ...bookFieldNames.map((name) => ({ name, label: LIST_LABELS[name] ?? bookFieldLabel(name) })),
  { name: "currency", label: "Currency of the price" },
  { name: "availability", label: "Availability" },
  { name: "imprint", label: "Imprint (if the shop has it)" },
  { name: "subtitle", label: "Subtitle (behind the title)" },
  { name: "authors_inverted", label: "Authors, surname first" },
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

/** What the columns of a table of books are taken for at first: hidden ones for nothing, and of several that mean the same none. */
export function suggestBookColumns(headings: readonly string[], hidden: readonly number[] = []) {
  const shown = shownHeadings(headings, hidden);
  const mapping = mapColumns(shown, bookImportColumns);
  const doubles = findDoubleColumns(shown, mapping);
  const names = new Set(doubles.map(({ name }) => name));
  const choices: ColumnChoices = suggestChoices(shown, bookImportColumns).map((name) =>
    name !== null && names.has(name) ? null : name,
  );
  return { choices, doubles };
}

/** A message naming columns that mean the same, until one of them is chosen. */
export function undecidedColumns(
  doubles: readonly DoubleColumns<BookImportColumn>[],
  choices: ColumnChoices,
  headings: readonly string[],
): string | null {
  const open = doubles.find(({ name }) => !choices.includes(name));
  if (!open) return null;
  const label = bookColumnNames.find(({ name }) => name === open.name)?.label;
  const named = open.places.map((place) => `${headings[place]?.trim()} (column ${place + 1})`);
  return `Several columns may be “${label}”: ${named.join(", ")}. Choose one of them.`;
}

const EXAMPLES = 3;

/** The first rows that may be books, as examples of each column; if there are none, the first rows. */
export function exampleRows(rows: readonly TableRow[]): readonly TableRow[] {
  const examples: TableRow[] = [];
  for (const row of rows) {
    const isOther = row.problem !== undefined || row.hidden;
    if (!isOther && row.cells.filter((cell) => cell.trim() !== "").length > 1) examples.push(row);
    if (examples.length === EXAMPLES) break;
  }
  return examples.length > 0 ? examples : rows.slice(0, EXAMPLES);
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
