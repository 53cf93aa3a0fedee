import { Link } from "react-router";
import { buttonClass } from "#app/components/button.tsx";
import type { CardBook } from "#app/features/books/book-fields.ts";
import { BookCard, BookGrid } from "#app/features/catalogue/book-card.tsx";
import type { BuiltInTitle } from "#app/features/publishers/built-in-titles.ts";
import { publisherShopPath } from "#app/features/publishers/publisher.ts";

type TitleListProps = { publisher: string; titles: readonly BuiltInTitle[] };

/** A publisher's fixed list. Every link in it leads to the publisher's books in the shop. */
export function TitleList({ publisher, titles }: TitleListProps) {
  const shopPath = publisherShopPath(publisher);
  return (
    <BookGrid
      label={`Titles by ${publisher}`}
      books={titles.map((title) => bookFrom(publisher, title))}
      cardOf={(book, priority) => (
        <BookCard
          book={book}
          priority={priority}
          to={shopPath}
          stockNote="In Stock"
          action={<TitleActions title={book.title} shopPath={shopPath} />}
        />
      )}
    />
  );
}

function TitleActions({ title, shopPath }: { title: string; shopPath: string }) {
  return (
    <div className="relative grid gap-2">
      <Link to={shopPath} className={buttonClass()}>
        Add<span className="sr-only"> {title}</span>
      </Link>
      <Link to={shopPath} className={buttonClass({ variant: "secondary" })}>
        Details<span className="sr-only"> of {title}</span>
      </Link>
    </div>
  );
}

/** The title as a book for its card; fields that the list does not have are null. */
function bookFrom(publisher: string, { title, price, rating, level, subject }: BuiltInTitle): CardBook {
  return {
    id: title,
    title,
    publisher,
    price,
    stock_quantity: 1,
    average_rating: rating,
    grade_level: level,
    subject,
    authors: null,
    isbn: null,
    image_url: null,
    course: null,
    edition: null,
    review_count: 0,
  };
}
