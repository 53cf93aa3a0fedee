import { type BookField, bookFields } from "./book-fields.ts";

/**
 * Which column of a supplier's table holds what. Columns go by their heading; case, spaces, punctuation and order do
 * not count, and the usual other words are understood.
 */

/** What a column may be taken for: 'id' is the shop's own, from an export. */
export type BookImportColumn = BookField | "id";

const headings: readonly { name: BookImportColumn; headings: string }[] = [
  { name: "id", headings: "id bookid" },
  ...bookFields,
];

/** How many columns of a table are known by these headings: many in a line of headings, hardly any elsewhere. */
export function countBookImportColumns(cells: readonly string[]): number {
  return Object.keys(mapBookImportColumns(cells).columns).length;
}

export interface BookImportMapping {
  /** For each column that is read, its index in a row, from 0. */
  columns: Partial<Record<BookImportColumn, number>>;
  /** Headings of columns that are not read, as written in the table. */
  ignored: string[];
  /** How many cells a row has. */
  width: number;
}

/** Finds the columns of a table by its headings. */
export function mapBookImportColumns(cells: readonly string[]): BookImportMapping {
  const found = cells.map(compactHeading);
  const columns: BookImportMapping["columns"] = {};
  const used = new Set<number>();
  for (const { name, headings: known } of headings) {
    for (const heading of known.split(" ")) {
      const place = found.indexOf(heading);
      if (place === -1 || used.has(place)) continue;
      columns[name] = place;
      used.add(place);
      break;
    }
  }
  const ignored = cells.filter((cell, place) => !used.has(place) && cell.trim() !== "");
  return { columns, ignored, width: cells.length };
}

/** What separates the cells: the one of comma, semicolon and tab that the table's first line has most of. */
export function detectDelimiter(firstLine: string): "," | ";" | "\t" {
  const bare = firstLine.replace(/"[^"]*"/g, "");
  const count = (sign: string) => bare.split(sign).length;
  if (count("\t") > count(",") && count("\t") > count(";")) return "\t";
  return count(";") > count(",") ? ";" : ",";
}

/** Letters and digits only: 'Unit Price (GH₵)' → 'unitprice', 'Author(s)' → 'authors'. */
function compactHeading(cell: string): string {
  return cell
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "")
    .replace(/(?<=price|rrp|amount)(?:in)?(?:gh[sc]?|ghana)?(?:cedis?)?(?:(?:incl?|excl?)?vat)?$/, "");
}
