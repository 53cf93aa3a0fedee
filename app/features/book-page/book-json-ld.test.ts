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

/** Google's required properties of a merchant listing or product snippet and of a book, and schema.org's of the types inside. */
const REQUIRED: Record<string, string[]> = {
  Product: ["name", "image", "offers"],
  Book: ["name", "url", "author"],
  Offer: ["price", "priceCurrency", "availability", "url"],
  AggregateRating: ["ratingValue", "reviewCount", "bestRating", "worstRating"],
  Person: ["name"],
  Organization: ["name"],
  Brand: ["name"],
};

/** What is missing, as `Type.property`, anywhere inside. */
function missing(thing: unknown): string[] {
  if (typeof thing !== "object" || thing === null) return [];
  const fields = thing as Record<string, unknown>;
  const types = [fields["@type"] ?? []].flat() as string[];
  const own = types.flatMap((type) => {
    const required = REQUIRED[type];
    if (!required) return [`unknown type ${type}`];
    return required.filter((name) => !fields[name]).map((name) => `${type}.${name}`);
  });
  return [...own, ...Object.values(fields).flatMap(missing)];
}

test("A title without an ISBN or author is a Product, not a Book, and has no empty properties", () => {
  expect(bookJsonLd(bare, { url, imageUrl: "https://shop.example/cover.jpg" })).toEqual({
    "@context": "https://schema.org",
    "@type": "Product",
    name: "Science 5",
    url,
    image: "https://shop.example/cover.jpg",
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

test("an article with the shop's own code isn't marked up as a book, nor its code as an ISBN", () => {
  const chalk = bookJsonLd({ ...bare, title: "Chalk", isbn: "STA-0001" }, { url, imageUrl: "/chalk.jpg" });
  expect(chalk["@type"]).toBe("Product");
  expect(chalk).not.toHaveProperty("isbn");
});

test("Each author of a book is a Person, and a team of writers is an Organization", () => {
  const of = (authors: string) => bookJsonLd({ ...bare, authors }, { url, imageUrl: "/cover.jpg" });
  expect(of("Ama Mensah, Kofi Owusu")).toMatchObject({
    "@type": ["Product", "Book"],
    author: [
      { "@type": "Person", name: "Ama Mensah" },
      { "@type": "Person", name: "Kofi Owusu" },
    ],
  });
  expect(of("The CGP writing team").author).toEqual({
    "@type": "Organization",
    name: "The CGP writing team",
  });
});

test("A book with details names authors, publisher, ISBN, level and rating", () => {
  const book = {
    ...bare,
    authors: "Ama Ata Aidoo",
    publisher: "Collins",
    isbn: "9780008135364",
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
  expect(
    bookJsonLd({ ...book, isbn: "000813536X" }, { url, imageUrl: "https://shop.example/cover.jpg" }),
  ).toMatchObject({
    isbn: "000813536X",
  });
  expect(
    bookJsonLd({ ...book, isbn: "000813536X" }, { url, imageUrl: "https://shop.example/cover.jpg" }),
  ).not.toHaveProperty("gtin13");
});

test("A book with a cover, authors and reviews has every property that Google and schema.org require; each missing one is found", () => {
  const book = {
    ...bare,
    authors: "Ama Ata Aidoo",
    publisher: "Collins",
    average_rating: 4.5,
    review_count: 2,
  };
  const whole = bookJsonLd(book, { url, imageUrl: "https://shop.example/cover.jpg" });
  expect(missing(whole)).toEqual([]);
  expect(whole).toMatchObject({
    "@type": ["Product", "Book"],
    offers: { price: expect.stringMatching(/^\d+\.\d{2}$/), priceCurrency: "GHS" },
  });
  for (const [type, names] of Object.entries(REQUIRED))
    for (const name of names) expect(missing(without(whole, type, name)), `${type}.${name}`).not.toEqual([]);
});

/** A copy without this property in any node of this type. */
function without(thing: unknown, type: string, name: string): unknown {
  if (typeof thing !== "object" || thing === null || Array.isArray(thing)) return thing;
  const fields = thing as Record<string, unknown>;
  const isOfType = [fields["@type"]].flat().includes(type);
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([key]) => !(isOfType && key === name))
      .map(([key, value]) => [key, without(value, type, name)]),
  );
}

const schemaOf = (changes: Partial<WholeBook>) =>
  bookJsonLd({ ...bare, ...changes }, { url, imageUrl: "/cover.jpg" });

test("a digital title of files is an EBook, without shipping details", () => {
  const ebook = schemaOf({ kind: "digital", digital_by: "file", authors: "Ama Ata Aidoo" });
  expect(ebook).toMatchObject({
    "@type": ["Product", "Book"],
    bookFormat: "https://schema.org/EBook",
    author: { "@type": "Person", name: "Ama Ata Aidoo" },
  });
  expect(JSON.stringify(ebook)).not.toMatch(/shipping|delivery/i);
});

test("a licence code is no EBook, and a printed book has no format", () => {
  expect(schemaOf({ kind: "digital", digital_by: "code" })["@type"]).toBe("Product");
  for (const changes of [{ digital_by: "code", kind: "digital" }, { isbn: "9780008135364" }])
    expect(schemaOf(changes)).not.toHaveProperty("bookFormat");
});

test("stationery is a Product without a book's fields, and its barcode is not an ISBN", () => {
  const stationery = schemaOf({
    kind: "stationery",
    isbn: "6001234567890",
    authors: "Nobody",
    publisher: "Bic",
    edition: "2nd",
    grade_level: "JHS 1",
    age_range: "9",
    subject: "Writing",
  });
  expect(stationery).toMatchObject({
    "@type": "Product",
    gtin13: "6001234567890",
    brand: { "@type": "Brand", name: "Bic" },
  });
  for (const name of [
    "isbn",
    "author",
    "publisher",
    "bookEdition",
    "educationalLevel",
    "about",
    "bookFormat",
  ])
    expect(stationery, name).not.toHaveProperty(name);
});
