import { expect, test } from "vitest";
import { bookJsonLd } from "./book-json-ld.ts";
import type { WholeBook } from "./book-page.queries.ts";

const bare = {
  id: "1b",
  title: "Science 5",
  authors: null,
  publisher: null,
  isbn: null,
  price: 4_550,
  stock_quantity: 0,
  course: null,
  subject: null,
  grade_level: null,
  age_range: null,
  curriculum_type: null,
  edition: null,
  description: null,
  image_url: null,
  average_rating: null,
  review_count: 0,
} as WholeBook;

const url = "https://shop.example/books/1b/science-5";

test("A book without details has what schema.org requires of a product, and nothing empty", () => {
  expect(bookJsonLd(bare, { url, imageUrl: null })).toEqual({
    "@context": "https://schema.org",
    "@type": ["Product", "Book"],
    name: "Science 5",
    url,
    offers: {
      "@type": "Offer",
      url,
      price: "45.50",
      priceCurrency: "GHS",
      availability: "https://schema.org/OutOfStock",
      itemCondition: "https://schema.org/NewCondition",
      seller: { "@type": "Organization", name: "Adwene Books" },
    },
  });
});

test("A book with details names authors, publisher, ISBN, level and rating", () => {
  const book = {
    ...bare,
    authors: "Ama Ata Aidoo",
    publisher: "Collins",
    isbn: "978-0-00-813536-4",
    stock_quantity: 3,
    subject: "Science",
    grade_level: "Stage 5",
    age_range: "9 to 10",
    edition: "2nd",
    description: "Plants and forces.",
    average_rating: 4.5,
    review_count: 2,
  } as WholeBook;
  expect(bookJsonLd(book, { url, imageUrl: "https://shop.example/cover.jpg" })).toMatchObject({
    image: "https://shop.example/cover.jpg",
    description: "Plants and forces.",
    isbn: "9780008135364",
    gtin13: "9780008135364",
    author: { "@type": "Person", name: "Ama Ata Aidoo" },
    publisher: { "@type": "Organization", name: "Collins" },
    brand: { "@type": "Brand", name: "Collins" },
    bookEdition: "2nd",
    educationalLevel: "Stage 5",
    typicalAgeRange: "9 to 10",
    about: "Science",
    aggregateRating: { "@type": "AggregateRating", ratingValue: 4.5, reviewCount: 2 },
    offers: { availability: "https://schema.org/InStock" },
  });
  expect(bookJsonLd({ ...book, isbn: "0-00-813536-X" }, { url, imageUrl: null })).toMatchObject({
    isbn: "000813536X",
  });
  expect(bookJsonLd({ ...book, isbn: "0-00-813536-X" }, { url, imageUrl: null })).not.toHaveProperty(
    "gtin13",
  );
});
