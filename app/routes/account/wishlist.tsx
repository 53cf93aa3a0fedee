import type { ReactNode } from "react";
import { Link } from "react-router";
import { Button, buttonClass } from "#app/components/button.tsx";
import { EmptyWishlistDrawing } from "#app/components/drawings/empty-wishlist-drawing.tsx";
import { NeedsJavaScript } from "#app/components/needs-javascript.tsx";
import { Skeleton } from "#app/components/skeleton.tsx";
import { BookCard, BookGrid } from "#app/features/books/book-card.tsx";
import { AddToCartButton } from "#app/features/cart/add-to-cart-button.tsx";
import { pageHead } from "#app/features/site/head.ts";
import { useWishedBooks } from "#app/features/wishlist/use-wished-books.ts";
import { WishlistHeart } from "#app/features/wishlist/wishlist-heart.tsx";
import type { Route } from "./+types/wishlist.ts";

/** Placeholders while the wishlist loads (spec section 9). */
const PLACEHOLDERS = ["1", "2", "3", "4", "5", "6", "7", "8"];

/** Covers of the first row load at once. */
const FIRST_ROW = 4;

export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: "My Wishlist",
    description: "The books that you have saved for later.",
    path: "/wishlist",
    index: false,
  });

export default function Wishlist() {
  const { status, isEmpty, books, hasMore, showMore, tryAgain } = useWishedBooks();
  return (
    <div className="page pt-8 pb-16 sm:pt-12 sm:pb-24">
      <h1 className="mb-8 text-32 sm:text-42">My Wishlist</h1>
      <NeedsJavaScript />
      {/* Who looks is not known yet: the page's style chooses, so that nothing jumps. */}
      {status === "loading" && (
        <>
          <div className="member-only">
            <WishlistSkeleton />
          </div>
          <div className="visitor-only">
            <SignInRequired />
          </div>
        </>
      )}
      {status === "signed-out" && <SignInRequired />}
      {status === "failed" && (
        <Message text="Your wishlist could not be read. Nothing on it is lost.">
          <Button variant="secondary" onClick={tryAgain}>
            Try Again
          </Button>
        </Message>
      )}
      {status === "ready" && isEmpty && (
        <Message text="Your wishlist is empty. Press the heart on a book to keep it here.">
          <Link to="/shop" className={buttonClass()}>
            Browse Books
          </Link>
        </Message>
      )}
      {status === "ready" && !isEmpty && (
        <>
          <BookGrid label="Books on your wishlist">
            {books.map((book, position) => (
              <li key={book.id} className="row-span-5 grid grid-rows-subgrid pb-10">
                <BookCard
                  book={book}
                  priority={position < FIRST_ROW}
                  heart={<WishlistHeart book={book} />}
                  action={<AddToCartButton book={book} />}
                />
              </li>
            ))}
          </BookGrid>
          {hasMore && (
            <Button variant="secondary" onClick={showMore}>
              Show more
            </Button>
          )}
        </>
      )}
    </div>
  );
}

function SignInRequired() {
  return (
    <Message title="Sign in required" text="Please sign in to see the books that you have saved.">
      <Link to="/auth" className={buttonClass()}>
        Sign In
      </Link>
    </Message>
  );
}

function Message({ title, text, children }: { title?: string; text: string; children: ReactNode }) {
  return (
    <div className="flex flex-col items-start gap-5">
      <EmptyWishlistDrawing className="-ml-2 h-32 w-auto" />
      {title && <h2 className="text-20">{title}</h2>}
      <p className="measure">{text}</p>
      {children}
    </div>
  );
}

function WishlistSkeleton() {
  return (
    <ul
      aria-busy="true"
      aria-label="Loading your wishlist"
      className="grid grid-cols-2 gap-x-4 gap-y-10 sm:grid-cols-3 sm:gap-x-6 lg:grid-cols-4 lg:gap-x-8"
    >
      {PLACEHOLDERS.map((place) => (
        <li key={place} className="flex flex-col gap-3">
          <Skeleton className="aspect-3/4" />
          <Skeleton className="h-5" />
          <Skeleton className="h-4 w-2/3" />
          <Skeleton className="mt-2 h-11" />
        </li>
      ))}
    </ul>
  );
}
