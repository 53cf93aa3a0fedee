import { coverFor } from "#app/features/book-covers/cover.ts";
import { coverColours } from "#app/features/book-covers/cover-colours.ts";
import { smallCoverUrl } from "#app/features/book-covers/cover-url.ts";
import { bookPath } from "#app/features/books/book-address.ts";
import type { CardBook } from "#app/features/books/book-fields.ts";
import type { BackendClient } from "#app/lib/backend/client.ts";
import { currentShop } from "#app/lib/pages/current-shop.ts";
import { PREVIEW_SIZE } from "#shared/books/cover-sizes.ts";
import { formatDay } from "#shared/text/dates.ts";
import { formatCedis } from "#shared/text/money.ts";
import { formatOpenDate } from "#shared/text/open-date.ts";
import { factsOf } from "./book-facts.ts";
import { bookJsonLd } from "./book-json-ld.ts";
import {
  findNewerEdition,
  isOnItsWay,
  listRelatedBooks,
  readReviews,
  type WholeBook,
} from "./book-page.queries.ts";
import { linkPictures } from "./link-pictures.ts";

/** The origins of the page and of the covers, without a trailing slash. */
type Origins = { siteUrl: string; backendUrl: string };

/** Everything that a book's page shows. */
export type BookPageData = Awaited<ReturnType<typeof readBookPage>>;

const SHORT = 200;

/**
 * What the page of a book shows beside it is read only once the book is known to be there, under this address.
 * @throws BackendFailure
 */
export async function readBookPage(client: BackendClient, book: WholeBook, { siteUrl, backendUrl }: Origins) {
  const [onItsWay, related, { ratings, reviews }, newer] = await Promise.all([
    currentShop().moreOnTheWay && isOnItsWay(client, book),
    listRelatedBooks(client, book),
    book.review_count > 0 ? readReviews(client, book) : { ratings: [], reviews: [] },
    findNewerEdition(client, book),
  ]);
  const path = bookPath(book);
  const imageUrl = new URL(pictureOf(book, backendUrl), siteUrl).href;
  const isOfCourse = ({ course }: CardBook) => course !== null && course === book.course;
  const { description, sale_state, available_on, newer_isbn, ...shown } = book;
  return {
    book: shown,
    head: { title: book.title, description: describeBook(book), path, imageUrl },
    jsonLd: bookJsonLd(book, { url: siteUrl + path, imageUrl }),
    facts: factsOf(book),
    paragraphs: (description ?? "").split(/\n\s*\n/).filter((text) => text.trim()),
    isOnItsWay: onItsWay,
    comesOn: sale_state === "coming_soon" ? formatOpenDate(available_on) : null,
    newer,
    ratings,
    reviews: reviews.map(({ created_at, ...review }) => ({ ...review, day: formatDay(created_at) })),
    ofCourse: related.filter(isOfCourse),
    ofPublisher: related.filter((one) => !isOfCourse(one)),
  };
}

/** The cover as a file that messengers and search engines accept; a generated one as a cloth pattern in its colours. */
function pictureOf(book: WholeBook, backendUrl: string): string {
  const cover = coverFor(book, backendUrl);
  if (cover.kind === "uploaded") return smallCoverUrl(cover.url, PREVIEW_SIZE) ?? cover.url;
  if (cover.kind === "built-in") return `${cover.cover.file}-600.jpg`;
  return linkPictures[coverColours(book).from] ?? "/link-preview.png";
}

type Described = Pick<WholeBook, "description" | "title" | "authors" | "publisher" | "price">;

/**
 * The beginning of a book's description, up to 200 characters and where possible whole words; without one, what the
 * book is.
 */
export function describeBook({ description, title, authors, publisher, price }: Described): string {
  const text = description?.replace(/\s+/g, " ");
  if (!text) return `${[title, authors, publisher, formatCedis(price)].filter(Boolean).join(", ")}.`;
  if (text.length <= SHORT) return text;
  const space = text.lastIndexOf(" ", SHORT);
  // Not between the two halves of a surrogate pair.
  const beginning = text.slice(0, space > 0 ? space : SHORT).replace(/[\uD800-\uDBFF]$/, "");
  return `${beginning} …`;
}
