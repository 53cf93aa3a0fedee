import { Link } from "react-router";
import { buttonClass } from "#app/components/button.tsx";
import type { CardBook } from "#app/features/books/book.ts";
import { BookCard, BookGrid } from "#app/features/books/book-card.tsx";
import type { CambridgeSection } from "#app/features/books/cambridge.queries.ts";
import { AddToCartButton } from "#app/features/cart/add-to-cart-button.tsx";
import { publisherShopPath } from "#app/features/publishers/publisher.ts";
import { WishlistHeart } from "#app/features/wishlist/wishlist-heart.tsx";

/** Cambridge's books as they stand in the catalogue, one shelf a stage. */
export function CambridgeSections({ sections }: { sections: CambridgeSection[] }) {
  if (sections.length === 0) {
    return <p className="border-t border-line py-14 text-20">No Cambridge books available at the moment.</p>;
  }
  return sections.map(({ section, books }, place) => (
    <section key={section} aria-label={section} className="border-t border-line pt-8 not-first:mt-6">
      <h2 className="mb-6 text-25 sm:text-32">{section}</h2>
      <BookGrid label={section}>
        {books.map((book, position) => (
          <li key={book.id} className="row-span-5 grid grid-rows-subgrid pb-10">
            <CambridgeCard book={book} priority={place === 0 && position < 4} />
          </li>
        ))}
      </BookGrid>
    </section>
  ));
}

function CambridgeCard({ book, priority }: { book: CardBook; priority: boolean }) {
  const shopPath = publisherShopPath(book.publisher ?? "");
  return (
    <BookCard
      level={3}
      book={book}
      priority={priority}
      to={shopPath}
      heart={<WishlistHeart book={book} />}
      action={
        <div className="relative grid gap-2">
          <AddToCartButton book={book} />
          <Link to={shopPath} className={buttonClass({ variant: "secondary" })}>
            Details<span className="sr-only"> of {book.title}</span>
          </Link>
        </div>
      }
    />
  );
}
