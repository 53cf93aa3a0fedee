/**
 * Which column of a supplier's table holds what. Columns go by their heading; case, spaces, punctuation and order do
 * not count, and the usual other words are understood.
 */

export const bookImportFields = [
  "title",
  "publisher",
  "isbn",
  "price",
  "stock_quantity",
  "course",
  "subject",
  "grade_level",
  "age_range",
  "curriculum_type",
  "edition",
  "description",
  "image_url",
] as const;

export type BookImportField = (typeof bookImportFields)[number];

/** What a column may be taken for; 'authors' has no field of its own and goes in front of the description. */
export type BookImportColumn = BookImportField | "authors";

/** Headings as `compactHeading` writes them. Where a table has several for one field, the earliest here is read. */
const headings: Record<BookImportColumn, readonly string[]> = {
  title: ["title", "booktitle", "bookname", "productname", "product", "name", "book"],
  publisher: ["publisher", "publishername", "publisherbrand", "imprint", "brand"],
  isbn: ["isbn13", "isbn", "isbnean", "ean13", "ean", "barcode", "isbn10"],
  price: ["price", "priceghs", "pricegh", "pricecedis", "sellingprice", "retailprice", "unitprice", "rrp"],
  stock_quantity: ["stockquantity", "stock", "quantity", "qty", "quantityinstock", "instock", "copies"],
  course: ["course", "series", "programme"],
  subject: ["subject", "category"],
  grade_level: ["gradelevel", "grade", "level", "class", "yeargroup", "stage"],
  age_range: ["agerange", "ages", "age"],
  curriculum_type: ["curriculumtype", "curriculum"],
  edition: ["edition"],
  description: ["description", "blurb", "summary", "about", "details"],
  image_url: ["imageurl", "image", "coverurl", "coverimage"],
  authors: ["authors", "author", "writtenby", "by"],
};

export interface BookImportMapping {
  /** For each column that is read, its place in a row, counted from 0. */
  columns: Partial<Record<BookImportColumn, number>>;
  /** Headings that nothing is read from, as they stand in the table. */
  ignored: string[];
  /** How many cells a row has. */
  width: number;
}

/** Finds the columns of a table by its headings. */
export function mapBookImportColumns(cells: readonly string[]): BookImportMapping {
  const found = cells.map(compactHeading);
  const columns: BookImportMapping["columns"] = {};
  const used = new Set<number>();
  for (const [column, names] of Object.entries(headings) as [BookImportColumn, readonly string[]][]) {
    for (const name of names) {
      const place = found.indexOf(name);
      if (place === -1 || used.has(place)) continue;
      columns[column] = place;
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

function compactHeading(cell: string): string {
  return cell
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "");
}
