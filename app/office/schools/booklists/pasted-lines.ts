import type { MatchedLine } from "#app/features/booklists/booklist.ts";
import type { CardBook } from "#app/features/books/book-fields.ts";
import { type DraftLine, MAX_COPIES } from "./booklist-draft.ts";

/** A line of a pasted column: an ISBN, a code or a title, and how many copies each pupil needs. */
export type PastedLine = { text: string; copies: number };

/**
 * Reads lines as people type them and spreadsheets paste them: '9781108615310 <tab> 2', 'Atlas; 1', 'STA-0001'. The
 * last cell is the number of copies when it is a whole number of at most three digits; without one it is 1.
 */
export function readPastedLines(pasted: string): PastedLine[] {
  return pasted.split(/\r\n?|\n/).flatMap((row) => {
    const [, text = "", copies = "1"] = /^(.*?)(?:[\t;,]\s*(\d{1,3})\s*[\t;,]*)?$/.exec(row.trim()) ?? [];
    // Of an ISBN, a title and a number, the ISBN is the most specific.
    const [first = ""] = text.split(/[\t;]/).filter((cell) => cell.trim() !== "");
    return first.trim() === ""
      ? []
      : [{ text: first.trim(), copies: Math.min(Math.max(Number(copies), 1), MAX_COPIES) }];
  });
}

type Pasted = PastedLine & { place: number };

/** The outcome for each pasted line; `place` counts from 1. */
export type PasteOutcome = {
  matched: (Pasted & { book: CardBook })[];
  /** Several books match: staff choose one. */
  ambiguous: (Pasted & { books: CardBook[] })[];
  unknown: Pasted[];
  /** The book is already on the list, or earlier in the paste. */
  repeated: (Pasted & { book: CardBook })[];
};

/** Sorts pasted lines by how they matched. `matches` are in the lines' order. */
export function sortPaste(
  pasted: readonly PastedLine[],
  matches: readonly MatchedLine[],
  lines: readonly Pick<DraftLine, "book_id">[],
): PasteOutcome {
  const outcome: PasteOutcome = { matched: [], ambiguous: [], unknown: [], repeated: [] };
  const existing = new Set(lines.map(({ book_id }) => book_id));
  for (const [at, line] of pasted.entries()) {
    const books = matches[at]?.books ?? [];
    const [book] = books;
    const placed = { ...line, place: at + 1 };
    if (!book) outcome.unknown.push(placed);
    else if (books.length > 1) outcome.ambiguous.push({ ...placed, books });
    else if (existing.has(book.id)) outcome.repeated.push({ ...placed, book });
    else {
      existing.add(book.id);
      outcome.matched.push({ ...placed, book });
    }
  }
  return outcome;
}
