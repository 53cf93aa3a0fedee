import { BOOK_KINDS, type BookKind } from "./kinds.ts";

/** Names of kinds for staff, in their own file so that visitors don't download them. */
export const kindNames: Readonly<Record<BookKind, string>> = {
  book: "Book",
  digital: "Digital",
  stationery: "Stationery",
};

/** How a digital title reaches its customer. */
export const DIGITAL_BY = ["file", "code"] as const;

export type DigitalBy = (typeof DIGITAL_BY)[number];

export const digitalByNames: Readonly<Record<DigitalBy, string>> = {
  file: "Files",
  code: "Licence codes",
};

/** Reads a kind from the database; an unknown one counts as a book. */
export const readKind = (kind: string): BookKind => BOOK_KINDS.find((known) => known === kind) ?? "book";
