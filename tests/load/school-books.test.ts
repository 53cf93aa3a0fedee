import { expect, test } from "vitest";
import { benchPublishers, courses, schoolBooks } from "./school-books.ts";

const books = schoolBooks();
const isbns = books.map(({ isbn }) => isbn).filter((isbn) => isbn !== "");

test("makes the same 10,000 books each time", () => {
  expect(books).toHaveLength(10_000);
  expect(schoolBooks()).toEqual(books);
});

test("gives no two books one title or one ISBN", () => {
  expect(new Set(books.map(({ title }) => title)).size).toBe(books.length);
  expect(new Set(isbns).size).toBe(isbns.length);
});

test("gives most books an ISBN of 13 digits whose check digit is right, and some none", () => {
  const wrong = isbns.filter(
    (isbn) =>
      !/^978\d{10}$/.test(isbn) ||
      [...isbn].reduce((sum, digit, at) => sum + Number(digit) * (at % 2 ? 3 : 1), 0) % 10 !== 0,
  );
  expect(wrong).toEqual([]);
  expect(isbns.length).toBeGreaterThan(9_000);
  expect(isbns.length).toBeLessThan(9_700);
});

test("has words in hundreds of books, in dozens, and thousands of words in three at most", () => {
  const found = new Map<string, number>();
  for (const { title, authors } of books)
    for (const word of new Set(`${title} ${authors}`.toLowerCase().match(/\p{L}{3,}/gu)))
      found.set(word, (found.get(word) ?? 0) + 1);
  const times = [...found.values()];
  const between = (fewest: number, most: number) => times.filter((n) => n >= fewest && n <= most).length;
  expect(between(200, books.length)).toBeGreaterThan(100);
  expect(between(20, 199)).toBeGreaterThan(50);
  expect(between(1, 3)).toBeGreaterThan(1_500);
});

test("has books of every publisher and course among the last thousand by title", () => {
  const last = books
    .toSorted((a, b) => (a.title.toLowerCase() < b.title.toLowerCase() ? -1 : 1))
    .slice(9_000);
  for (const publisher of benchPublishers)
    expect(last.filter((book) => book.publisher === publisher).length).toBeGreaterThan(24);
  for (const course of courses)
    expect(books.filter((book) => book.course === course).length).toBeGreaterThan(1_000);
});
