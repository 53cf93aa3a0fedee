import type { ReactNode } from "react";
import { Link } from "react-router";
import { Button, buttonClass } from "#app/components/button.tsx";
import { EmptyWishlistDrawing } from "#app/components/drawings/empty-wishlist-drawing.tsx";
import { NeedsJavaScript } from "#app/components/needs-javascript.tsx";
import { Skeleton } from "#app/components/skeleton.tsx";
import { BookGrid, ShopBookCard } from "#app/features/catalogue/book-card.tsx";
import { SavedNote } from "#app/features/offline/saved-note.tsx";
import { pageHead } from "#app/features/site/head.ts";
import { useWishlistBooks } from "#app/features/wishlist/use-wishlist-books.ts";
import type { Route } from "./+types/wishlist.ts";

/** Placeholders while the wishlist loads (spec section 9). */
const PLACEHOLDERS = ["1", "2", "3", "4", "5", "6", "7", "8"];

export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: "My Wishlist",
    description: "The books you've saved for later.",
    path: "/wishlist",
  });

export default function Wishlist() {
  const { status, isEmpty, books, hasMore, showMore, tryAgain } = useWishlistBooks();
  return (
    <div className="page pt-8 pb-16 sm:pt-12 sm:pb-24">
      <h1 className="mb-8 text-32 sm:text-42">My Wishlist</h1>
      <NeedsJavaScript />
      <SavedNote list="wishlist" isInPage onTryAgain={() => window.location.reload()} className="mb-6" />
      {/* The session is not known yet: CSS chooses, so that nothing jumps. */}
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
        <Message text="We couldn't load your wishlist. Nothing on it is lost.">
          <Button variant="secondary" onClick={tryAgain}>
            Try Again
          </Button>
        </Message>
      )}
      {status === "ready" && isEmpty && (
        <Message text="Your wishlist is empty. Tap the heart on a book to save it here.">
          <Link to="/shop" className={buttonClass()}>
            Browse Books
          </Link>
        </Message>
      )}
      {status === "ready" && !isEmpty && (
        <>
          <BookGrid
            label="Books on your wishlist"
            books={books}
            cardOf={(book, priority) => <ShopBookCard book={book} priority={priority} />}
          />
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
    <Message title="Sign in required" text="Please sign in to see the books you've saved.">
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
      {PLACEHOLDERS.map((index) => (
        <li key={index} className="flex flex-col gap-3">
          <Skeleton className="aspect-3/4" />
          <Skeleton className="h-5" />
          <Skeleton className="h-4 w-2/3" />
          <Skeleton className="mt-2 h-11" />
        </li>
      ))}
    </ul>
  );
}
