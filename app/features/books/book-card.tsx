import type { ReactNode } from "react";
import { Link } from "react-router";
import { JoinedTexts } from "#app/components/joined-texts.tsx";
import { StarRating } from "#app/components/star-rating.tsx";
import { formatCedis, pesewasFromCedis } from "#app/lib/money.ts";
import { useSiteSettings } from "#app/lib/site-settings.ts";
import { type CardBook, LOW_STOCK, printedIsbn } from "./book.ts";
import { BookCover } from "./book-cover.tsx";

type BookCardProps = {
  book: CardBook;
  /** The first row of a page loads its covers at once. */
  priority?: boolean;
  heart?: ReactNode;
  /** The add-to-cart button or whatever else one can do with the book here. */
  action?: ReactNode;
  /** Where a press anywhere on the card leads. */
  to?: string;
  /** Said about the stock instead of what the number tells. */
  stockNote?: string;
  /** Depth of the title in the page's outline: 3 where the cards stand under a heading of their own. */
  level?: 2 | 3;
};

const coverSizes = "(min-width: 1024px) 240px, (min-width: 640px) 30vw, 45vw";

/** A book on the shelf: cover, title, publisher, details, rating, price, on lines shared with its neighbours. */
export function BookCard({ book, priority = false, heart, action, to, stockNote, level = 2 }: BookCardProps) {
  const Title = level === 2 ? "h2" : "h3";
  const { backendUrl } = useSiteSettings();
  const isbn = printedIsbn(book);
  const details = [book.subject, book.grade_level, book.edition].flatMap((text) => text || []);
  return (
    <article className="group relative row-span-5 grid grid-rows-subgrid gap-0 text-15">
      <div className="relative mb-3">
        <BookCover book={book} backendUrl={backendUrl} sizes={coverSizes} priority={priority} />
        {heart && <div className="absolute right-0.5 bottom-0.5 z-10">{heart}</div>}
      </div>
      <Title className="line-clamp-6 wrap-anywhere font-sans text-15 leading-snug font-semibold sm:line-clamp-4 sm:text-17 sm:leading-snug">
        {to ? (
          <Link to={to} className="after:absolute after:inset-0 group-hover:text-green">
            {book.title}
          </Link>
        ) : (
          book.title
        )}
      </Title>
      <div className="mt-1 text-13 text-muted">
        <p>{book.publisher ?? "Unknown"}</p>
        {details.length > 0 && (
          <p className="line-clamp-2">
            <JoinedTexts texts={details} />
          </p>
        )}
        {isbn && <p className="figures">ISBN {isbn}</p>}
      </div>
      <div className="mt-1.5 min-h-5">
        {book.average_rating != null && book.average_rating > 0 && (
          <StarRating rating={book.average_rating} reviewCount={book.review_count || null} />
        )}
      </div>
      <div className="mt-2 flex flex-col justify-between gap-2.5">
        <p className="flex flex-wrap items-baseline justify-between gap-x-2">
          <span className="figures font-display text-20 font-semibold">
            {formatCedis(pesewasFromCedis(book.price))}
          </span>
          {stockNote ? (
            <span className="text-13 font-semibold text-green">{stockNote}</span>
          ) : (
            <StockNote stock={book.stock_quantity} />
          )}
        </p>
        {action}
      </div>
    </article>
  );
}

function StockNote({ stock }: { stock: number }) {
  if (stock === 0) return <span className="text-13 font-semibold text-clay">Out of stock</span>;
  if (stock < LOW_STOCK) return <span className="text-13 font-semibold text-gold-ink">{stock} left</span>;
  return null;
}

/** The grid on which cards of one row share their lines. */
export function BookGrid({ children, label }: { children: ReactNode; label: string }) {
  return (
    <ul
      aria-label={label}
      className="grid grid-cols-2 gap-x-4 gap-y-0 sm:grid-cols-3 sm:gap-x-6 lg:grid-cols-4 lg:gap-x-8"
    >
      {children}
    </ul>
  );
}
