import type { BackendClient } from "#app/lib/backend/client.ts";
import { unwrap, unwrapDone, unwrapWritten } from "#app/lib/backend/response.ts";
import type { ListQuery } from "#app/lib/react/list-state.ts";
import { pagingArguments } from "#app/office/frame/paging.ts";

export const REVIEW_SORT_KEYS = ["created_at", "rating"] as const;
type ReviewSortKey = (typeof REVIEW_SORT_KEYS)[number];

type ReviewListQuery = ListQuery<ReviewSortKey> & {
  /** 1 to 5, or 0 for all. */
  rating: number;
  /** "reported" or "hidden"; empty for all. */
  state: string;
};

/**
 * One page of reviews with book and customer, newest first by default, and the exact number of all matches. `q` searches
 * the review's text, the book and the customer.
 * @throws BackendFailure
 */
export async function listReviews(client: BackendClient, query: ReviewListQuery) {
  const filters = {
    _q: query.q || undefined,
    _rating: query.rating || undefined,
    _state: query.state || undefined,
  };
  const [rows, total] = await Promise.all([
    client.rpc("admin_list_reviews", { ...filters, ...pagingArguments(query) }).then(unwrap),
    client.rpc("admin_count_reviews", filters).then(unwrap),
  ]);
  return { rows, total };
}

/**
 * How many reviews readers have reported and staff have not yet kept, hidden or deleted.
 * @throws BackendFailure
 */
export async function countReportedReviews(client: BackendClient): Promise<number> {
  return unwrap(await client.rpc("admin_count_reviews", { _state: "reported" }));
}

export type ReviewRow = Awaited<ReturnType<typeof listReviews>>["rows"][number];

/** @throws BackendFailure */
export async function removeReview(client: BackendClient, id: string): Promise<void> {
  unwrapWritten(await client.from("reviews").delete().eq("id", id).select("id"));
}

/**
 * Hides a review from everyone but its writer, or shows it again; both settle its reports.
 * @throws BackendFailure
 */
export async function moderateReview(client: BackendClient, { id, hidden }: { id: string; hidden: boolean }) {
  unwrapDone(await client.rpc("moderate_review", { _review_id: id, _hidden: hidden }));
}
