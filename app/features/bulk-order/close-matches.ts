import type { CardBook } from "#app/features/books/book-fields.ts";
import { findNearBooks, listCatalogueBooks } from "#app/features/catalogue/catalogue.queries.ts";
import { readCatalogueQuery } from "#app/features/catalogue/catalogue-query.ts";
import { getBackend } from "#app/features/session/backend.ts";

/** How many unknown lines are searched for automatically; the others link to the search. */
export const MAX_CLOSE_SEARCHES = 20;
const MAX_BOOKS = 6;

/** The last search started. They run one at a time, so that a long list doesn't delay other customers' searches. */
let last: Promise<unknown> = Promise.resolve();

/**
 * The books that a search for the text finds, followed by close matches; at most 6.
 * @throws BackendFailure
 */
export function findCloseMatches(text: string): Promise<CardBook[]> {
  const search = last.then(() => searchShop(text));
  last = search.catch(() => {});
  return search;
}

async function searchShop(text: string): Promise<CardBook[]> {
  const client = await getBackend();
  const query = readCatalogueQuery(new URLSearchParams({ q: text }));
  const books = await listCatalogueBooks(client, query, MAX_BOOKS);
  if (books.length === MAX_BOOKS) return books;
  const near = await findNearBooks(client, query, books.length, MAX_BOOKS - books.length);
  return [...books, ...near.books];
}
