import { useEffect } from "react";
import { Icon } from "#app/components/icon.tsx";
import { showToast } from "#app/components/toast.ts";
import { loadToaster } from "#app/components/toast-host.tsx";
import { lateOffline } from "#app/features/offline/late-offline.ts";
import { logFailure, unreachableMessage } from "#app/lib/backend/failure-message.ts";
import { savesData } from "#app/lib/browser/saved-data.ts";
import { createLazyModule } from "#app/lib/react/create-lazy-module.ts";
import { useStore } from "#app/lib/react/create-store.ts";
import { useOnLocation } from "#app/lib/react/use-on-location.ts";
import { countItems } from "./cart.ts";
import { cartPanelOpen, closeCartPanel, openCartPanel } from "./cart-panel-store.ts";
import { cartMessages } from "./cart-store.ts";
import { cart, useCart } from "./use-cart.ts";

const loadPanel = () => import("./cart-panel.tsx");

const lazyPanel = createLazyModule(loadPanel, (error) => {
  if (!cartPanelOpen.get()) return;
  // The next click retries.
  closeCartPanel();
  logFailure(cartMessages.loadFailed, error);
  showToast("error", cartMessages.loadFailed, { description: unreachableMessage() });
});

cartPanelOpen.subscribe(() => {
  if (!cartPanelOpen.get()) return;
  void lazyPanel.fetch();
  // Prices and stock may have changed since the page was loaded.
  if (cart.get().status === "ready") void cart.load({ quiet: true });
});

/** Prefetches; when that fails, the click reports the error. */
function prefetch(load: () => Promise<unknown>): void {
  load().catch(() => undefined);
}

/**
 * The cart button in the header, with the number of copies. The panel's code is prefetched on hover or focus, when a
 * member's cart loads, and for visitors later, because the connection may be lost by the time they open it.
 */
export function CartButton() {
  const { status, lines, additions } = useCart();
  const panel = useStore(lazyPanel);
  useOnLocation(closeCartPanel);

  const isSettled = useStore(lateOffline) !== null && !savesData();
  const isWanted = status === "ready" || isSettled;
  useEffect(() => {
    if (!isWanted) return;
    // One task each, to avoid one long task: starting a module's fetches is slow.
    for (const load of [loadPanel, loadToaster]) setTimeout(prefetch, 0, load);
  }, [isWanted]);

  const items = countItems(lines);
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={openCartPanel}
        onPointerEnter={() => prefetch(loadPanel)}
        onFocus={() => prefetch(loadPanel)}
        className="relative grid size-11 place-items-center rounded-control hover:bg-tint"
      >
        <Icon name="cart" size={24} />
        <span className="sr-only">Shopping cart, {items} items</span>
        {items > 0 && (
          <span
            // A new key replays the animation.
            key={additions}
            aria-hidden="true"
            className={`figures absolute top-0 -right-1.5 min-w-5 rounded-full bg-gold px-1 text-center text-13 font-semibold text-ink ${additions > 0 ? "animate-bump" : ""}`}
          >
            {items}
          </span>
        )}
      </button>
      {/* Stays mounted once it has been opened, so that it can slide out. */}
      {panel && <panel.CartPanel />}
    </>
  );
}
