import type { BackendClient } from "#app/lib/backend/client.ts";
import { unwrap, unwrapDone } from "#app/lib/backend/response.ts";

export type OwnReview = {
  /** Whether they have ordered the book. */
  mayReview: boolean;
  /** 1 to 5, or null when they have not reviewed it. */
  rating: number | null;
  text: string | null;
  /** Whether staff have hidden it from everyone else. */
  hidden: boolean;
};

/**
 * The user's own review of a book.
 * @throws BackendFailure
 */
export async function findOwnReview(client: BackendClient, bookId: string): Promise<OwnReview> {
  const [row] = unwrap(await client.rpc("find_own_review", { _book_id: bookId }));
  const { may_review = false, rating = null, review_text = null, hidden = false } = row ?? {};
  return { mayReview: may_review, rating, text: review_text, hidden };
}

type WrittenReview = { bookId: string; rating: number; text: string };

/**
 * Saves the user's review of a book. `rating` is 1 to 5, `text` has at most 2,000 characters.
 * @throws BackendFailure, with the code `not_ordered`, `book_not_found` or `too_many_reviews`
 */
export async function writeReview(client: BackendClient, { bookId, rating, text }: WrittenReview) {
  unwrapDone(await client.rpc("write_review", { _book_id: bookId, _rating: rating, _review_text: text }));
}

/** @throws BackendFailure, with the code `too_many_reviews` */
export async function deleteOwnReview(client: BackendClient, bookId: string): Promise<void> {
  unwrapDone(await client.rpc("delete_own_review", { _book_id: bookId }));
}

/**
 * Reports a review to the shop.
 * @throws BackendFailure, with the code `too_many_reports`
 */
export async function reportReview(client: BackendClient, reviewId: string): Promise<void> {
  unwrapDone(await client.rpc("report_review", { _review_id: reviewId }));
}
