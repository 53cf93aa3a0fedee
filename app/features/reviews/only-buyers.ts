/** Why someone can't review a book; the database says it in the same words. */
export const ONLY_BUYERS = "Only customers who have ordered this book can review it.";
