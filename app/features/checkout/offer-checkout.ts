import type { NavigateFunction } from "react-router";
import { showToast } from "#app/components/toast.ts";
import { hasDraft } from "./checkout-draft.ts";

/** After a sign-in, offers to return to a checkout in this tab that was interrupted when the session ended. */
export function offerCheckout(userId: string, navigate: NavigateFunction): void {
  if (!hasDraft(userId)) return;
  showToast("info", "Your checkout is as you left it", {
    action: { label: "Go to Checkout", onClick: () => void navigate("/checkout") },
  });
}
