/** A line below the search box. */
export type Suggestion = { text: string; note: string; to: string };

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
