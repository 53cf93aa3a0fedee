import { useSyncExternalStore } from "react";

export type ToastAction = { label: string; onClick: () => void };

export type Toast = {
  /** Short toasts and title-and-description notices are two systems (spec section 9). */
  system: "toast" | "notice";
  tone: "success" | "error" | "info";
  title: string;
  description?: string;
  action?: ToastAction;
};

let deliver: ((toast: Toast) => void) | null = null;
/** How many messages were shown before they could be drawn: each asks for the drawing side again. */
let wanted = 0;
const waiting: Toast[] = [];
const listeners = new Set<() => void>();

/** A short toast, with an optional second line and action; at most 3 are visible. */
export function showToast(
  tone: Toast["tone"],
  title: string,
  more: { description?: string; action?: ToastAction } = {},
): void {
  show({ system: "toast", tone, title, ...more });
}

/** A notice with title and description; at most 1 is visible. */
export function showNotice(tone: Toast["tone"], title: string, description?: string): void {
  show({ system: "notice", tone, title, description });
}

function show(toast: Toast): void {
  if (deliver) {
    deliver(toast);
    return;
  }
  waiting.push(toast);
  wanted += 1;
  for (const listener of listeners) listener();
}

/** The drawing side announces itself once it is loaded, and gets what was shown before. */
export function connectToasts(show: (toast: Toast) => void): void {
  deliver = show;
  for (const toast of waiting.splice(0)) show(toast);
}

/** Grows with each message that waits to be drawn; 0 until the first, and the drawing side is not downloaded. */
export function useToastsWanted(): number {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => wanted,
    () => 0,
  );
}

let layers: readonly HTMLElement[] = [];
const layerListeners = new Set<() => void>();

/**
 * A modal dialog makes everything outside it inert and covers it: while one is open, messages are drawn inside it.
 * Returns the way to leave.
 */
export function enterToastLayer(dialog: HTMLElement): () => void {
  setLayers([...layers, dialog]);
  return () => setLayers(layers.filter((layer) => layer !== dialog));
}

/** The topmost open dialog; null when messages belong to the page itself. */
export function useToastLayer(): HTMLElement | null {
  return useSyncExternalStore(
    (listener) => {
      layerListeners.add(listener);
      return () => layerListeners.delete(listener);
    },
    () => layers.at(-1) ?? null,
    () => null,
  );
}

function setLayers(next: readonly HTMLElement[]): void {
  layers = next;
  for (const listener of layerListeners) listener();
}
