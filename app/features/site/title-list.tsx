import { Link } from "react-router";
import { buttonClass } from "#app/components/button.tsx";
import type { CardBook } from "#app/features/books/book.ts";
import { BookCard, BookGrid } from "#app/features/books/book-card.tsx";
import type { BuiltInTitle } from "#app/features/publishers/built-in-titles.ts";
import { publisherShopPath } from "#app/features/publishers/publisher.ts";

type TitleListProps = { publisher: string; titles: readonly BuiltInTitle[] };

/** A publisher's fixed list. Every way into it leads to the publisher's books in the shop. */
export function TitleList({ publisher, titles }: TitleListProps) {
  const shopPath = publisherShopPath(publisher);
  return (
    <BookGrid label={`Titles by ${publisher}`}>
      {titles.map((title, position) => (
        <li key={title.title} className="row-span-5 grid grid-rows-subgrid pb-10">
          <BookCard
            book={bookFrom(publisher, title)}
            priority={position < 4}
            to={shopPath}
            stockNote="In Stock"
            action={<TitleActions title={title.title} shopPath={shopPath} />}
          />
        </li>
      ))}
    </BookGrid>
  );
}

function TitleActions({ title, shopPath }: { title: string; shopPath: string }) {
  return (
    <div className="relative grid grid-cols-2 gap-2">
      <Link to={shopPath} className={buttonClass({ variant: "secondary", className: "max-sm:px-2" })}>
        Details<span className="sr-only"> of {title}</span>
      </Link>
      <Link to={shopPath} className={buttonClass({ className: "max-sm:px-2" })}>
        Add<span className="sr-only"> {title}</span>
      </Link>
    </div>
  );
}

/** The title as a book for its card: what a fixed list does not know stays empty. */
function bookFrom(publisher: string, { title, priceCedis, rating, level, subject }: BuiltInTitle): CardBook {
  return {
    id: title,
    title,
    publisher,
    price: priceCedis,
    stock_quantity: 1,
    average_rating: rating,
    grade_level: level,
    subject,
    isbn: null,
    image_url: null,
    course: null,
    edition: null,
    review_count: 0,
  };
}
