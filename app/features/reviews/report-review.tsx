import { useState } from "react";
import { Button } from "#app/components/button.tsx";
import { showToast } from "#app/components/toast.ts";
import { getBackend } from "#app/features/session/backend.ts";
import { customerMessage, logFailure } from "#app/lib/backend/failure-message.ts";
import { reportReview } from "./review.queries.ts";

const FAILED = "Failed to report the review";
const REPORTED = "Thank you. Our staff will look at it. Until then it stays on the page.";

/** Asks for confirmation before reporting a review to the shop, then thanks for the report. */
export function ReportReview({ reviewId, onClose }: { reviewId: string; onClose: () => void }) {
  const [state, setState] = useState<"asking" | "sending" | "sent">("asking");

  async function report() {
    setState("sending");
    try {
      await reportReview(await getBackend(), reviewId);
      setState("sent");
    } catch (error) {
      logFailure(FAILED, error);
      showToast("error", FAILED, { description: customerMessage(error) ?? undefined });
      setState("asking");
    }
  }

  if (state === "sent")
    return (
      <>
        <p role="status">{REPORTED}</p>
        <div className="mt-6 flex justify-end">
          <Button autoFocus onClick={onClose}>
            Close
          </Button>
        </div>
      </>
    );
  const busy = state === "sending";
  return (
    <>
      <p>If this review is rude, untrue or not about the book, tell the shop. No one will know it was you.</p>
      <p className="mt-3">
        Our staff decide whether it is taken down. It stays on the page until they have looked at it.
      </p>
      <div className="mt-6 flex flex-wrap justify-end gap-3 max-sm:flex-col">
        <Button variant="secondary" onClick={onClose}>
          Cancel
        </Button>
        <Button busy={busy} onClick={() => void report()}>
          {busy ? "Reporting…" : "Report Review"}
        </Button>
      </div>
    </>
  );
}
