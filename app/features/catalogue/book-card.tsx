import type { ReactNode } from "react";
import { Link } from "react-router";
import { JoinedTexts } from "#app/components/joined-texts.tsx";
import { StarRating } from "#app/components/star-rating.tsx";
import { BookCover } from "#app/features/book-covers/book-cover.tsx";
import { coverFor } from "#app/features/book-covers/cover.ts";
import { bookIsbn, publisherName } from "#app/features/books/book.ts";
import { bookPath } from "#app/features/books/book-address.ts";
import type { CardBook } from "#app/features/books/book-fields.ts";
import { digitalName } from "#app/features/books/kinds.ts";
import { unavailableWords } from "#app/features/books/left-words.ts";
import { AddToCartButton } from "#app/features/cart/add-to-cart-button.tsx";
import { bookAttribute } from "#app/features/session/sign-in-return.ts";
import { StockAlertButton } from "#app/features/stock-alerts/stock-alert-button.tsx";
import { WishlistHeart } from "#app/features/wishlist/wishlist-heart.tsx";
import { currentShop } from "#app/lib/pages/current-shop.ts";
import { SharedPart } from "#app/lib/pages/shared-parts.ts";
import { useSiteSettings } from "#app/lib/pages/site-settings.ts";
import { formatCedis } from "#shared/text/money.ts";

type BookCardProps = {
  book: CardBook;
  /** The first row of a page loads its covers eagerly. */
  priority?: boolean;
  heart?: ReactNode;
  /** The add-to-cart button, or another action. */
  action?: ReactNode;
  /** Where the whole card links to; otherwise cover and title link to the book's own page. */
  to?: string;
  /** Only the title links there; the action has the link of the card. */
  titleOnly?: boolean;
  /** Replaces the note about the stock. */
  stockNote?: string | undefined;
  /** The title's heading level: a larger number where the cards have a heading of their own. */
  level?: 2 | 3 | 4;
};

/** A phone with three pixels for one shows as much in two thirds of them, which are half as many bytes. */
const coverSizes = "(min-width: 1024px) 240px, (min-width: 640px) 30vw, (min-resolution: 2.5dppx) 30vw, 45vw";

const present = (...texts: (string | null)[]) => texts.flatMap((text) => text || []);

/** A book on the shelf: cover, title, publisher, details, rating and price, aligned with its neighbours. */
export function BookCard(props: BookCardProps) {
  const { book, priority = false, heart, action, to, titleOnly, stockNote, level = 2 } = props;
  const Title = `h${level}` as const;
  const { backendUrl } = useSiteSettings();
  const isbn = bookIsbn(book);
  const details = present(book.subject, book.grade_level);
  const facts = present(book.edition, isbn && `ISBN ${isbn}`);
  return (
    <article className="group book-card" {...bookAttribute(book.id)}>
      <div className="relative mb-3">
        <BookCover book={book} backendUrl={backendUrl} sizes={coverSizes} priority={priority} />
      </div>
      <Title className="card-title">
        <Link
          to={to ?? bookPath(book)}
          className={
            titleOnly
              ? "relative z-1 hover:text-green hover:underline"
              : `card-link ${to ? "after:inset-0" : "card-cover-link"}`
          }
        >
          {book.title}
        </Link>
      </Title>
      <div className="card-words">
        {book.authors && <p className="line-clamp-2">{book.authors}</p>}
        <p>{publisherName(book.publisher)}</p>
        {book.kind === "digital" && <p className="font-semibold text-ink">{digitalName(book)}</p>}
        {details.length > 0 && (
          <p className="line-clamp-2">
            <JoinedTexts texts={details} />
          </p>
        )}
        {/* On a phone's narrow card they would push the next row off the screen; the book's own page has both. */}
        {facts.length > 0 && (
          <p className="figures max-sm:hidden">
            <JoinedTexts texts={facts} />
          </p>
        )}
      </div>
      <div className="mt-1.5 min-h-5">
        {book.average_rating != null && book.average_rating > 0 && (
          <StarRating rating={book.average_rating} reviewCount={book.review_count || null} />
        )}
      </div>
      <div className="card-foot">
        <div className="flex items-center justify-between">
          <p className="card-prices">
            <span className="figures card-price">{formatCedis(book.price)}</span>
            {stockNote ? (
              <span className="text-13 font-semibold text-green">{stockNote}</span>
            ) : (
              <StockNote stock={book.stock_quantity} />
            )}
          </p>
          {/* Not on the cover, where it would hide words. */}
          {heart && <div className="relative -my-2 -mr-2 shrink-0">{heart}</div>}
        </div>
        {action}
      </div>
    </article>
  );
}

function StockNote({ stock }: { stock: number }) {
  if (stock <= 0) return <span className="text-13 font-semibold text-clay">{unavailableWords(stock)}</span>;
  if (stock < currentShop().lowStock)
    return <span className="text-13 font-semibold text-gold-ink">{`${stock} left`}</span>;
  return null;
}

/** The card of a book that can be put on the wishlist and into the cart. */
export function ShopBookCard(props: Pick<BookCardProps, "book" | "priority" | "level">) {
  const { book } = props;
  const { backendUrl } = useSiteSettings();
  const card = (
    <BookCard
      {...props}
      heart={<WishlistHeart book={book} />}
      action={
        <div>
          <StockAlertButton book={book} />
          <AddToCartButton book={book} />
        </div>
      }
    />
  );
  return import.meta.env.SSR ? <SharedPart name={partName(props, backendUrl)}>{card}</SharedPart> : card;
}

/** The card in other pages. One with an eager picture is always rendered: the picture is also named in the page's head. */
function partName(
  { book, priority, level = 2 }: Pick<BookCardProps, "book" | "priority" | "level">,
  backendUrl: string,
): string | null {
  if (priority && coverFor(book, backendUrl).kind !== "generated") return null;
  return JSON.stringify(["card", backendUrl, currentShop().lowStock, level, book]);
}

/** How many cards a row has on a wide screen. */
const ROW = 4;

type BookGridProps = {
  label: string;
  books: readonly CardBook[];
  /** Whether the page starts with this grid: the covers of its first row are loaded eagerly, all others lazily. */
  isFirst?: boolean;
  cardOf: (book: CardBook, priority: boolean) => ReactNode;
};

/**
 * The grid on which cards of one row share their lines. Their column never grows with a cover: below the window covers keep the size that
 * they had before the window became narrower, until they are scrolled into view.
 */
export function BookGrid({ label, books, isFirst = true, cardOf }: BookGridProps) {
  return (
    <ul aria-label={label} className="book-grid">
      {books.map((book, position) => (
        <li key={book.id} className="book-cell">
          {cardOf(book, isFirst && position < ROW)}
        </li>
      ))}
    </ul>
  );
}
