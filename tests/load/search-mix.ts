import { benchPublishers, type SchoolBook } from "./school-books.ts";

/** A search's attributes. */
export type MixedSearch = { q: string; publisher?: string; max_price?: number };

/** How many of each kind; 300 in all. */
const shares = { common: 60, middling: 30, rare: 90, absent: 30, isbn: 40, pair: 50 };

const wordsOf = (text: string) => text.toLowerCase().match(/\p{L}{3,}/gu) ?? [];

/** So many of a list, evenly spread over it. */
const spread = <Item>(list: Item[], count: number): Item[] =>
  Array.from({ length: count }, (_, at) => list[Math.floor((at * list.length) / count)] as Item);

/**
 * The mix of 300 searches that the figures of `npm run bench` are about, made of the books themselves and always the same: words of
 * titles and authors that are in at least 200 books, in 20 to 199, in three at most; such words backwards, which are in none; ISBNs
 * with and without hyphens; two words as they follow each other in a title. Each fifth search has a publisher besides, each
 * seventh a price.
 */
export function searchMix(books: SchoolBook[]): MixedSearch[] {
  const found = new Map<string, number>();
  for (const { title, authors } of books)
    for (const word of new Set(wordsOf(`${title} ${authors}`))) found.set(word, (found.get(word) ?? 0) + 1);
  const words = [...found].sort(([a, often], [b, seldom]) => seldom - often || (a < b ? -1 : 1));
  const between = (fewest: number, most: number) =>
    words.filter(([, times]) => times >= fewest && times <= most).map(([word]) => word);
  const backwards = between(1, 3)
    .map((word) => [...word].reverse().join(""))
    .filter((word) => !words.some(([used]) => used.includes(word)));
  const isbns = books.map(({ isbn }) => isbn).filter((isbn) => isbn !== "");
  const pairs = books.flatMap(({ title }) => /\p{L}{3,} \p{L}{3,}/u.exec(title)?.[0] ?? []);
  const texts = [
    ...spread(between(200, books.length), shares.common),
    ...spread(between(20, 199), shares.middling),
    ...spread(between(1, 3), shares.rare),
    ...spread(backwards, shares.absent),
    ...spread(isbns, shares.isbn).map((isbn, at) =>
      at % 2 ? isbn.replace(/^(...)(.)(...)(.{5})/, "$1-$2-$3-$4-") : isbn,
    ),
    ...spread(pairs, shares.pair),
  ];
  return texts.map((q, at) => ({
    q,
    ...(at % 5 === 0 ? { publisher: benchPublishers[at % benchPublishers.length] as string } : {}),
    ...(at % 7 === 0 ? { max_price: 100 } : {}),
  }));
}

/** A text of which no book has a word, or one that is spelt alike: another for each number. */
export const absentText = (number: number): string =>
  `qxzj${[...number.toString(4).padStart(8, "0")].map((digit) => "qxzj"[Number(digit)]).join("")}`;
