import type { KnownColumn } from "#app/office/catalogue/book-import/book-import-columns.ts";
import type { SavedTable } from "#shared/tables/table-file.ts";

/** The columns read from a file of booklists, which has one row per book with the list that it belongs to. */
const columns = [
  {
    name: "school",
    label: "School",
    headings: "school schoolname nameofschool institution institutionname schools",
  },
  {
    name: "class_name",
    label: "Class",
    headings: "class classname grade gradelevel level form yeargroup stage classlevel classes",
  },
  {
    name: "school_year",
    label: "School year",
    headings: "schoolyear academicyear year session academicsession",
  },
  {
    name: "isbn",
    label: "ISBN",
    headings: "isbn isbn13 isbnno isbnnumber isbncode ean ean13 barcode isbn10",
  },
  {
    name: "title",
    label: "Title, or a mix of ISBNs and titles",
    headings:
      "title isbnortitle titleorisbn isbntitle booktitle titleofbook bookname nameofbook book item description books",
  },
  {
    name: "copies",
    label: "Copies per pupil",
    headings:
      "copies copiesperpupil quantity qty quantityperpupil copiesperchild number numberofcopies qtyperpupil",
  },
  {
    name: "required",
    label: "Required",
    headings: "required compulsory mandatory requiredoroptional status",
  },
  { name: "note", label: "Note", headings: "note notes remark remarks comment comments" },
  { name: "position", label: "Position", headings: "position order no sn sno serialno place" },
] as const;

export type ListColumn = (typeof columns)[number]["name"];

/** With their labels on the page. */
export const listColumns: readonly (KnownColumn<ListColumn> & { label: string })[] = columns;

/** A message saying which column is missing before rows can be read, or null when none is. */
export function missingListColumn(choices: readonly (ListColumn | null)[]): string | null {
  const needed = columns.filter(({ name }) => ["school", "class_name", "school_year"].includes(name));
  const missing = needed.find(({ name }) => !choices.includes(name));
  if (missing) return `Say which column is the ${missing.label.toLowerCase()}.`;
  if (choices.includes("isbn") || choices.includes("title")) return null;
  return "Say which column is the ISBN or the title.";
}

const lists = ["Example School", "JHS 1", "2026/2027"];

/** A template to fill in, with two example rows. */
export const listTemplate: SavedTable = {
  name: "booklists",
  headings: ["School", "Class", "School year", "ISBN", "Title", "Copies", "Required", "Note", "Position"],
  rows: [
    [...lists, "978-0-306-40615-7", "", 1, "yes", "", 1],
    [...lists, "", "A 30 cm ruler", 1, "no", "From any shop", 2],
  ],
};
