import { expect, test } from "vitest";
import { pesewasFromCedis } from "#shared/text/money.ts";
import { packed, whole } from "./home-book.ts";

const plain = {
  id: "a",
  title: "Atlas",
  publisher: null,
  price: pesewasFromCedis(45),
  stock_quantity: 0,
  course: null,
  subject: "Geography",
  grade_level: null,
  kind: "book",
  digital_by: null,
  image_url: null,
  average_rating: null,
  review_count: 0,
  authors: null,
  isbn: null,
  edition: null,
} as const;

test("carries of a book on the home page only what is not usual, and shows all of it", () => {
  const rated = {
    ...plain,
    kind: "digital",
    digital_by: "file",
    average_rating: 4.5,
    review_count: 2,
  } as const;
  for (const book of [plain, rated]) expect(whole(packed(book))).toEqual(book);
  expect(Object.keys(packed(plain))).toEqual(
    expect.arrayContaining(["id", "publisher", "stock_quantity", "course"]),
  );
  expect(packed(plain)).not.toHaveProperty("kind");
  expect(packed(rated)).toMatchObject({ kind: "digital", review_count: 2 });
});
