import { useSyncExternalStore } from "react";

let open = false;
const listeners = new Set<() => void>();

export function openCartPanel(): void {
  setOpen(true);
}

export function closeCartPanel(): void {
  setOpen(false);
}

export function useCartPanelOpen(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => open,
    () => false,
  );
}

function setOpen(next: boolean): void {
  if (open === next) return;
  open = next;
  for (const listener of listeners) listener();
}
