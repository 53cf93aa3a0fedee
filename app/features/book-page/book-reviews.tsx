import { lazy, Suspense, useState } from "react";
import { Link } from "react-router";
import { Button } from "#app/components/button.tsx";
import { StarRating } from "#app/components/star-rating.tsx";
import { showToast } from "#app/components/toast.ts";
import { ONLY_BUYERS } from "#app/features/reviews/only-buyers.ts";
import { useSessionUser } from "#app/features/session/session.ts";
import { historyEntry, rememberPlace } from "#app/features/session/sign-in-return.ts";
import { unreachableMessage } from "#app/lib/backend/failure-message.ts";
import { createLazyModule } from "#app/lib/react/create-lazy-module.ts";
import { useStore } from "#app/lib/react/create-store.ts";
import type { BookPageData } from "./book-page.ts";

type BookReviewsProps = Pick<NonNullable<BookPageData>, "book" | "ratings" | "reviews">;

const dialog = createLazyModule(
  () => import("#app/features/reviews/review-dialog.tsx"),
  () => showToast("error", "Failed to open the report", { description: unreachableMessage() }),
);

/** Loaded for signed-in customers only; if loading it fails, the reviews can still be read. */
const OwnReview = lazy(() =>
  import("#app/features/reviews/own-review.tsx").then(
    ({ OwnReview }) => ({ default: OwnReview }),
    () => ({ default: () => null }),
  ),
);

const STARS = [5, 4, 3, 2, 1];

/**
 * What readers say: the average, the distribution of ratings and the newest texts. Customers who have ordered the book
 * review it here, and any customer reports a review.
 */
export function BookReviews({ book, ratings, reviews }: BookReviewsProps) {
  /** The id of the review to report. */
  const [reported, setReported] = useState<string | null>(null);
  const loaded = useStore(dialog);
  const user = useSessionUser();
  const total = ratings.reduce((sum, { reviews }) => sum + reviews, 0);

  function report(id: string) {
    setReported(id);
    void dialog.fetch();
  }

  return (
    <section aria-labelledby="reviews" className="page pt-14">
      <h2 id="reviews" className="scroll-mt-24 border-t border-line pt-6 text-25">
        Reviews
      </h2>
      {total === 0 && <p className="mt-3 text-muted">Nobody has reviewed this book yet.</p>}
      <div className="mt-5 grid gap-x-14 gap-y-8 md:grid-cols-[minmax(0,20rem)_minmax(0,1fr)]">
        <div>
          {total > 0 && <Ratings average={book.average_rating ?? 0} total={total} ratings={ratings} />}
          <div className="mt-5 min-h-11">
            <p className="visitor-only text-15 text-muted">
              {ONLY_BUYERS}{" "}
              <Link
                to="/auth"
                className="inline-flex min-h-11 items-center font-semibold text-green underline"
                onClick={() => rememberPlace(window.location.pathname, historyEntry())}
              >
                Sign in to review it
              </Link>
            </p>
            {user && (
              <Suspense>
                <OwnReview userId={user.id} book={book} />
              </Suspense>
            )}
          </div>
        </div>
        {reviews.length > 0 && (
          <ul aria-label="What readers say" className="flex flex-col gap-6">
            {reviews.map(({ id, rating, review_text, reader, day }) => (
              <li key={id} className="border-b border-line pb-6 last:border-b-0">
                <p className="flex flex-wrap items-center gap-x-4 text-15">
                  <StarRating rating={rating} />
                  <span className="min-w-0 font-semibold wrap-anywhere">
                    <bdi>{reader ?? "A reader"}</bdi>
                  </span>
                  <span className="text-muted">{day}</span>
                </p>
                <p className="measure mt-2 wrap-anywhere whitespace-pre-line">{review_text}</p>
                <Button
                  variant="quiet"
                  size="small"
                  className="-ml-3 noscript:hidden"
                  aria-label={`Report the review by ${reader ?? "a reader"}`}
                  onClick={() => report(id)}
                >
                  Report
                </Button>
              </li>
            ))}
          </ul>
        )}
      </div>
      {loaded && reported !== null && (
        <loaded.ReviewDialog book={book} reported={reported} onClose={() => setReported(null)} />
      )}
    </section>
  );
}

type RatingsProps = { average: number; total: number; ratings: BookReviewsProps["ratings"] };

function Ratings({ average, total, ratings }: RatingsProps) {
  return (
    <>
      <p className="flex items-baseline gap-3">
        <span className="figures font-display text-42 font-bold text-green">{average.toFixed(1)}</span>
        <span className="text-15 text-muted">{`of 5, from ${total} ${total === 1 ? "review" : "reviews"}`}</span>
      </p>
      <ul aria-label="Ratings" className="mt-3 text-15">
        {STARS.map((stars) => {
          const count = ratings.find(({ rating }) => rating === stars)?.reviews ?? 0;
          return (
            <li key={stars} className="flex min-h-7 items-center gap-3">
              <span className="w-14 shrink-0">{`${stars} ${stars === 1 ? "star" : "stars"}`}</span>
              <span aria-hidden="true" className="h-2 grow overflow-hidden rounded-full bg-line">
                <span
                  className="block h-full rounded-full bg-gold"
                  style={{ width: `${(count / total) * 100}%` }}
                />
              </span>
              <span className="figures w-8 shrink-0 text-right text-muted">{count}</span>
            </li>
          );
        })}
      </ul>
    </>
  );
}
