import { useState } from "react";
import { Button } from "#app/components/button.tsx";
import { showToast } from "#app/components/toast.ts";
import { getBackend } from "#app/features/session/backend.ts";
import { customerMessage, logFailure } from "#app/lib/backend/failure-message.ts";
import { requireConnection } from "#app/lib/browser/offline.ts";
import { openPayment } from "./payment.queries.ts";

const FAILED = "Failed to open the payment";
const UNAVAILABLE =
  "Online payment isn't available at the moment. You haven't been charged. Please try again later.";

type PayNowProps = {
  orderId: string;
  /** Names the order for screen readers where the page has several. */
  label?: string;
  size?: "small" | "large";
  /** The order turned out to be paid or impossible to pay: the page is out of date. */
  onOutdated: () => void;
};

/** Opens Paystack's page, where the customer pays what is due. */
export function PayNow({ orderId, label, size = "large", onOutdated }: PayNowProps) {
  const [busy, setBusy] = useState(false);

  async function pay() {
    setBusy(true);
    try {
      requireConnection();
      const address = await openPayment(await getBackend(), orderId);
      // Busy until Paystack's page opens.
      if (address) return window.location.assign(address);
      onOutdated();
    } catch (error) {
      logFailure(FAILED, error);
      showToast("error", FAILED, { description: customerMessage(error) ?? UNAVAILABLE });
      onOutdated();
    }
    setBusy(false);
  }

  return (
    <Button size={size} busy={busy} aria-label={label} onClick={() => void pay()}>
      Pay now
    </Button>
  );
}
