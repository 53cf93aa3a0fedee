import { MAX_ROWS_AT_ONCE } from "#app/office/catalogue/book-import/book-import.queries.ts";

/** Those of an import, rows above the headings, and theirs. */
export const MOST_ROWS = MAX_ROWS_AT_ONCE + 20;

/** Of a packed message, whose rows are all in memory; a usual one of that many rows has a quarter. */
export const MOST_UNPACKED = 500 * 1024 * 1024;
