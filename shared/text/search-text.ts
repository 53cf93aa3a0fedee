/** The longest search text, in code points, as in the database's private.search_books_query. */
export const SEARCH_LENGTH = 200;

/** How the books of a search are sorted: by title, or the best match first. */
export type SearchOrder = "title" | "best";

/** Trims search text and cuts it to the database's limit; without lone surrogates and null characters, which no text may hold. */
export function cutSearchText(text: string): string {
  return [...text.toWellFormed().replaceAll("\0", "").trim()].slice(0, SEARCH_LENGTH).join("").trim();
}
