import type { CardBook } from "#app/features/books/book-fields.ts";
import type { BackendClient } from "#app/lib/backend/client.ts";
import { unwrap } from "#app/lib/backend/response.ts";
import type { Json } from "#shared/calls/database.types.ts";
import { inPesewas } from "#shared/text/money.ts";
import type {
  AddedLine,
  Booklist,
  BooklistLine,
  CartProblem,
  FoundBooklist,
  MatchedLine,
} from "./booklist.ts";

/** A book in JSON as the database's private.book_card makes it: its price is in cedis. */
type StoredBook = Omit<CardBook, "price"> & { price: number };

const cardBook = (book: StoredBook): CardBook => inPesewas(book, "price");

type StoredLine = Omit<BooklistLine, "book" | "other" | "newer"> & {
  book: StoredBook | null;
  other?: StoredBook | null;
  newer?: StoredBook | null;
};

/** A list's lines from the JSON in which the database returns them. */
export function booklistLines(json: Json): BooklistLine[] {
  return (json as unknown as StoredLine[]).map(({ book, other, newer, ...line }) => ({
    ...line,
    book: book && cardBook(book),
    ...(other && { other: cardBook(other) }),
    ...(newer && { newer: cardBook(newer) }),
  }));
}

/**
 * The published list with this code, however it is typed; null for drafts, withdrawn lists and unknown codes alike.
 * @throws BackendFailure
 */
export async function findBooklist(client: BackendClient, code: string): Promise<Booklist | null> {
  const [list] = unwrap(await client.rpc("find_booklist", { _code: code }));
  return list ? { ...list, lines: booklistLines(list.lines) } : null;
}

/**
 * Published and listed lists whose school or class matches a text of at least 3 characters; at most 100.
 * @throws BackendFailure
 */
export async function searchBooklists(client: BackendClient, q: string): Promise<FoundBooklist[]> {
  return unwrap(await client.rpc("search_booklists", { _q: q }));
}

type BooklistRequest = {
  code: string;
  lineIds: readonly string[];
  /** How many children the list is for, 1 to 999. */
  children: number;
  /** A repeated call with the same id adds nothing and returns the same result. */
  requestId: string;
};

/**
 * Puts lines of a published list into the caller's cart, as many copies as the cart allows.
 * @returns one entry for each line that is on the list, with any copies that could not be added, and why
 * @throws BackendFailure, `booklist_not_found` when the list is no longer published
 */
export async function addBooklistToCart(
  client: BackendClient,
  { code, lineIds, children, requestId }: BooklistRequest,
): Promise<AddedLine[]> {
  const lines = unwrap(
    await client.rpc("add_booklist_to_cart", {
      _code: code,
      _line_ids: [...lineIds],
      _children: children,
      _request_id: requestId,
    }),
  );
  return lines.map((line) => ({ ...line, problem: line.problem as CartProblem | null }));
}

/** Longer than what the database compares, in UTF-16 code units. */
const LONGEST_TEXT = 1_000;
/** The size of a call; the data API accepts 128 kB. */
const MAX_BYTES = 100_000;

const cut = (text: string) => text.slice(0, LONGEST_TEXT).toWellFormed();

/** A text to look up for a bulk order's line; if no book matches it, `line` is counted as missing. */
export type NamedText = { text: string; line: string };

/**
 * The books matching ISBNs, shop codes or whole titles, in the same order; at most 500 texts. Very long ones take several calls.
 * @throws BackendFailure
 */
export async function matchBookLines(
  client: BackendClient,
  texts: readonly (string | NamedText)[],
): Promise<MatchedLine[]> {
  const sent = texts.map((given) =>
    typeof given === "string" ? cut(given) : { text: cut(given.text), line: cut(given.line) },
  );
  if (sent.length > 1 && new Blob([JSON.stringify(sent)]).size > MAX_BYTES) {
    const half = sent.length >> 1;
    const first = await matchBookLines(client, sent.slice(0, half));
    const others = await matchBookLines(client, sent.slice(half));
    return [...first, ...others.map((match) => ({ ...match, line: match.line + half }))];
  }
  const lines = unwrap(await client.rpc("match_book_lines", { _lines: sent }));
  return lines.map(({ books, ...line }) => ({
    ...line,
    books: (books as unknown as StoredBook[]).map(cardBook),
  }));
}
