import { MAX_ROWS_AT_ONCE } from "#app/office/catalogue/book-import/book-import.queries.ts";

/** Those of an import, rows above the headings, and theirs. */
export const MOST_ROWS = MAX_ROWS_AT_ONCE + 20;
