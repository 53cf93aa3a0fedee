import { bookIsbn } from "#app/features/books/book.ts";
import { currentShop } from "#app/lib/pages/current-shop.ts";
import { splitAuthors } from "./authors.ts";
import type { WholeBook } from "./book-page.queries.ts";

type Page = { url: string; imageUrl: string };

/** A person, or a publisher's team of writers. */
const author = (name: string) => ({ "@type": /\bteam\b/i.test(name) ? "Organization" : "Person", name });

/** schema.org's formats for books that aren't printed. */
const EBOOK = "https://schema.org/EBook";

/** Only for stationery; a book's 13 digits are its ISBN. */
const barcode = ({ kind, isbn }: WholeBook) =>
  kind === "stationery" && isbn && /^\d{13}$/.test(isbn) ? isbn : null;

const availabilityOf = ({ sale_state, stock_quantity }: WholeBook) => {
  if (sale_state === "coming_soon") return "PreOrder";
  if (stock_quantity < 0) return "Discontinued";
  if (sale_state === "last_copies") return "LimitedAvailability";
  return stock_quantity > 0 ? "InStock" : "OutOfStock";
};

/**
 * The title for search engines, as schema.org's Product with an offer in cedis, and as a Book unless it is stationery:
 * a digital title of files as an EBook, anything else if it has an ISBN or an author. Omits shipping.
 * @param page absolute URLs of the page and of the cover
 */
export function bookJsonLd(book: WholeBook, { url, imageUrl }: Page) {
  const isbn = bookIsbn(book) ?? undefined;
  const { average_rating: average, review_count: reviews } = book;
  const authors = splitAuthors(book.authors ?? "").map(author);
  const isEbook = book.digital_by === "file";
  const isBook = book.kind !== "stationery" && (isEbook || isbn !== undefined || authors.length > 0);
  const fields = {
    "@context": "https://schema.org",
    "@type": isBook ? ["Product", "Book"] : "Product",
    name: book.title,
    url,
    image: imageUrl,
    description: book.description,
    isbn,
    gtin13: isbn?.length === 13 ? isbn : barcode(book),
    bookFormat: isEbook ? EBOOK : null,
    author: isBook && (authors.length > 1 ? authors : authors[0]),
    publisher: book.kind !== "stationery" &&
      book.publisher && { "@type": "Organization", name: book.publisher },
    brand: book.publisher && { "@type": "Brand", name: book.publisher },
    bookEdition: isBook && book.edition,
    ...(book.kind !== "stationery" && {
      educationalLevel: book.grade_level,
      typicalAgeRange: book.age_range,
      about: book.subject,
    }),
    aggregateRating: average &&
      reviews && {
        "@type": "AggregateRating",
        ratingValue: average,
        reviewCount: reviews,
        bestRating: 5,
        worstRating: 1,
      },
    offers: {
      "@type": "Offer",
      url,
      price: (book.price / 100).toFixed(2),
      priceCurrency: "GHS",
      availability: `https://schema.org/${availabilityOf(book)}`,
      ...(book.sale_state === "coming_soon" &&
        book.available_on && { availabilityStarts: book.available_on }),
      itemCondition: "https://schema.org/NewCondition",
      seller: { "@type": "Organization", name: currentShop().name },
    },
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value));
}
