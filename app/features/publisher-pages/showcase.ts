import { bookPath } from "#app/features/books/book-address.ts";
import type { CardBook } from "#app/features/books/book-fields.ts";
import type { TitledBook } from "#app/features/publishers/publisher.queries.ts";
import type { ListedTitle } from "#app/features/publishers/publisher.ts";
import { currentShop } from "#app/lib/pages/current-shop.ts";
import { pesewasFromCedis } from "#shared/text/money.ts";

/** A listed title as a card, with the page of its book in the catalogue; the shop sells it now only if it is in stock. */
export type ShowcaseTitle = { book: CardBook; path: string | null; inStock: boolean };
export type Showcase = ShowcaseTitle[];

/** A publisher's listed titles with what the catalogue says of them. */
export function showcaseOf(
  publisher: string,
  titles: readonly ListedTitle[],
  books: readonly TitledBook[],
): Showcase {
  const byPlace = new Map(books.map((book) => [Number(book.place), book]));
  return titles.map((listed, at) => {
    const found = byPlace.get(at + 1);
    return {
      book: cardOf(publisher, listed, at),
      path: found ? bookPath({ id: found.book_id, title: found.title }) : null,
      inStock: found?.in_stock ?? false,
    };
  });
}

/** The title as a book for its card; fields that the list does not have are null. Its stock is not shown. */
function cardOf(
  publisher: string,
  { title, price, rating, level, subject }: ListedTitle,
  at: number,
): CardBook {
  return {
    id: `${at} ${title}`,
    title,
    publisher,
    price: pesewasFromCedis(price),
    stock_quantity: currentShop().lowStock,
    average_rating: rating,
    grade_level: level,
    subject,
    authors: null,
    isbn: null,
    image_url: null,
    course: null,
    edition: null,
    kind: "book",
    digital_by: null,
    review_count: 0,
  };
}
