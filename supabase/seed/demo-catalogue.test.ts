import { describe, expect, it } from "vitest";
import { isIsbn13 } from "#app/features/books/isbn.ts";
import { pesewasFromCedis } from "#shared/text/money.ts";
import { type DemoBook, readDemoCatalogue } from "./demo-catalogue.ts";
import { demoPublishers, listedTitles } from "./demo-publishers.ts";

const { books, reviewers, reviews } = readDemoCatalogue();
const publisherNames: readonly string[] = demoPublishers.map((publisher) => publisher.name);
const isStationery = (book: DemoBook) => !publisherNames.includes(book.publisher);

describe("the demo catalogue", () => {
  it("has at least 220 books and stationery items, enough of each publisher", () => {
    expect(books.length).toBeGreaterThanOrEqual(220);
    const atLeast = {
      "Cambridge University Press": 60,
      Collins: 30,
      CGP: 30,
      "Hachette Learning": 25,
      "Schofield & Sims": 25,
      Skoldo: 15,
    };
    for (const [publisher, count] of Object.entries(atLeast)) {
      expect(books.filter((book) => book.publisher === publisher).length, publisher).toBeGreaterThanOrEqual(
        count,
      );
    }
    expect(books.filter(isStationery).length).toBeGreaterThanOrEqual(20);
    for (const book of books) expect(book.kind, book.title).toBe(isStationery(book) ? "stationery" : "book");
  });

  it("names no title twice with the same publisher and edition, and no ISBN twice", () => {
    const names = books.map((book) => [book.title, book.publisher, book.edition].join("|").toLowerCase());
    expect(names.filter((name, place) => names.indexOf(name) !== place)).toEqual([]);
    const isbns = books.map((book) => book.isbn).filter((isbn) => isbn !== null);
    expect(isbns.filter((isbn, place) => isbns.indexOf(isbn) !== place)).toEqual([]);
    expect(new Set(books.map((book) => book.id)).size).toBe(books.length);
  });

  it("gives each book an ISBN-13 with the right check digit, and stationery an internal code or none", () => {
    for (const book of books) {
      if (isStationery(book)) expect(book.isbn ?? "STA-0000", book.title).toMatch(/^STA-\d{4}$/);
      else expect(isIsbn13(book.isbn ?? ""), `${book.title}: ${book.isbn}`).toBe(true);
    }
  });

  it("keeps prices from 45 to 800 cedis in whole pesewas, some of them not round", () => {
    for (const { title, price } of books) {
      expect(price, title).toBeGreaterThanOrEqual(4_500);
      expect(price, title).toBeLessThanOrEqual(80_000);
    }
    expect(books.filter((book) => book.price % 100 !== 0).length).toBeGreaterThan(20);
  });

  it("has about ten books low in stock and about six sold out, plenty of the rest", () => {
    for (const { title, stock_quantity } of books) {
      expect(Number.isInteger(stock_quantity) && stock_quantity >= 0 && stock_quantity <= 120, title).toBe(
        true,
      );
    }
    const low = books.filter((book) => book.stock_quantity > 0 && book.stock_quantity < 10);
    const soldOut = books.filter((book) => book.stock_quantity === 0);
    expect(low.length).toBeGreaterThanOrEqual(8);
    expect(low.length).toBeLessThanOrEqual(16);
    expect(soldOut.length).toBeGreaterThanOrEqual(5);
    expect(soldOut.length).toBeLessThanOrEqual(9);
  });

  it.each([
    "mathematics",
    "english",
    "science",
    "physics",
    "chemistry",
    "biology",
    "history",
    "geography",
    "business",
    "economics",
    "computer",
    "french",
  ])("has at least four books whose subject is %s", (subject) => {
    const found = books.filter((book) => new RegExp(`\\b${subject}\\b`, "i").test(book.subject ?? ""));
    expect(found.length).toBeGreaterThanOrEqual(4);
  });

  it("fills the three sections of the Cambridge page with at least eight books each", () => {
    const cambridge = books.filter((book) => book.publisher === "Cambridge University Press");
    for (const section of [/primary/i, /igcse/i, /a level/i]) {
      const found = cambridge.filter((book) => section.test(`${book.grade_level} ${book.course}`));
      expect(found.length, String(section)).toBeGreaterThanOrEqual(8);
    }
    for (const stage of ["KS1", "KS2"]) {
      expect(
        cambridge.some((book) => book.grade_level === stage),
        stage,
      ).toBe(true);
    }
  });

  it("ranges from the early years to A level and the IB", () => {
    const levels = books.map((book) => book.grade_level);
    for (const level of ["Early Years", "KS1", "KS2", "KS3", "IGCSE", "GCSE", "A Level", "IB Diploma"]) {
      expect(levels, level).toContain(level);
    }
  });

  it("has every title of the publisher pages, with the page's price, subject and level", () => {
    for (const [publisher, list] of Object.entries(listedTitles)) {
      for (const { title, price, subject, level } of list) {
        expect(
          books.find((book) => book.publisher === publisher && book.title === title),
          title,
        ).toMatchObject({ price: pesewasFromCedis(price), subject, grade_level: level });
      }
    }
  });

  it("carries reviews that give each title of the publisher pages the rating printed there", () => {
    for (const [publisher, list] of Object.entries(listedTitles)) {
      for (const { title, rating } of list) {
        const book = books.find((one) => one.publisher === publisher && one.title === title);
        const ratings = reviews
          .filter((review) => review.book_id === book?.id)
          .map((review) => review.rating);
        const average = ratings.reduce((sum, one) => sum + one, 0) / ratings.length;
        expect(average, title).toBe(rating);
      }
    }
  });

  it("has about sixty reviewed books, at most one review per reviewer and book, a few without text", () => {
    const reviewed = new Set(reviews.map((review) => review.book_id));
    expect(reviewed.size).toBeGreaterThanOrEqual(55);
    expect(reviewed.size).toBeLessThanOrEqual(75);
    expect(new Set(reviews.map((review) => review.id)).size).toBe(reviews.length);
    expect(reviewers.length).toBeGreaterThanOrEqual(15);
    for (const { rating, written_on } of reviews) {
      expect([1, 2, 3, 4, 5]).toContain(rating);
      expect(written_on).toMatch(/^202[56]-\d\d-\d\d$/);
    }
    const wordless = reviews.filter((review) => review.review_text === null).length;
    expect(wordless).toBeGreaterThan(0);
    expect(wordless).toBeLessThan(reviews.length / 5);
  });

  it("has no empty or untrimmed text, and no repeated description", () => {
    for (const record of [...books, ...reviews, ...reviewers]) {
      for (const [field, value] of Object.entries(record)) {
        if (typeof value !== "string") continue;
        expect(value, `${record.id} ${field}`).toBe(value.trim());
        expect(value, `${record.id} ${field}`).not.toBe("");
      }
    }
    const descriptions = books.map((book) => book.description ?? "");
    expect(new Set(descriptions).size).toBe(descriptions.length);
    for (const text of descriptions) expect(text.length, text).toBeGreaterThan(30);
  });

  it("is the same each time it is read", () => {
    expect(readDemoCatalogue()).toEqual({ books, reviewers, reviews });
  });
});
