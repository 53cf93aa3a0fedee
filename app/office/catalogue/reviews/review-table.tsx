import { useState } from "react";
import { Badge } from "#app/components/badge.tsx";
import { ConfirmDialog } from "#app/components/confirm-dialog.tsx";
import { publisherName } from "#app/features/books/book.ts";
import { useListState } from "#app/lib/react/list-state.ts";
import type { DataColumn } from "#app/office/components/data-column.ts";
import { IconAction } from "#app/office/components/icon-action.tsx";
import { ListFilter } from "#app/office/components/list-filter.tsx";
import { ShowAllButton } from "#app/office/components/show-all-button.tsx";
import { useAdminMutation, useAdminQuery } from "#app/office/frame/admin-data.ts";
import { AdminList } from "#app/office/frame/admin-list.tsx";
import { useDuty } from "#app/office/frame/duties.tsx";
import { customerColumn, dateColumn } from "#app/office/frame/list-columns.tsx";
import {
  listReviews,
  moderateReview,
  REVIEW_SORT_KEYS,
  type ReviewRow,
  removeReview,
} from "./review.admin-queries.ts";
import { ReviewStars } from "./review-stars.tsx";

const newestFirst = { key: "created_at", descending: true } as const;
const RATINGS = [5, 4, 3, 2, 1];

const ratingChoices = RATINGS.map((rating) => ({ value: String(rating), label: `${rating}/5` }));

const states = [
  { value: "reported", label: "Reported" },
  { value: "hidden", label: "Hidden" },
] as const;

export function ReviewTable() {
  const state = useListState(REVIEW_SORT_KEYS, newestFirst);
  const rating = RATINGS.find((one) => String(one) === state.filter("rating")) ?? 0;
  const shown = states.find(({ value }) => value === state.filter("state"))?.value ?? "";
  // An invalid value in the URL is ignored.
  const validState = {
    ...state,
    filter: (name: string) => (name === "state" ? shown : rating ? String(rating) : ""),
  };
  const query = { page: state.page, q: state.q, sort: state.sort, rating, state: shown };
  const reviews = useAdminQuery(["reviews", query], (client) => listReviews(client, query), {
    keepPrevious: true,
  });
  const mayDelete = useDuty("deletions");
  const [toDelete, setToDelete] = useState<ReviewRow | null>(null);
  const remove = useAdminMutation({
    run: (client, id: string) => removeReview(client, id),
    success: () => ({ title: "Review deleted successfully", description: "You can restore it in Activity." }),
    failure: "Failed to delete review",
  });
  const moderate = useAdminMutation({
    run: moderateReview,
    success: (_, { hidden }) => ({ title: hidden ? "Review hidden" : "Review shown" }),
    failure: "Failed to change the review",
  });
  return (
    <>
      <AdminList
        label="Reviews"
        one="review"
        many="reviews"
        columns={columnsWith({ onDelete: mayDelete ? setToDelete : null, onModerate: moderate.mutate })}
        rowId={(review) => review.id}
        page={reviews}
        state={state}
        sortKeys={REVIEW_SORT_KEYS}
        search="Search book, customer, review"
        filters={
          <>
            <ListFilter
              name="rating"
              label="Filter by rating"
              all="All ratings"
              choices={ratingChoices}
              state={validState}
            />
            <ListFilter
              name="state"
              label="Filter by state"
              all="All reviews"
              choices={states}
              state={validState}
            />
          </>
        }
        empty="No reviews found"
      />
      <ConfirmDialog
        open={toDelete !== null}
        question="Are you sure you want to delete this review?"
        confirmLabel="Delete Review"
        onConfirm={() => toDelete && remove.mutate(toDelete.id)}
        onClose={() => setToDelete(null)}
      >
        {toDelete && (
          <p>
            {toDelete.rating}/5 for <bdi className="font-semibold text-ink">{toDelete.book_title}</bdi> by{" "}
            <bdi>{reviewerOf(toDelete)}</bdi>
          </p>
        )}
      </ConfirmDialog>
    </>
  );
}

type Actions = {
  /** Null without the duty. */
  onDelete: ((review: ReviewRow) => void) | null;
  onModerate: (change: { id: string; hidden: boolean }) => void;
};

function columnsWith({ onDelete, onModerate }: Actions): readonly DataColumn<ReviewRow>[] {
  return [
    {
      id: "book",
      header: "Book",
      card: "title",
      cell: (review) => (
        <>
          <p className="font-semibold wrap-anywhere">{review.book_title}</p>
          <p className="text-13 font-normal text-muted">{publisherName(review.book_publisher)}</p>
        </>
      ),
    },
    customerColumn,
    {
      id: "rating",
      descendingFirst: true,
      header: "Rating",
      sorts: "number",
      className: "whitespace-nowrap",
      cell: (row) => <ReviewStars rating={row.rating} />,
    },
    {
      id: "review_text",
      header: "Review",
      className: "@4xl:max-w-80",
      cell: (row) => (
        <div>
          <ReviewText text={row.review_text} />
          <ReviewState review={row} />
        </div>
      ),
    },
    dateColumn,
    {
      id: "actions",
      header: "Actions",
      card: "actions",
      className: "@max-4xl:-ml-3 @4xl:w-36 @4xl:py-0.5",
      cell: (review) => {
        const which = `the review of ${review.book_title} by ${reviewerOf(review)}`;
        const hidden = review.hidden_at !== null;
        return (
          <span className="flex">
            {review.reports > 0 && (
              <IconAction
                icon="check"
                label={`Keep ${which}`}
                onClick={() => onModerate({ id: review.id, hidden: false })}
              />
            )}
            <IconAction
              icon={hidden ? "eye" : "eye-off"}
              label={`${hidden ? "Show" : "Hide"} ${which}`}
              onClick={() => onModerate({ id: review.id, hidden: !hidden })}
            />
            {onDelete && (
              <IconAction icon="trash" label={`Delete ${which}`} onClick={() => onDelete(review)} />
            )}
          </span>
        );
      },
    },
  ];
}

function ReviewState({ review: { hidden_at, reports } }: { review: ReviewRow }) {
  if (hidden_at !== null)
    return (
      <p className="mt-1">
        <Badge variant="outline">Hidden</Badge>
      </p>
    );
  if (reports > 0)
    return (
      <p className="mt-1">
        <Badge variant="warning">
          {reports === 1 ? "Reported by 1 reader" : `Reported by ${reports} readers`}
        </Badge>
      </p>
    );
  return null;
}

/** Two lines of the text; Show all expands a longer one. */
function ReviewText({ text }: { text: string | null }) {
  const [whole, setWhole] = useState(false);
  if (!text) return <span className="text-muted">No review text</span>;
  if (text.length <= SHORT_TEXT) return <span className="wrap-anywhere">{text}</span>;
  return (
    <div>
      <p className={whole ? "wrap-anywhere whitespace-pre-line" : "line-clamp-2 wrap-anywhere"}>{text}</p>
      <ShowAllButton whole={whole} onChange={setWhole} />
    </div>
  );
}

/** Always fits into two lines of the column. */
const SHORT_TEXT = 70;

function reviewerOf({ customer_name, customer_email }: ReviewRow): string {
  return customer_name || customer_email || "N/A";
}
