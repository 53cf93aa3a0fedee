import { useState } from "react";
import { useRevalidator } from "react-router";
import { Button } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { TextareaField } from "#app/components/field.tsx";
import { LoadFailed } from "#app/components/load-failed.tsx";
import { showToast } from "#app/components/toast.ts";
import { useForm } from "#app/components/use-form.ts";
import { getBackend } from "#app/features/session/backend.ts";
import { customerMessage, logFailure } from "#app/lib/backend/failure-message.ts";
import { useRead } from "#app/lib/react/use-read.ts";
import { ONLY_BUYERS } from "./only-buyers.ts";
import { deleteOwnReview, findOwnReview, type OwnReview, writeReview } from "./review.queries.ts";
import { StarField } from "./star-field.tsx";

const NO_RATING = "Please choose a star rating";

type OwnReviewFormProps = { userId: string; bookId: string; onClose: () => void };

/** Where customers write, change or delete their review of a book that they have ordered. */
export function OwnReviewForm({ userId, bookId, onClose }: OwnReviewFormProps) {
  const read = useRead(`${userId} ${bookId}`, async () => findOwnReview(await getBackend(), bookId), {
    onFailure: (error) => logFailure("Failed to read the review", error),
  });
  if (read.status === "loading") return <p className="min-h-72 text-muted">Loading…</p>;
  if (!read.result) return <LoadFailed text="We couldn't load your review." onTryAgain={read.retry} />;
  if (!read.result.mayReview && read.result.rating === null) return <p>{ONLY_BUYERS}</p>;
  return <ReviewForm bookId={bookId} review={read.result} onClose={onClose} />;
}

function ReviewForm({ bookId, review, onClose }: { bookId: string; review: OwnReview; onClose: () => void }) {
  const { revalidate } = useRevalidator();
  const [deleting, setDeleting] = useState(false);
  const form = useForm({
    fields: { rating: review.rating ?? 0, review: review.text ?? "" },
    rules: ({ rating }) => ({ rating: rating === 0 ? NO_RATING : null }),
    send: ({ rating, review: text }) =>
      deleting ||
      run("Review saved", "Failed to save the review", async () =>
        writeReview(await getBackend(), { bookId, rating, text }),
      ),
  });
  const busy = form.busy || deleting;

  async function run(done: string, failed: string, change: () => Promise<void>) {
    try {
      await change();
      showToast("success", done, { description: "It will appear on the page within a minute." });
      void revalidate();
      onClose();
    } catch (error) {
      logFailure(failed, error);
      showToast("error", failed, { description: customerMessage(error) ?? undefined });
    }
  }

  async function remove() {
    if (busy) return;
    setDeleting(true);
    await run("Review deleted", "Failed to delete the review", async () =>
      deleteOwnReview(await getBackend(), bookId),
    );
    setDeleting(false);
  }

  return (
    <form {...form.formProps} method="dialog">
      {review.hidden && (
        <div className="mb-5">
          <Callout tone="warning">The shop has hidden your review. No one else can see it.</Callout>
        </div>
      )}
      <StarField
        legend="Rating"
        value={form.values.rating}
        error={form.errors.rating ?? null}
        onChange={(stars) => form.change("rating", stars)}
      />
      <TextareaField
        className="mt-5"
        label="Review (optional)"
        maxLength={2000}
        hint="Shown with your first name only."
        {...form.field("review")}
      />
      <div className="mt-6 flex flex-wrap justify-end gap-3 max-sm:flex-col-reverse">
        {review.rating !== null && (
          <Button variant="quiet-danger" busy={busy} className="sm:mr-auto" onClick={() => void remove()}>
            Delete Review
          </Button>
        )}
        <Button variant="secondary" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" busy={busy}>
          {busy ? "Saving…" : "Save Review"}
        </Button>
      </div>
    </form>
  );
}
