import {
  type BookImportColumn,
  type BookImportMapping,
  bookImportFields,
  mapBookImportColumns,
} from "#app/features/books/book-import-columns.ts";

/** What each column of an uploaded table is taken for, place by place; null is left out. */
export type ColumnChoices = readonly (BookImportColumn | null)[];

/** What a column can be taken for, as the page calls it. */
export const COLUMN_NAMES: Readonly<Record<BookImportColumn, string>> = {
  title: "Title",
  publisher: "Publisher",
  isbn: "ISBN",
  price: "Price",
  stock_quantity: "Stock",
  course: "Course",
  subject: "Subject",
  grade_level: "Grade level",
  age_range: "Age range",
  curriculum_type: "Curriculum type",
  edition: "Edition",
  description: "Description",
  image_url: "Image address",
  authors: "Authors (into the description)",
};

export const IMPORT_COLUMNS: readonly BookImportColumn[] = [...bookImportFields, "authors"];

/** The choices that the headings suggest. */
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

/** What is missing before rows can be read, in words; null when nothing is. */
export function missingColumn(choices: ColumnChoices): string | null {
  if (choices.includes("title") || choices.includes("isbn")) return null;
  return "Say which column is the title or the ISBN. New books need a title; books of the shop are found by their ISBN.";
}
