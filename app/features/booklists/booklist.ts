import type { CardBook } from "#app/features/books/book-fields.ts";

/** A list's states, in the order of its life. */
export const BOOKLIST_STATUSES = ["draft", "published", "withdrawn"] as const;
export type BooklistStatus = (typeof BOOKLIST_STATUSES)[number];

export type BooklistLine = {
  id: string;
  /** The book's title when the list was saved, or free text for an item without a book. */
  title: string;
  /** Copies per pupil. */
  copies: number;
  is_required: boolean;
  note: string | null;
  /** Also set when the book has since been deleted. */
  book_id: string | null;
  /** Null where the shop does not sell it. */
  book: CardBook | null;
  /** Another edition that is in stock; only where the book is sold out. */
  other?: CardBook | null;
  /** For staff only: a newer edition that the shop sells. */
  newer?: CardBook;
};

/** A published list as anyone can read it. */
export type Booklist = {
  code: string;
  school: string;
  class_name: string;
  /** '2026/2027' */
  school_year: string;
  introduction: string | null;
  updated_at: string;
  lines: BooklistLine[];
};

/** A list as the search by school finds it. */
export type FoundBooklist = Pick<Booklist, "code" | "school" | "class_name" | "school_year">;

/** Why copies were not added to the cart, or why not all can be ordered. */
export type CartProblem = "not_sold" | "out_of_stock" | "few_left" | "too_many" | "cart_full";

/**
 * The outcome for one line: `wanted` and `added` are copies; `problem` is null when all were added and are in stock.
 */
export type AddedLine = {
  line_id: string;
  book_id: string | null;
  title: string;
  wanted: number;
  added: number;
  problem: CartProblem | null;
};

/** The books that match a typed or pasted text. */
export type MatchedLine = {
  /** Counted from 1. */
  line: number;
  /** How many books match. */
  matches: number;
  /** The first 10 of them. */
  books: CardBook[];
};

/** The most children that a list can be ordered for at a time; the database refuses more. */
export const MAX_CHILDREN = 999;

/** The maximum number of lists that a search returns. */
export const MAX_FOUND = 100;

/** The most texts that one call matches; the database refuses more. */
export const MAX_MATCHED_LINES = 500;

/** A status from the database. */
export function readBooklistStatus(status: string): BooklistStatus {
  return BOOKLIST_STATUSES.find((one) => one === status) ?? "draft";
}
