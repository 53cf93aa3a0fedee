/** Rows that one import takes; more would keep the database busy for too long. */
export const MOST_ROWS = 20_000;
