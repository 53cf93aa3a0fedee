import type { CardBook } from "#app/features/books/book-fields.ts";

/** What most books on the home page have, or none: left out of the page, which carries each of them several times. */
const usual = {
  kind: "book",
  digital_by: null,
  image_url: null,
  average_rating: null,
  review_count: 0,
  authors: null,
  isbn: null,
  edition: null,
} as const satisfies Partial<CardBook>;

type Usual = keyof typeof usual;
export type HomeBook = Omit<CardBook, Usual> & Partial<Pick<CardBook, Usual>>;

/** A book as the page carries it. */
export const packed = (book: HomeBook): HomeBook =>
  Object.fromEntries(
    Object.entries(book).filter(([name, value]) => !(name in usual) || value !== usual[name as Usual]),
  ) as HomeBook;

/** The same as a card shows it. */
export const whole = (book: HomeBook): CardBook => ({ ...usual, ...book });
