import { Link } from "react-router";
import { buttonClass } from "#app/components/button.tsx";
import type { CardBook } from "#app/features/books/book-fields.ts";
import { AddToCartButton } from "#app/features/cart/add-to-cart-button.tsx";
import { BookCard } from "#app/features/catalogue/book-card.tsx";
import { publisherShopPath } from "#app/features/publishers/publisher.ts";
import { StockAlertButton } from "#app/features/stock-alerts/stock-alert-button.tsx";
import { WishlistHeart } from "#app/features/wishlist/wishlist-heart.tsx";

type PublisherBookCardProps = { book: CardBook; priority: boolean; level: 2 | 3 };

/** A book on its publisher's page: Add puts it in the cart, everything else leads to the publisher's books in the shop. */
export function PublisherBookCard({ book, priority, level }: PublisherBookCardProps) {
  const shopPath = publisherShopPath(book.publisher ?? "");
  return (
    <BookCard
      level={level}
      book={book}
      priority={priority}
      to={shopPath}
      heart={<WishlistHeart book={book} />}
      action={
        <div className="relative grid gap-2">
          <StockAlertButton book={book} />
          <AddToCartButton book={book} />
          <Link to={shopPath} className={buttonClass({ variant: "secondary" })}>
            Details<span className="sr-only"> of {book.title}</span>
          </Link>
        </div>
      }
    />
  );
}

/** The empty state of a publisher's page: 'No Cambridge books available at the moment.' for Cambridge University Press. */
export function NoPublisherBooks({ publisher }: { publisher: string }) {
  return (
    <div className="flex flex-col items-start gap-5 border-t border-line py-14">
      <p className="text-20">
        No {publisher.replace(/ University Press$/, "")} books available at the moment.
      </p>
      <Link to="/shop" className={buttonClass({ variant: "secondary" })}>
        Browse all books
      </Link>
    </div>
  );
}
