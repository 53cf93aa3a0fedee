import { Link } from "react-router";
import { Icon } from "#app/components/icon.tsx";
import { ShopBookCard } from "#app/features/catalogue/book-card.tsx";
import { catalogueHref } from "#app/features/catalogue/catalogue-query.ts";
import { useReplayedLateClicks } from "#app/lib/pages/early-clicks.ts";
import { whole } from "./home-book.ts";
import type { HomeShelf } from "./home-shelves.queries.ts";

const linkClass = "arrow-link";

/** The first shelf on its own, far above the others, so that a visitor sees books and prices soon. */
export function FirstShelf({ shelf }: { shelf: HomeShelf }) {
  useReplayedLateClicks();
  return (
    <section aria-labelledby={shelf.name} className="page scroll-mt-24 pt-10 sm:pt-14" id={shelfId(shelf)}>
      <h2 id={shelf.name} className="mb-4 text-25 sm:text-32">
        {shelf.title}
      </h2>
      <Row shelf={shelf} level={3} />
    </section>
  );
}

/** Books to buy directly from the home page: one row per shelf, swiped on a phone. */
export function HomeShelves({ shelves }: { shelves: readonly HomeShelf[] }) {
  useReplayedLateClicks();
  return (
    <section aria-labelledby="shelves" className="pt-20 pb-20 sm:pt-28 sm:pb-28">
      <div className="page">
        <h2 id="shelves" className="text-32">
          From the shop
        </h2>
        {shelves.map((shelf) => (
          <Shelf key={shelf.name} shelf={shelf} />
        ))}
        <Link to="/shop" className={linkClass}>
          All books and stationery
          <Icon name="arrow-right" />
        </Link>
      </div>
    </section>
  );
}

const shelfId = ({ name }: HomeShelf) => `shelf-${name}`;

function Shelf({ shelf }: { shelf: HomeShelf }) {
  return (
    <section aria-labelledby={shelf.name} className="scroll-mt-24 pt-8" id={shelfId(shelf)}>
      <h3 id={shelf.name} className="shelf-title">
        {shelf.title}
      </h3>
      <Row shelf={shelf} level={4} />
    </section>
  );
}

function Row({ shelf: { name, title, course, books }, level }: { shelf: HomeShelf; level: 3 | 4 }) {
  const isStage = name !== "newest" && name !== "best-rated";
  return (
    <ul aria-label={title} className="shelf">
      {books.map((book) => (
        <li key={book.id} className="shelf-book">
          <ShopBookCard book={whole(book)} level={level} />
        </li>
      ))}
      {isStage && (
        <li className="row-span-5 snap-start">
          <Link to={catalogueHref({ course: course ?? "" })} className="group shelf-more">
            <span className="shelf-course">{course ? `More ${course}` : "All books"}</span>
            <Icon name="arrow-right" size={24} className="text-green" />
          </Link>
        </li>
      )}
    </ul>
  );
}
