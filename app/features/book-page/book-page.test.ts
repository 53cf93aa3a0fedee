import { expect, onTestFinished, test } from "vitest";
import type { BackendClient } from "#app/lib/backend/client.ts";
import { provideShop } from "#app/lib/pages/current-shop.ts";
import { firstShop } from "#shared/owner/settings.ts";
import { pesewasFromCedis } from "#shared/text/money.ts";
import { findBook } from "./book-page.queries.ts";
import { describeBook, readBookPage } from "./book-page.ts";

const book = { title: "Atlas", authors: null, publisher: "Collins", price: pesewasFromCedis(45.5) };

test.each([
  [null, "Atlas, Collins, GH₵45.50."],
  ["Maps of\n all  continents.", "Maps of all continents."],
  ["x".repeat(200), "x".repeat(200)],
  [`${"word ".repeat(60)}`, `${"word ".repeat(40).trim()} …`],
  ["x".repeat(5_000), `${"x".repeat(200)} …`],
  ["📚".repeat(5_000), `${"📚".repeat(100)} …`],
  [`x${"📚".repeat(5_000)}`, `x${"📚".repeat(99)} …`],
])("describes a book to search engines in 200 characters or so: %j", (description, words) => {
  expect(describeBook({ ...book, description })).toBe(words);
});

const stored = {
  id: "11111111-1111-4111-8111-111111111111",
  title: "Atlas",
  price: 45.5,
  stock_quantity: 5,
  for_sale: 3,
  sale_state: "on_sale",
  available_on: null,
  newer_isbn: null,
  publisher: "Collins",
  authors: null,
  isbn: "9780306406157",
  image_url: "/storage/v1/object/public/book-covers/a.jpg",
  course: "Geography",
  subject: "Humanities",
  grade_level: "JHS 1",
  age_range: "",
  edition: null,
  description: "Maps.\n \nOf all\ncontinents.\n\n \n\n",
  average_rating: 4.5,
  review_count: 2,
};

/** A backend that returns these books, and records its requests. */
function answering(books: object[], related: object[] = []) {
  const requests: unknown[] = [];
  const answer = (data: unknown) => Promise.resolve({ data, error: null });
  const answers: Record<string, unknown> = {
    count_book_ratings: [{ rating: 5, reviews: 2 }],
    is_on_its_way: true,
    list_book_reviews: [
      { id: "r", rating: 5, review_text: "Good", reader: "Ama", created_at: "2026-11-20T08:05:00Z" },
    ],
  };
  const client = {
    from: () => ({ select: () => ({ eq: (...by: unknown[]) => requests.push(by) && answer(books) }) }),
    rpc: (name: string, values: unknown) => {
      requests.push([name, values]);
      return Object.assign(answer(answers[name]), { select: () => answer(related) });
    },
  };
  return { requests, client: client as unknown as BackendClient };
}

const origins = { siteUrl: "https://shop.example", backendUrl: "" };

async function readPage(client: BackendClient) {
  const found = await findBook(client, stored.id);
  return found && readBookPage(client, found, origins);
}

test("a book's page shows the book, its details, its reviews and related books", async () => {
  const related = [
    { ...stored, id: "same course" },
    { ...stored, id: "other course", course: "Maths" },
    { ...stored, id: "no course", course: null },
  ];
  const { client, requests } = answering([stored], related);
  const page = await readPage(client);
  expect(requests).toEqual([
    ["id", stored.id],
    ...["list_related_books", "count_book_ratings", "list_book_reviews"].map((name) => [
      name,
      { _book_id: stored.id },
    ]),
  ]);
  const { description: _, for_sale, sale_state, available_on, newer_isbn, ...shown } = stored;
  expect(page?.book).toEqual({ ...shown, price: 4_550, stock_quantity: 3 });
  const path = page?.head.path ?? "";
  expect(page?.head).toEqual({
    title: "Atlas",
    description: "Maps. Of all continents. ",
    path: expect.stringContaining(stored.id),
    imageUrl: "https://shop.example/covers/a.jpg/600.jpg",
  });
  expect(page?.jsonLd).toMatchObject({ url: `https://shop.example${path}`, image: page?.head.imageUrl });
  expect(page?.facts).toEqual([
    { label: "Course", value: "Geography", to: "/shop?course=Geography" },
    { label: "Subject", value: "Humanities", to: "/shop?subject=Humanities" },
    { label: "Grade Level", value: "JHS 1", to: undefined },
    { label: "ISBN", value: "9780306406157", isIsbn: true },
  ]);
  expect(page?.paragraphs).toEqual(["Maps.", "Of all\ncontinents."]);
  expect(page?.isOnItsWay).toBe(false);
  expect(page?.ratings).toEqual([{ rating: 5, reviews: 2 }]);
  expect(page?.reviews).toEqual([
    { id: "r", rating: 5, review_text: "Good", reader: "Ama", day: "20 Nov 2026" },
  ]);
  expect(page?.ofCourse.map(({ id }) => id)).toEqual(["same course"]);
  expect(page?.ofPublisher.map(({ id }) => id)).toEqual(["other course", "no course"]);
});

