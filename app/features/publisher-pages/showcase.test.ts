import { expect, test } from "vitest";
import { showcaseOf } from "./showcase.ts";

const listed = (title: string) => ({
  title,
  price: 185.5,
  rating: 4.5,
  level: "Primary 4",
  subject: "Science",
});

test("a listed title has the price, rating and level of the list, and claims stock only for a book in stock", () => {
  const showcase = showcaseOf(
    "Adom",
    [listed("Light"), listed("Sound"), listed("Heat")],
    [
      { place: 1, book_id: "1", title: "Light!", in_stock: true },
      { place: 3, book_id: "3", title: "Heat", in_stock: false },
    ],
  );
  expect(showcase.map(({ path, inStock }) => [path, inStock])).toEqual([
    ["/books/1/light", true],
    [null, false],
    ["/books/3/heat", false],
  ]);
  expect(showcase[1]?.book).toMatchObject({
    title: "Sound",
    publisher: "Adom",
    price: 18_550,
    average_rating: 4.5,
    grade_level: "Primary 4",
    subject: "Science",
  });
});
