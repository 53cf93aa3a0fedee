import type { CoverBook } from "#app/features/book-covers/cover.ts";
import type { Pesewas } from "#shared/text/money.ts";

/** A line below the search box. A book has its price and, beside its title and publisher, what its cover needs. */
export type Suggestion = {
  /** A book's title, or the name of a publisher or subject. */
  text: string;
  /** A book's publisher, "" without one. */
  note: string;
  to: string;
  price?: Pesewas;
  cover?: Omit<CoverBook, "title" | "publisher">;
};

/** Shorter texts match too many words. */
const SHORTEST = 2;
/** As in the database's suggest_books. */
const LONGEST = 60;

/**
 * The URL of the suggestions for a typed text; null when the text is too short. Texts with the same letters have the
 * same URL, which is cached.
 */
export function suggestionsPath(typed: string): string | null {
  const characters = [...typed.toWellFormed().replaceAll("\0", "").trim().replace(/\s+/g, " ").toLowerCase()];
  if (characters.length < SHORTEST) return null;
  return `/suggestions?q=${encodeURIComponent(characters.slice(0, LONGEST).join(""))}`;
}
