/** What a visitor types, and the titles they most likely mean, which should come first. */
export type Judged = { q: string; books: string[] };

/** Shares of 1, over all queries. */
export type SearchQuality = {
  /** Queries with a right title among the first. */
  found: number;
  /** The share of right titles among the first `places`, out of as many as there are or as fit. */
  recall: (positions: number) => number;
  /** One divided by the position of the first right title. */
  meanReciprocalRank: number;
};

/** How well the titles shown match the judged ones; queries are in the same order. */
export function rateSearches(
  queries: readonly Judged[],
  shown: readonly string[][],
  first: number,
): SearchQuality {
  const mean = (value: (books: readonly string[], titles: readonly string[]) => number) =>
    queries.reduce((sum, { books }, at) => sum + value(books, shown[at] ?? []), 0) / queries.length;
  return {
    found: mean((books, titles) => Number(titles.slice(0, first).some((title) => books.includes(title)))),
    recall: (positions) =>
      mean((books, titles) => {
        const right = new Set(titles.slice(0, positions).filter((title) => books.includes(title)));
        return right.size / Math.min(new Set(books).size, positions);
      }),
    meanReciprocalRank: mean((books, titles) => {
      const index = titles.findIndex((title) => books.includes(title));
      return index < 0 ? 0 : 1 / (index + 1);
    }),
  };
}
