import { Link } from "react-router";
import { buttonClass } from "#app/components/button.tsx";
import { BookCard, BookGrid } from "#app/features/catalogue/book-card.tsx";
import { publisherShopPath } from "#app/features/publishers/publisher.ts";
import type { Showcase, ShowcaseTitle } from "./showcase.ts";

type TitleListProps = { publisher: string; titles: Showcase };

/**
 * A publisher's listed titles. Their cards lead to the publisher's books in the shop, and the title of a book that the
 * shop sells to its page.
 */
export function TitleList({ publisher, titles }: TitleListProps) {
  const shopPath = publisherShopPath(publisher);
  const byId = new Map(titles.map((title) => [title.book.id, title]));
  return (
    <BookGrid
      label={`Titles by ${publisher}`}
      books={titles.map(({ book }) => book)}
      cardOf={(book, priority) => {
        const { path, inStock } = byId.get(book.id) as ShowcaseTitle;
        return (
          <BookCard
            book={book}
            priority={priority}
            to={path ?? shopPath}
            titleOnly={path !== null}
            stockNote={inStock ? "In Stock" : undefined}
            action={<TitleActions title={book.title} shopPath={shopPath} isCard={path !== null} />}
          />
        );
      }}
    />
  );
}

/** @param isCard whether a press anywhere on the card is one on Details */
function TitleActions({ title, shopPath, isCard }: { title: string; shopPath: string; isCard: boolean }) {
  return (
    <div className={isCard ? "grid gap-2" : "relative grid gap-2"}>
      <Link to={shopPath} className={buttonClass({ className: isCard ? "relative z-1" : "" })}>
        Add<span className="sr-only"> {title}</span>
      </Link>
      <Link
        to={shopPath}
        className={buttonClass({
          variant: "secondary",
          className: isCard ? "after:absolute after:inset-0" : "",
        })}
      >
        Details<span className="sr-only"> of {title}</span>
      </Link>
    </div>
  );
}
