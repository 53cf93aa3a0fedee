import { readFileSync } from "node:fs";
import { parse } from "csv-parse/sync";
import { type BookValues, bookFieldNames } from "#app/features/books/book-fields.ts";
import type { BookKind } from "#app/features/books/kinds.ts";
import type { ListedTitle } from "#app/features/publishers/publisher.ts";
import { pesewasFromCedis } from "#shared/text/money.ts";
import { demoId } from "./demo-id.ts";
import { listedTitles } from "./demo-publishers.ts";

/**
 * The demo catalogue from the CSV files beside this one: one file per publisher in the columns that
 * `npm run import-books` reads too, and one of reviews. Titles of the publisher pages leave price, subject and level
 * empty: those come from the pages' own lists. Titles follow the publishers' real series; their numbers lie in the
 * publishers' ISBN ranges with fitting check digits but are made up, as are prices, stock and reviews.
 */

/** A book as staff would write it; of stationery the ISBN is an internal code or nothing. */
export type DemoBook = BookValues & { id: string };

interface DemoReview {
  id: string;
  book_id: string;
  user_id: string;
  rating: number;
  review_text: string | null;
  /** A day of the calendar, 2025-03-21. */
  written_on: string;
}

interface DemoReviewer {
  id: string;
  full_name: string;
  email: string;
}

export interface DemoCatalogue {
  books: DemoBook[];
  reviewers: DemoReviewer[];
  reviews: DemoReview[];
}

const demoBookFiles = [
  "cambridge.csv",
  "collins.csv",
  "cgp.csv",
  "hachette.csv",
  "schofield-and-sims.csv",
  "skoldo.csv",
  "stationery.csv",
] as const;

/**
 * Reads the demo catalogue from its files.
 * @throws Error naming the file's row when a review names no book, or a row without a price no page's title
 */
export function readDemoCatalogue(): DemoCatalogue {
  const books = demoBookFiles.flatMap((file) =>
    readRows(file).map((row) => demoBook(row, file === "stationery.csv" ? "stationery" : "book")),
  );
  const bookIds = new Map(books.map((book) => [nameOf(book), book.id]));
  const reviewers = new Map<string, DemoReviewer>();
  const reviews = readRows("reviews.csv").map((row): DemoReview => {
    const name = row.reviewer ?? "";
    const reviewer = reviewers.get(name) ?? demoReviewer(name);
    reviewers.set(name, reviewer);
    const bookId = bookIds.get(nameOf(row));
    if (bookId === undefined) throw new Error(`reviews.csv names an unknown book: ${nameOf(row)}`);
    return {
      id: demoId("review", bookId, reviewer.id),
      book_id: bookId,
      user_id: reviewer.id,
      rating: Number(row.rating),
      review_text: row.review_text || null,
      written_on: row.written_on ?? "",
    };
  });
  return { books, reviewers: [...reviewers.values()], reviews };
}

function demoBook(row: Row, kind: BookKind): DemoBook {
  const title = row.title ?? "";
  const publisher = row.publisher ?? "";
  const texts = Object.fromEntries(
    bookFieldNames.map((name) => [name, row[name] || null]),
  ) as unknown as BookValues;
  const listed = row.price ? null : listedTitle(publisher, title);
  return {
    ...texts,
    kind,
    sale_state: "on_sale",
    id: demoId("book", publisher, title, row.edition ?? ""),
    stock_quantity: Number(row.stock_quantity),
    price: pesewasFromCedis(listed?.price ?? Number(row.price)),
    ...(listed && { subject: listed.subject, grade_level: listed.level }),
  };
}

function listedTitle(publisher: string, title: string): ListedTitle {
  const lists: Record<string, readonly ListedTitle[]> = listedTitles;
  const found = lists[publisher]?.find((one) => one.title === title);
  if (found === undefined) throw new Error(`no price, and not a title of the publisher's page: ${title}`);
  return found;
}

function demoReviewer(fullName: string): DemoReviewer {
  return {
    id: demoId("reviewer", fullName),
    full_name: fullName,
    // A domain that no mail ever reaches (RFC 2606).
    email: `${fullName.toLowerCase().replaceAll(" ", ".")}@reviewers.example`,
  };
}

type Row = Record<string, string>;

/** The rows of a CSV file beside this one, by the headings of its columns. */
export function readRows(file: string): Row[] {
  return parse(readFileSync(new URL(file, import.meta.url)), { columns: true, bom: true });
}

function nameOf(row: { title?: string; publisher?: string }): string {
  return `${row.title} (${row.publisher})`;
}
