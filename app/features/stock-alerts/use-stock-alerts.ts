import { showToast } from "#app/components/toast.ts";
import { createOwnBookList } from "#app/features/own-lists/own-book-list.ts";
import { customerMessage, logFailure } from "#app/lib/backend/failure-message.ts";
import { useStore } from "#app/lib/react/create-store.ts";

const alerts = createOwnBookList({
  list: "stock-alerts",
  loadGateway: async () => (await import("./read-stock-alerts.ts")).stockAlertsGateway,
  notices: {
    fetchFailed: ["error", "Failed to load the books you're waiting for", "Your requests are saved."],
    added: ["success", "We'll email you", "You'll get one email when it's in stock"],
    already: ["info", "We'll email you", "You've already asked us about this book"],
    addFailed: ["error", "Failed to save your request", "Please try again in a moment."],
    removed: ["success", "Request cancelled", "We won't email you about this book"],
    removeFailed: ["error", "Failed to cancel your request", "Please try again in a moment."],
  },
  onNotice([tone, title, description], error) {
    if (error !== undefined) logFailure(title, error);
    showToast(tone, title, { description: customerMessage(error) ?? description });
  },
});

/** Whether the user is waiting for a book; only that book's button re-renders when it changes. */
export function useIsWaitingFor(bookId: string): boolean {
  return useStore(alerts, ({ bookIds }) => bookIds.includes(bookId));
}

export const addStockAlert = alerts.add;

/** @param signIn opens the sign-in page */
export function toggleStockAlert(bookId: string, signIn: () => void): void {
  void alerts.toggle(bookId, () =>
    showToast("error", "Please sign in so we can email you", {
      action: { label: "Sign In", onClick: signIn },
    }),
  );
}
