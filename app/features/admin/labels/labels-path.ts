/** The page that prints labels for a receipt, a book, or a search and a publisher. */
export const labelsPath = (query: Record<string, string>): string =>
  `/admin/stock/labels?${new URLSearchParams(Object.entries(query).filter(([, value]) => value !== ""))}`;
