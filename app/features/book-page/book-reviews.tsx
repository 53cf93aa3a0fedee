import { StarRating } from "#app/components/star-rating.tsx";
import type { BookPageData } from "./book-page.ts";

type BookReviewsProps = { average: number | null } & Pick<NonNullable<BookPageData>, "ratings" | "reviews">;

const STARS = [5, 4, 3, 2, 1];

/** What readers say: the average, how the ratings are spread, and the newest texts. Nothing for a book without reviews. */
export function BookReviews({ average, ratings, reviews }: BookReviewsProps) {
  const total = ratings.reduce((sum, { reviews }) => sum + reviews, 0);
  if (average === null || total === 0) return null;
  return (
    <section aria-labelledby="reviews" className="page pt-14">
      <h2 id="reviews" className="scroll-mt-24 border-t border-line pt-6 text-25">
        Reviews
      </h2>
      <div className="mt-5 grid gap-x-14 gap-y-8 md:grid-cols-[minmax(0,20rem)_minmax(0,1fr)]">
        <div>
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
              </li>
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}
