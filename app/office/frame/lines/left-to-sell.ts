import { unavailableWords } from "#app/features/books/left-words.ts";

/** '3 in stock', or why a title can't be ordered at all. */
export const leftToSell = (left: number): string =>
  left < 0 ? unavailableWords(left).toLowerCase() : `${left} in stock`;
