import { type BookField, bookFields } from "#app/features/books/book-fields.ts";
import { withoutCurrencies } from "#shared/text/currencies.ts";

/**
 * Which column of a supplier's table holds what. Columns go by their heading; case, spaces, punctuation and order do
 * not count, and the usual other words are understood.
 */

/**
 * What a column may be taken for: 'id', 'seen_stock' and 'marks' are the shop's own, from an export; 'currency' names that of the row's
 * price; 'availability' says, like the status, whether it can be had; 'imprint' is what customers may know the publisher as; 'subtitle' stands
 * behind the title; 'authors_inverted' has surnames first.
 */
export type BookImportColumn =
  | BookField
  | "id"
  | "seen_stock"
  | "marks"
  | "currency"
  | "availability"
  | "imprint"
  | "subtitle"
  | "authors_inverted";

/** A column and the headings that mean it, as `compactHeading` writes them; of several in a table the earliest is read. */
export type KnownColumn<Name extends string = string> = { name: Name; headings: string };

/** Those of ONIX messages that were saved as a table, of price lists and of invoices; the shop's pages, which know the fields too, need none of them. */
const listHeadings: Partial<Record<BookField, string[]>> = {
  title: ["titletext"],
  authors: ["personname"],
  publisher: ["imprintname"],
  isbn: ["idvalue"],
  price: ["priceamount", "rate", "unitrate"],
  sale_state: ["publishingstatus", "pubstatus", "publicationstatus", "status"],
  available_on: [
    "publicationdate pubdate publishingdate publisheddate publishdate dateofpublication datepublished",
    "releasedate onsaledate expecteddate expectedon expected",
  ],
};

/** What is read of a table of books. */
export const bookImportColumns: readonly KnownColumn<BookImportColumn>[] = [
  { name: "id", headings: "id bookid" },
  { name: "seen_stock", headings: "stockatexport" },
  { name: "marks", headings: "asexported" },
  {
    name: "currency",
    headings:
      "currencycode currency pricecurrency rrpcurrency pricecurrencycode currencyofprice cur ccy curr priceccy pricecur",
  },
  { name: "availability", headings: "productavailability availability availabilitycode availabilitystatus" },
  ...bookFields.map(({ name, headings }) => ({
    name,
    headings: [headings, ...(listHeadings[name] ?? [])].join(" "),
  })),
  // Behind the publisher, which it is where a table has no other.
  { name: "imprint", headings: "imprint imprintname" },
  { name: "subtitle", headings: "subtitle booksubtitle" },
  { name: "authors_inverted", headings: "personnameinverted" },
];

/** How many columns of a table are known by these headings: many in a line of headings, hardly any elsewhere. */
export function countColumns(cells: readonly string[], known: readonly KnownColumn[]): number {
  return Object.keys(mapColumns(cells, known).columns).length;
}

export interface ColumnMapping<Name extends string> {
  /** For each column that is read, its index in a row, from 0. */
  columns: Partial<Record<Name, number>>;
  /** Headings of columns that are not read, as written in the table. */
  ignored: string[];
  /** How many cells a row has. */
  width: number;
}

export type BookImportMapping = ColumnMapping<BookImportColumn>;

/** Finds the columns of a table of books by its headings. */
export function mapBookImportColumns(cells: readonly string[]): BookImportMapping {
  return mapColumns(cells, bookImportColumns);
}

/** Finds the known columns of a table by its headings. */
export function mapColumns<Name extends string>(
  cells: readonly string[],
  known: readonly KnownColumn<Name>[],
): ColumnMapping<Name> {
  const found = cells.map(compactHeading);
  const columns: ColumnMapping<Name>["columns"] = {};
  const used = new Set<number>();
  for (const { name, headings } of known) {
    for (const heading of headings.split(" ")) {
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

/** The headings that count: a column that is hidden in a workbook is not proposed. */
export function shownHeadings(cells: readonly string[], hidden: readonly number[] = []): string[] {
  return cells.map((cell, place) => (hidden.includes(place) ? "" : cell));
}

/** Columns that may all be the same, of which one has to be chosen. */
export type DoubleColumns<Name extends string> = { name: Name; places: readonly number[] };

/**
 * Columns of a table of books that mean the same: those with the same heading, and those that may be the price. Other headings for one thing
 * have an order of their own, such as ISBN-13 before ISBN-10.
 */
export function findDoubleColumns(
  cells: readonly string[],
  { columns }: Pick<BookImportMapping, "columns">,
): DoubleColumns<BookImportColumn>[] {
  const found = cells.map(compactHeading);
  return bookImportColumns.flatMap(({ name, headings }) => {
    const chosen = columns[name];
    if (chosen === undefined) return [];
    const meant = name === "price" ? headings.split(" ") : [found[chosen]];
    const places = [...found.keys()].filter((place) => meant.includes(found[place] ?? ""));
    return places.length > 1 ? [{ name, places }] : [];
  });
}

/** What separates the cells: the one of comma, semicolon and tab that the table's first line has most of. */
export function detectDelimiter(firstLine: string): "," | ";" | "\t" {
  const bare = firstLine.replace(/"[^"]*"/g, "");
  const count = (sign: string) => bare.split(sign).length;
  if (count("\t") > count(",") && count("\t") > count(";")) return "\t";
  return count(";") > count(",") ? ";" : ",";
}

/** Letters and digits only, without the currency: 'Unit Price (GH₵)' → 'unitprice', 'Author(s)' → 'authors', 'GBP' → 'amount'. */
function compactHeading(cell: string): string {
  const bare = withoutCurrencies(cell);
  const compact = bare
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "")
    .replace(/(?<=price|rrp|amount)(?:in)?(?:gh[sc]?|ghana)?(?:cedis?)?(?:(?:incl?|excl?)?vat)?$/, "");
  return compact === "" && bare !== cell ? "amount" : compact;
}
