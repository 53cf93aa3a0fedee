import { bookIsbn } from "#app/features/books/book.ts";
import { bookFieldLabel } from "#app/features/books/book-fields.ts";
import { digitalName } from "#app/features/books/kinds.ts";
import { catalogueHref } from "#app/features/catalogue/catalogue-query.ts";
import type { WholeBook } from "./book-page.queries.ts";

/** A line of a book's details; `to` links to similar books. */
export type Fact = { label: string; value: string; to?: string; isIsbn?: true };

const names = [
  "digital_by",
  "course",
  "subject",
  "grade_level",
  "age_range",
  "curriculum_type",
  "edition",
] as const;

/**
 * A book's known details, in the order of its page. Made on the server, so that visitors need not download the list
 * of fields.
 */
export function factsOf(book: WholeBook): Fact[] {
  const isbn = bookIsbn(book);
  const facts = names.flatMap((name): Fact[] => {
    const value = name === "digital_by" ? digitalName(book) : book[name];
    if (!value || (name === "edition" && book.kind === "stationery")) return [];
    const to = name === "course" || name === "subject" ? catalogueHref({ [name]: value }) : undefined;
    return [{ label: bookFieldLabel(name), value, to }];
  });
  return isbn ? [...facts, { label: bookFieldLabel("isbn"), value: isbn, isIsbn: true }] : facts;
}