test("reads the reviews of a book only if it has some", async () => {
  const { client, requests } = answering([{ ...stored, average_rating: null, review_count: 0 }]);
  const page = await readPage(client);
  expect([page?.ratings, page?.reviews]).toEqual([[], []]);
  expect(requests).toEqual([
    ["id", stored.id],
    ["list_related_books", { _book_id: stored.id }],
  ]);
});

test("more copies are looked for only where the shop tells its customers", async () => {
  provideShop(() => ({ shop: { ...firstShop, moreOnTheWay: true }, json: "" }));
  onTestFinished(() => provideShop(() => ({ shop: firstShop, json: "" })));
  const { client, requests } = answering([stored]);
  expect((await readPage(client))?.isOnItsWay).toBe(true);
  expect(requests).toContainEqual(["is_on_its_way", { _book_id: stored.id }]);
});

test("a book without course, cover, description and ISBN has a page too; an unknown one has none", async () => {
  const bare = {
    ...stored,
    course: null,
    subject: null,
    grade_level: null,
    isbn: null,
    image_url: null,
    description: null,
  };
  const { client } = answering([bare], [{ ...bare, id: "other" }]);
  const page = await readPage(client);
  expect([page?.facts, page?.paragraphs, page?.ofCourse]).toEqual([[], [], []]);
  expect(page?.ofPublisher).toHaveLength(1);
  expect(await readPage(answering([]).client)).toBeNull();
});

test.each([
  [{ title: "Atlas", subject: "Further Mathematics", publisher: "Collins" }, /\/links\/1a5f46-\w+\.png$/],
  [{ title: "Atlas", subject: null, publisher: "Collins" }, /\/links\/7c3a2a-\w+\.png$/],
  [{ title: "Atlas", subject: null, publisher: null }, /\/links\/46514a-\w+\.png$/],
  [{ title: "School Atlas for West Africa", subject: "Geography" }, /\/school-atlas-[\w-]+-600\.jpg$/],
])(
  "the link preview of a book without an uploaded cover shows its built-in cover or its colours: %j",
  async (of, file) => {
    const { client } = answering([{ ...stored, image_url: null, ...of }]);
    const page = await readPage(client);
    expect(page?.head.imageUrl).toMatch(/^https:\/\/shop\.example\/pictures\//);
    expect(page?.head.imageUrl).toMatch(file);
    expect(page?.jsonLd).toMatchObject({ image: page?.head.imageUrl });
  },
);

test("leads to the edition that replaces a book, and asks for one only where the book names it", async () => {
  const newer = { id: "newer", title: "Atlas", edition: "2nd Edition", price: 60 };
  const named = answering([{ ...stored, newer_isbn: "9780140449136" }], [newer]);
  const page = await readPage(named.client);
  expect(page?.newer).toEqual({ ...newer, price: 6_000 });
  expect(page?.book).not.toHaveProperty("newer_isbn");
  expect(named.requests).toContainEqual(["find_newer_edition", { _book_id: stored.id }]);
  expect((await readPage(answering([stored], [newer]).client))?.newer).toBeNull();
});

test.each([
  [
    { sale_state: "coming_soon", available_on: "2027-01", for_sale: -1 },
    "January 2027",
    "PreOrder",
    "2027-01",
  ],
  [{ sale_state: "coming_soon", for_sale: -1 }, null, "PreOrder", undefined],
  [{ sale_state: "not_for_sale", available_on: "2027-01", for_sale: -2 }, null, "Discontinued", undefined],
  [{ sale_state: "last_copies", for_sale: 3 }, null, "LimitedAvailability", undefined],
  [{ sale_state: "last_copies", for_sale: -2 }, null, "Discontinued", undefined],
])(
  "tells customers and search engines what the shop does with %j",
  async (state, comesOn, availability, starts) => {
    const { client } = answering([{ ...stored, ...state }]);
    const page = await readPage(client);
    expect([page?.book.stock_quantity, page?.comesOn]).toEqual([state.for_sale, comesOn]);
    expect(page?.jsonLd).toMatchObject({
      offers: {
        availability: `https://schema.org/${availability}`,
        ...(starts && { availabilityStarts: starts }),
      },
    });
  },
);
