import { useState } from "react";
import { Button } from "#app/components/button.tsx";
import { showToast } from "#app/components/toast.ts";
import { getBackend } from "#app/features/session/backend.ts";
import { customerMessage, logFailure } from "#app/lib/failure-message.ts";
import { reportReview } from "./review.queries.ts";

const FAILED = "Failed to report the review";

/** Asks for confirmation before reporting a review to the shop. */
export function ReportReview({ reviewId, onClose }: { reviewId: string; onClose: () => void }) {
  const [busy, setBusy] = useState(false);

  async function report() {
    setBusy(true);
    try {
      await reportReview(await getBackend(), reviewId);
      showToast("success", "Review reported", { description: "Thank you. The shop will look at it." });
      onClose();
    } catch (error) {
      logFailure(FAILED, error);
      showToast("error", FAILED, { description: customerMessage(error) ?? undefined });
      setBusy(false);
    }
  }

  return (
    <>
      <p>If this review is rude, untrue or not about the book, tell the shop. No one will know it was you.</p>
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
