import { createElement, type ReactNode } from "react";
import { renderToString } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { expect, test } from "vitest";
import type { CardBook } from "#app/features/books/book-fields.ts";
import { createSharedParts, SharedParts } from "#app/lib/pages/shared-parts.ts";
import type { Pesewas } from "#shared/text/money.ts";
import { ShopBookCard } from "./book-card.tsx";

const book: CardBook = {
  id: "3f0a2d8e-55a0-4b43-9a55-0d8a5b1c1f10",
  title: "Number & <Shape> – Grade 4",
  authors: "Ama Mensah",
  publisher: "Own press",
  course: "Primary",
  subject: "Mathematics",
  grade_level: "Grade 4",
  edition: null,
  isbn: null,
  image_url: null,
  price: 4_550,
  stock_quantity: 3,
  average_rating: 4.5,
  review_count: 2,
} as CardBook;

function pageWith(cards: ReactNode): string {
  const Page = createRoutesStub([{ id: "root", path: "/", Component: () => cards }]);
  return renderToString(createElement(Page));
}

const cards = (books: { book: CardBook; priority?: boolean; level?: 3 }[]) => (
  <ul>
    {books.map((props) => (
      <ShopBookCard key={JSON.stringify(props)} {...props} />
    ))}
  </ul>
);

const startPage = createSharedParts();

/** A page of the server, which decodes each byte as one character. */
function renderShared(content: ReactNode): { html: string; rendered: number } {
  const { find, fill } = startPage();
  const shared = pageWith(<SharedParts value={{ find, frame: null }}>{content}</SharedParts>);
  const bytes = fill(Buffer.from(shared).toString("latin1")).join("");
  return { html: Buffer.from(bytes, "latin1").toString(), rendered: shared.match(/<h\d/g)?.length ?? 0 };
}

test("a card that is reused from an earlier page is the card that would have been rendered", () => {
  const sold = { ...book, stock_quantity: 0 };
  const page = cards([
    { book },
    { book: sold },
    { book, level: 3 },
    { book: { ...book, price: 100 as Pesewas } },
  ]);
  const html = pageWith(page);
  expect(html).toContain("₵45.50");
  expect(renderShared(page)).toEqual({ html, rendered: 4 });
  expect(renderShared(page)).toEqual({ html, rendered: 0 });
});

test("a drawn cover is reused also where pictures would be eager, a picture is not", () => {
  renderShared(cards([{ book }]));
  expect(renderShared(cards([{ book, priority: true }])).rendered).toBe(0);
  const pictured = { ...book, image_url: "https://pictures.example/one.jpg" };
  renderShared(cards([{ book: pictured }]));
  const eager = cards([{ book: pictured, priority: true }]);
  expect(renderShared(eager)).toEqual({ html: pageWith(eager), rendered: 1 });
});

test("an uploaded cover names its widths and the place's, waits below the fold, and goes first in the first row", () => {
  const uploaded = { ...book, image_url: "/storage/v1/object/public/book-covers/a.jpg" };
  const imageOf = (priority: boolean) =>
    /<img [^>]*>/.exec(pageWith(cards([{ book: uploaded, priority }])))?.[0] ?? "";
  for (const priority of [true, false]) {
    const image = imageOf(priority);
    expect(image).toContain('src="/covers/a.jpg/300.webp"');
    expect(image).toContain(
      'srcSet="/covers/a.jpg/160.webp 160w,/covers/a.jpg/300.webp 300w,/covers/a.jpg/400.webp 400w,/covers/a.jpg/600.webp 600w"',
    );
    expect(image).toContain('sizes="(min-width: 1024px) 240px, (min-width: 640px) 30vw, ');
    expect(image).toContain('width="300" height="400"');
    expect(image).toContain(`loading="${priority ? "eager" : "lazy"}"`);
    expect(image.includes('fetchPriority="high"')).toBe(priority);
  }
});
