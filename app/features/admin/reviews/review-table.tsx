import { useMemo, useState } from "react";
import { ConfirmDialog } from "#app/components/confirm-dialog.tsx";
import { dataColumns } from "#app/components/data-table-columns.ts";
import { iconButtonClass } from "#app/components/dialog.tsx";
import { ListFilter } from "#app/components/list-filter.tsx";
import { Icon } from "#app/components/office-icon.tsx";
import { useAdminMutation, useAdminQuery } from "#app/features/admin/admin-data.ts";
import { AdminList } from "#app/features/admin/admin-list.tsx";
import { CustomerCell } from "#app/features/admin/customer-cell.tsx";
import { formatDay } from "#app/lib/dates.ts";
import { useListState } from "#app/lib/list-state.ts";
import { listReviews, REVIEW_SORT_KEYS, type ReviewRow, removeReview } from "./review.admin-queries.ts";
import { ReviewStars } from "./review-stars.tsx";

const newestFirst = { key: "created_at", descending: true } as const;
const RATINGS = [5, 4, 3, 2, 1];
const column = dataColumns<ReviewRow>();

const ratingChoices = RATINGS.map((rating) => ({ value: String(rating), label: `${rating}/5` }));

/** All reviews, newest first, each to be deleted. */
export function ReviewTable() {
  const state = useListState(REVIEW_SORT_KEYS, newestFirst);
  const rating = RATINGS.find((one) => String(one) === state.filter("rating")) ?? 0;
  // What the address holds and no rating can be is as good as nothing.
  const known = { ...state, filter: () => (rating ? String(rating) : "") };
  const query = { page: state.page, q: state.q, sort: state.sort, rating };
  const reviews = useAdminQuery(["reviews", query], (client) => listReviews(client, query), {
    keepPrevious: true,
  });
  const [doomed, setDoomed] = useState<ReviewRow | null>(null);
  const columns = useMemo(() => columnsWith(setDoomed), []);
  const remove = useAdminMutation({
    run: (client, id: string) => removeReview(client, id),
    success: () => ({ title: "Review deleted successfully", description: "It can be restored in Activity." }),
    failure: "Failed to delete review",
  });
  return (
    <>
      <AdminList
        label="Reviews"
        one="review"
        many="reviews"
        columns={columns}
        rowId={(review) => review.id}
        page={reviews}
        state={state}
        sortKeys={REVIEW_SORT_KEYS}
        search="Search book, customer, review"
        filters={
          <ListFilter
            name="rating"
            label="Filter by rating"
            all="All ratings"
            choices={ratingChoices}
            state={known}
          />
        }
        empty="No reviews found"
      />
      <ConfirmDialog
        open={doomed !== null}
        question="Are you sure you want to delete this review?"
        confirmLabel="Delete Review"
        onConfirm={() => doomed && remove.mutate(doomed.id)}
        onClose={() => setDoomed(null)}
      >
        {doomed && (
          <p>
            {doomed.rating}/5 for <bdi className="font-semibold text-ink">{doomed.book_title}</bdi> by{" "}
            <bdi>{doomed.customer_name || doomed.customer_email || "N/A"}</bdi>
          </p>
        )}
      </ConfirmDialog>
    </>
  );
}

function columnsWith(onDelete: (review: ReviewRow) => void) {
  return column.columns([
    column.display({
      id: "book",
      header: "Book",
      meta: { card: "title" },
      cell: ({ row: { original: review } }) => (
        <>
          <p className="font-semibold break-words">{review.book_title}</p>
          <p className="text-13 font-normal text-muted">{review.book_publisher ?? "Unknown"}</p>
        </>
      ),
    }),
    column.display({
      id: "customer",
      header: "Customer",
      cell: ({ row: { original: review } }) => (
        <CustomerCell name={review.customer_name} email={review.customer_email} />
      ),
    }),
    column.accessor("rating", {
      id: "rating",
      sortDescFirst: true,
      header: "Rating",
      meta: { className: "whitespace-nowrap" },
      cell: ({ getValue }) => <ReviewStars rating={getValue()} />,
    }),
    column.accessor("review_text", {
      id: "review_text",
      header: "Review",
      meta: { className: "@4xl:max-w-80" },
      cell: ({ getValue }) => <ReviewText text={getValue()} />,
    }),
    column.accessor("created_at", {
      id: "created_at",
      header: "Date",
      meta: { className: "figures whitespace-nowrap" },
      cell: ({ getValue }) => formatDay(getValue()),
    }),
    column.display({
      id: "actions",
      header: "Actions",
      meta: { card: "actions", className: "@4xl:w-20 @4xl:py-0.5" },
      cell: ({ row: { original: review } }) => (
        <button
          type="button"
          className={`${iconButtonClass} hover:text-clay`}
          aria-label={`Delete the review of ${review.book_title} by ${review.customer_name || review.customer_email || "N/A"}`}
          onClick={() => onDelete(review)}
        >
          <Icon name="trash" />
        </button>
      ),
    }),
  ]);
}

/** Two lines of the text; a press shows all of a longer one. */
function ReviewText({ text }: { text: string | null }) {
  const [whole, setWhole] = useState(false);
  if (!text) return <span className="text-muted">No review text</span>;
  if (text.length <= SHORT_TEXT) return <span className="break-words">{text}</span>;
  return (
    <div>
      <p className={whole ? "break-words whitespace-pre-line" : "line-clamp-2 break-words"}>{text}</p>
      <button
        type="button"
        className="min-h-11 font-semibold text-green underline @4xl:min-h-6"
        aria-expanded={whole}
        onClick={() => setWhole(!whole)}
      >
        {whole ? "Show less" : "Show all"}
      </button>
    </div>
  );
}

/** What certainly fits into two lines of the column. */
const SHORT_TEXT = 70;
