import { Fragment } from "react";
import { Link } from "react-router";
import { CopyButton } from "#app/components/copy-button.tsx";
import { StarRating } from "#app/components/star-rating.tsx";
import { BookCover } from "#app/features/book-covers/book-cover.tsx";
import { bookPath } from "#app/features/books/book-address.ts";
import { editionTitle } from "#app/features/books/edition-title.ts";
import { digitalName } from "#app/features/books/kinds.ts";
import { unavailableWords } from "#app/features/books/left-words.ts";
import { catalogueHref } from "#app/features/catalogue/catalogue-query.ts";
import { deliveryAndReturns } from "#app/features/law/law-pages.ts";
import { currentShop } from "#app/lib/pages/current-shop.ts";
import { useSiteSettings } from "#app/lib/pages/site-settings.ts";
import { formatCedis } from "#shared/text/money.ts";
import type { Fact } from "./book-facts.ts";
import type { BookPageData } from "./book-page.ts";
import { BuyBook } from "./buy-book.tsx";

const link = "text-green underline decoration-gold underline-offset-4 hover:decoration-green";

type BookDetailsProps = Pick<
  NonNullable<BookPageData>,
  "book" | "facts" | "paragraphs" | "isOnItsWay" | "comesOn" | "newer"
>;

/**
 * The book itself: cover, details, price and buttons. On a phone the cover is small and beside the title, so that price
 * and Add to Cart are on the first screen.
 */
export function BookDetails({ book, facts, paragraphs, isOnItsWay, comesOn, newer }: BookDetailsProps) {
  const { backendUrl } = useSiteSettings();
  return (
    <div className="page grid grid-cols-[7rem_minmax(0,1fr)] gap-x-4 pt-4 sm:grid-cols-[11rem_minmax(0,1fr)] sm:gap-x-8 sm:pt-12 md:grid-cols-[minmax(0,20rem)_minmax(0,1fr)] md:grid-rows-[auto_1fr] md:gap-x-14 lg:grid-cols-[minmax(0,24rem)_minmax(0,1fr)]">
      <div className="md:row-span-2">
        <BookCover
          book={book}
          backendUrl={backendUrl}
          sizes="(min-width: 1024px) 384px, (min-width: 768px) 320px, (min-width: 640px) 176px, 112px"
          priority
          label={`Cover of ${book.title}`}
        />
      </div>
      <div className="min-w-0 wrap-anywhere">
        <h1 className="text-20 sm:text-32 md:text-42">{book.title}</h1>
        {book.authors && <p className="mt-1 text-15 text-muted sm:mt-2 sm:text-17">{book.authors}</p>}
        {book.publisher && (
          <p className="mt-1 text-15">
            <Link to={catalogueHref({ publisher: book.publisher })} className={link}>
              {book.publisher}
            </Link>
          </p>
        )}
        {book.average_rating != null && book.average_rating > 0 && (
          <p className="mt-1 sm:mt-3">
            <a href="#reviews" className="inline-flex min-h-11 items-center sm:min-h-6">
              <StarRating rating={book.average_rating} reviewCount={book.review_count || null} />
            </a>
          </p>
        )}
      </div>
      <div className="min-w-0 wrap-anywhere max-md:col-span-2">
        <p className="mt-4 flex flex-wrap items-baseline gap-x-5 gap-y-1 sm:mt-5">
          <span className="figures font-display text-32 font-semibold">{formatCedis(book.price)}</span>
          <Stock
            copies={book.stock_quantity}
            digital={digitalName(book)}
            isOnItsWay={isOnItsWay}
            comesOn={comesOn}
          />
        </p>
        {newer && (
          <p className="mt-2 text-15">
            There is a newer edition:{" "}
            <Link to={bookPath(newer)} className={link}>
              {editionTitle(newer)}
            </Link>
            , <span className="figures font-semibold">{formatCedis(newer.price)}</span>
          </p>
        )}
        <div className="mt-3 sm:mt-5">
          <BuyBook book={book} />
        </div>
        {book.kind !== "digital" && <Delivery />}
        {paragraphs.length > 0 && (
          <section aria-label="Description" className="measure mt-8 flex flex-col gap-4">
            {paragraphs.map((text) => (
              <p key={text} className="whitespace-pre-line">
                {text}
              </p>
            ))}
          </section>
        )}
        <Facts facts={facts} />
      </div>
    </div>
  );
}

/** When it comes, what that costs, and what if it is the wrong book: asked before Add to Cart. */
function Delivery() {
  return (
    <p className="measure mt-4 text-15 text-muted">
      {currentShop().deliveryTerms}{" "}
      <Link to={deliveryAndReturns.to} className={link}>
        {deliveryAndReturns.label}
      </Link>
    </p>
  );
}

type StockProps = {
  copies: number;
  /** What a digital title is. */
  digital: string | null;
  isOnItsWay: boolean;
  /** When what is coming soon is there. */
  comesOn: string | null;
};

function Stock({ copies, digital, isOnItsWay, comesOn }: StockProps) {
  if (copies >= currentShop().lowStock)
    return <span className="font-semibold text-green">{digital ?? "In stock"}</span>;
  return (
    <>
      {copies <= 0 ? (
        <span className="font-semibold text-clay">
          {[unavailableWords(copies), comesOn].filter(Boolean).join(": ")}
        </span>
      ) : (
        <span className="font-semibold text-gold-ink">{`Only ${copies} left`}</span>
      )}
      {isOnItsWay && <span className="text-muted">More on their way</span>}
    </>
  );
}

function Facts({ facts }: { facts: Fact[] }) {
  if (facts.length === 0) return null;
  return (
    <dl className="mt-8 grid grid-cols-[auto_minmax(0,1fr)] border-t border-line text-15">
      {facts.map(({ label, value, to, isIsbn }) => (
        <Fragment key={label}>
          <dt className="flex items-center border-b border-line py-2.5 pr-8 text-muted">{label}</dt>
          <dd className="flex min-h-11 min-w-0 flex-wrap items-center gap-x-4 border-b border-line py-1">
            {to ? (
              <Link to={to} className={link}>
                {value}
              </Link>
            ) : (
              <span className="min-w-0">{value}</span>
            )}
            {isIsbn && <CopyButton text={value} name="ISBN" />}
          </dd>
        </Fragment>
      ))}
    </dl>
  );
}
