import { Link } from "react-router";
import { buttonClass } from "#app/components/button.tsx";
import type { CardBook } from "#app/features/books/book.ts";
import { BookCard, BookGrid } from "#app/features/books/book-card.tsx";
import { AddToCartButton } from "#app/features/cart/add-to-cart-button.tsx";
import { catalogueHref } from "#app/features/catalogue/catalogue-query.ts";
import { WishlistHeart } from "#app/features/wishlist/wishlist-heart.tsx";

/** The first of the books found, and the way to all of them. */
export function FoundBooks({ books, total, q }: { books: CardBook[]; total: number; q: string }) {
  if (books.length === 0) return null;
  return (
    <section aria-label="Books" className="pt-10">
      <div className="mb-6 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2">
        <h2 className="text-25">Books</h2>
        <Link to={catalogueHref({ q })} className={buttonClass({ variant: "secondary" })}>
          View All {total} Books
        </Link>
      </div>
      <BookGrid label="Books found">
        {books.map((book, position) => (
          <li key={book.id} className="row-span-5 grid grid-rows-subgrid pb-10">
            <BookCard
              level={3}
              book={book}
              priority={position < 4}
              heart={<WishlistHeart book={book} />}
              action={<AddToCartButton book={book} />}
            />
          </li>
        ))}
      </BookGrid>
    </section>
  );
}
