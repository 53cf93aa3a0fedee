import { expect, test } from "vitest";
import { firstShop } from "#shared/owner/settings.ts";
import { layOut } from "./layout.ts";
import { aboutStockAlert } from "./stock-alert-email.ts";

const siteUrl = "https://shop.example";
const about = (title: string, is_new = false) =>
  aboutStockAlert(
    { is_new, book: { id: "b1", title, publisher: "Collins", price: 45 } } as Parameters<
      typeof aboutStockAlert
    >[0],
    siteUrl,
  );

test("A book that is back is named with its price and its page", () => {
  const { subject, heading, blocks } = about("Atlas");
  expect([
    subject,
    ...layOut({ heading, blocks }, siteUrl, firstShop).text.split("\n\n").slice(0, -1),
  ]).toEqual([
    "Atlas is back in stock",
    "The book you asked for is back",
    "You asked us to email you when this book was back in stock. Stock is limited and we can't hold copies, so please order soon if you still need one.",
    "Atlas (Collins): GH₵45.00",
    `View the book:\n${siteUrl}/books/b1`,
    "This is the only email we'll send you about this book, unless you ask again.",
  ]);
});

test("A title of more than 80 characters is cut in the subject, not inside a character", () => {
  expect(about("📚".repeat(80)).subject).toBe(`${"📚".repeat(80)} is back in stock`);
  expect(about("📚".repeat(81)).subject).toBe(`${"📚".repeat(79)}… is back in stock`);
});

test("says of a book that nobody could order before that it is here", () => {
  const { subject, heading } = about("Atlas", true);
  expect([subject, heading]).toEqual(["Atlas is in stock", "The book you asked for is here"]);
});
