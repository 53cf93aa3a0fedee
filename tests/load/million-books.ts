import { benchPublishers, numbers, type SchoolBook, withCheckDigit } from "./school-books.ts";

/** A generated book; a price in cedis, a time as PostgreSQL reads it. */
export type GeneratedBook = {
  title: string;
  authors: string;
  publisher: string | null;
  isbn: string;
  description: string | null;
  price: string;
  stock_quantity: number;
  course: string;
  subject: string;
  grade_level: string;
  average_rating: string | null;
  review_count: number;
  created_at: string;
};

const subjects =
  "Reading,English,Mathematics,Science,Physics,Chemistry,Biology,History,Geography,Economics,Art,Music,French,Computing".split(
    ",",
  );
const courses =
  "Cambridge Primary,Cambridge IGCSE,Cambridge A Level,Primary,JHS,SHS,IB Diploma,General".split(",");
const grades = [1, 2, 3, 4, 5, 6].flatMap((n) => [`Primary ${n}`, n < 4 ? `JHS ${n}` : `SHS ${n - 3}`]);
const FIRST_DAY = Date.UTC(2021, 0, 1);
const SECONDS_BETWEEN = 150;

/**
 * This many books: first the listed ones, then others made of their words. A title begins as one of theirs and ends as another, so words
 * are as frequent as in the list; half of the books are from 8 publishers, the others from 400; one in 40 has no publisher, one in
 * five is out of stock, one in ten has been rated.
 */
export function* generateBooks(count: number, listed: readonly SchoolBook[]): Generator<GeneratedBook> {
  const next = numbers(42);
  const pick = <Item>(list: readonly Item[]): Item => list[next(list.length)] as Item;
  const titles = listed.map(({ title }) => title.replace(/ \(.*/, "").split(" "));
  const surnames = [...new Set(listed.map(({ authors }) => /\S+$/.exec(authors)?.[0] ?? "Accra"))].slice(
    0,
    400,
  );
  for (let at = 0; at < count; at += 1) {
    const [start, end, about] = [pick(titles), pick(titles), pick(titles)];
    const made = [...start.slice(0, Math.ceil(start.length / 2)), ...end.slice(Math.floor(end.length / 2))];
    const title = `${made.join(" ")}${next(4) ? "" : ` (Book ${1 + next(12)})`}`;
    const own = listed[at];
    const publisher = next(2) ? pick(benchPublishers) : `${pick(surnames)} Publishing`;
    yield {
      title: own?.title ?? title,
      authors: own?.authors ?? pick(listed).authors,
      publisher: next(40) ? publisher : null,
      isbn: own?.isbn || withCheckDigit(`979${String(at).padStart(9, "0")}`),
      description: next(4) ? `${about.join(" ")}, and what it says of ${pick(titles).join(" ")}.` : null,
      price: (20 + next(60_000) / 100).toFixed(2),
      stock_quantity: next(5) ? 1 + next(200) : 0,
      course: pick(courses),
      subject: pick(subjects),
      grade_level: pick(grades),
      ...(next(10)
        ? { average_rating: null, review_count: 0 }
        : { average_rating: (1 + next(401) / 100).toFixed(2), review_count: 1 + next(30) }),
      created_at: new Date(FIRST_DAY + at * SECONDS_BETWEEN * 1000).toISOString(),
    };
  }
}
