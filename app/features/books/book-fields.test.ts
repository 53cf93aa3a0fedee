import { expect, test } from "vitest";
import {
  BOOK_COLUMNS,
  bookFieldLabel,
  bookFieldNames,
  CARD_COLUMNS,
  isRequired,
  longestText,
} from "./book-fields.ts";

test("The form requires title, publisher, ISBN and price", () => {
  expect(bookFieldNames.filter(isRequired)).toEqual(["title", "publisher", "isbn", "price"]);
});

test("An amount's label names its currency, and a text has the database's limit", () => {
  expect([bookFieldLabel("price"), bookFieldLabel("grade_level")]).toEqual(["Price (GH₵)", "Grade Level"]);
  expect([longestText("title"), longestText("description")]).toEqual([500, 10_000]);
});

test("The form and the export read every field, a card only those it shows", () => {
  expect(BOOK_COLUMNS.split(",")).toEqual([...bookFieldNames, ""]);
  expect(CARD_COLUMNS).toBe(
    "id,stock_quantity:for_sale,title,authors,publisher,isbn,price,course,subject,grade_level,edition,image_url,kind,digital_by,average_rating,review_count",
  );
});
