/**
 * What is said where customers can't order any copies, as the database counts them in books.for_sale: 0, -1 of a title that is coming soon, -2
 * of one that is not for sale.
 */
export const unavailableWords = (left: number): string =>
  left === 0 ? "Out of stock" : left === -1 ? "Coming soon" : "No longer available";
