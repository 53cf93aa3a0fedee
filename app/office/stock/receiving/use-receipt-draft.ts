import { useEffect, useState } from "react";
import { getBackend } from "#app/features/session/backend.ts";
import { logFailure } from "#app/lib/backend/failure-message.ts";
import { holdLock } from "#app/lib/browser/hold-lock.ts";
import { isReceiptBooked } from "./receipt.admin-queries.ts";
import { draftKey, type ReceiptDraft, receiptDraft } from "./receipt-draft.ts";

/** Another tab may be about to close; so is this page's previous instance during a reload. */
const LOCK_TIMEOUT_MS = 1000;

export type OpenedDraft = {
  /** What was counted here before; null for a new receipt. */
  draft: ReceiptDraft | null;
  /** Whether this tab keeps what is typed: another one with the same form may do so instead. */
  isKept: boolean;
};

/** The draft of a purchase order's receipt, or of one without an order; undefined until it is known. */
export function useReceiptDraft(purchaseId: string | null): OpenedDraft | undefined {
  const [opened, setOpened] = useState<OpenedDraft>();
  useEffect(
    () =>
      holdLock(draftKey(purchaseId), {
        timeoutMs: LOCK_TIMEOUT_MS,
        onKnown: async (isKept) => setOpened({ draft: isKept ? await openDraft(purchaseId) : null, isKept }),
      }),
    [purchaseId],
  );
  return opened;
}

async function openDraft(purchaseId: string | null): Promise<ReceiptDraft | null> {
  const stored = receiptDraft(purchaseId);
  const draft = stored.read(Date.now());
  if (!draft) return null;
  try {
    // The response was lost, but the receipt was booked. Booking it again would change nothing, even with new counts.
    if (!(await isReceiptBooked(await getBackend(), draft.id))) return draft;
    stored.remove();
    return null;
  } catch (error) {
    logFailure("Failed to look up a receipt", error);
    return draft;
  }
}
