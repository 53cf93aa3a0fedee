import { type FormEvent, useState } from "react";
import { useRevalidator } from "react-router";
import { Button } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { TextareaField } from "#app/components/field.tsx";
import { LoadFailed } from "#app/components/load-failed.tsx";
import { showToast } from "#app/components/toast.ts";
import { getBackend } from "#app/features/session/backend.ts";
import { customerMessage, logFailure } from "#app/lib/failure-message.ts";
import { useRead } from "#app/lib/use-read.ts";
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
  const [rating, setRating] = useState(review.rating ?? 0);
  const [text, setText] = useState(review.text ?? "");
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const { revalidate } = useRevalidator();

  function choose(stars: number) {
    setRating(stars);
    setProblem(null);
  }

  async function run(done: string, failed: string, change: () => Promise<void>) {
    if (busy) return;
    setBusy(true);
    try {
      await change();
      showToast("success", done, { description: "It will appear on the page within a minute." });
      void revalidate();
      onClose();
    } catch (error) {
      logFailure(failed, error);
      showToast("error", failed, { description: customerMessage(error) ?? undefined });
      setBusy(false);
    }
  }

  async function save(event: FormEvent) {
    event.preventDefault();
    setProblem(rating === 0 ? NO_RATING : null);
    if (rating === 0) return;
    await run("Review saved", "Failed to save the review", async () =>
      writeReview(await getBackend(), { bookId, rating, text }),
    );
  }

  const remove = () =>
    run("Review deleted", "Failed to delete the review", async () =>
      deleteOwnReview(await getBackend(), bookId),
    );

  return (
    <form method="dialog" noValidate onSubmit={(event) => void save(event)}>
      {review.hidden && (
        <div className="mb-5">
          <Callout tone="warning">The shop has hidden your review. No one else can see it.</Callout>
        </div>
      )}
      <StarField legend="Rating" value={rating} error={problem} onChange={choose} />
      <TextareaField
        className="mt-5"
        label="Review (optional)"
        name="review"
        maxLength={2000}
        hint="Shown with your first name only."
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <div className="mt-6 flex flex-wrap justify-end gap-3 max-sm:flex-col-reverse">
        {review.rating !== null && (
          <Button variant="quietDanger" busy={busy} className="sm:mr-auto" onClick={() => void remove()}>
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
