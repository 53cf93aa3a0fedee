import { createStore } from "#app/lib/react/create-store.ts";

/** Whether the cart panel is open. */
export const cartPanelOpen = createStore(false);

export function openCartPanel(): void {
  cartPanelOpen.set(true);
}

export function closeCartPanel(): void {
  cartPanelOpen.set(false);
}
