import { createStore, useStore } from "#app/lib/react/create-store.ts";

export type ToastAction = { label: string; onClick: () => void };

export type Toast = {
  /** Short toasts, and notices with a title and description, are two systems (spec section 9). */
  system: "toast" | "notice";
  tone: "success" | "error" | "info";
  title: string;
  description?: string;
  action?: ToastAction;
};

let deliver: ((toast: Toast) => void) | null = null;
const queue: Toast[] = [];

/** How many toasts were queued because the toaster was not loaded. */
export const queuedToasts = createStore(0);

/** A short toast, with an optional second line and action; at most 3 are visible. */
export function showToast(
  tone: Toast["tone"],
  title: string,
  more: { description?: string; action?: ToastAction } = {},
): void {
  show({ system: "toast", tone, title, ...more });
}

/** A notice with a title and description; at most 1 is visible. */
export function showNotice(tone: Toast["tone"], title: string, description?: string): void {
  show({ system: "notice", tone, title, description });
}

function show(toast: Toast): void {
  if (deliver) {
    deliver(toast);
    return;
  }
  queue.push(toast);
  queuedToasts.set(queuedToasts.get() + 1);
}

/** Called by the toaster once it is loaded; it gets the queued toasts. */
export function connectToasts(show: (toast: Toast) => void): void {
  deliver = show;
  for (const toast of queue.splice(0)) show(toast);
}

/** The open dialogs, the topmost last. */
export const toastLayers = createStore<readonly HTMLElement[]>([]);

/**
 * A modal dialog covers everything outside it and makes it inert: while one is open, toasts are rendered inside it.
 * Returns the function that leaves the layer.
 */
export function enterToastLayer(dialog: HTMLElement): () => void {
  toastLayers.set([...toastLayers.get(), dialog]);
  return () => toastLayers.set(toastLayers.get().filter((layer) => layer !== dialog));
}

/** The topmost open dialog; null when toasts belong to the page itself. */
export function useToastLayer(): HTMLElement | null {
  return useStore(toastLayers, (open) => open.at(-1) ?? null);
}
