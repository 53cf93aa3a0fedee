import { useState } from "react";
import { Button } from "#app/components/button.tsx";
import { getBackend } from "#app/features/session/backend.ts";
import { logFailure } from "#app/lib/backend/failure-message.ts";
import { isUnanswered } from "#app/lib/backend/retry-rule.ts";
import { useRead } from "#app/lib/react/use-read.ts";
import { ONLY_BUYERS } from "./only-buyers.ts";
import { findOwnReview } from "./review.queries.ts";
import { ReviewDialog } from "./review-dialog.tsx";

type OwnReviewProps = { userId: string; book: { id: string; title: string } };

/** A member's way to their review of a book that they have ordered; others read why they have none. */
export function OwnReview({ userId, book }: OwnReviewProps) {
  const [open, setOpen] = useState(false);
  const { status, result, retry } = useRead(
    `${userId} ${book.id}`,
    async () => findOwnReview(await getBackend(), book.id),
    {
      // Without a connection this fails when the backend client times out, half a minute after the page has said so.
      onFailure: (error) => !isUnanswered(error) && logFailure("Failed to read the review", error),
    },
  );
  if (status === "loading" && !open) return null;
  if (result && !result.mayReview && result.rating === null)
    return <p className="text-15 text-muted">{ONLY_BUYERS}</p>;

  function close() {
    setOpen(false);
    retry();
  }

  return (
    <>
      <Button variant="secondary" onClick={() => setOpen(true)}>
        {result && result.rating !== null ? "Edit Your Review" : "Write a Review"}
      </Button>
      {open && <ReviewDialog book={book} reported={null} onClose={close} />}
    </>
  );
}
