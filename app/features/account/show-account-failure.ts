import { showToast } from "#app/components/toast.ts";
import { customerMessage, logFailure, unreachableMessage } from "#app/lib/backend/failure-message.ts";

/** Logs and shows why a call of the accounts failed: the provider's own message, or that the shop can't be reached. */
export function showAccountFailure(what: string, error: unknown): void {
  logFailure(what, error);
  showToast("error", customerMessage(error) ?? unreachableMessage());
}
