import { useEffect } from "react";
import { Icon } from "#app/components/icon.tsx";
import { showToast } from "#app/components/toast.ts";
import { loadToaster } from "#app/components/toast-host.tsx";
import { useLate } from "#app/components/use-late.ts";
import { logFailure, UNREACHABLE } from "#app/lib/backend-failure.ts";
import { countItems } from "./cart.ts";
import { closeCartPanel, openCartPanel, useCartPanelOpen } from "./cart-panel-store.ts";
import { cartMessages } from "./cart-store.ts";
import { useCart } from "./use-cart.ts";

const loadPanel = () => import("./cart-panel.tsx");

const late = {
  load: loadPanel,
  onFailure(error: unknown) {
    // The next press tries again.
    closeCartPanel();
    logFailure(cartMessages.loadFailed, error);
    showToast("error", cartMessages.loadFailed, { description: UNREACHABLE });
  },
};

/** Fetches ahead; without a connection the press itself tells. */
function fetchAhead(load: () => Promise<unknown>): void {
  load().catch(() => undefined);
}

/**
 * The header's way to the cart, with the number of copies in it. The panel's code comes when somebody reaches for
 * it, and with the cart of a member, who will need it on a line that may be gone by then.
 */
export function CartButton() {
  const { status, lines, additions } = useCart();
  const open = useCartPanelOpen();
  const panel = useLate(open, late);

  useEffect(() => {
    if (status !== "ready") return;
    fetchAhead(loadPanel);
    fetchAhead(loadToaster);
  }, [status]);

  const items = countItems(lines);
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={openCartPanel}
        onPointerEnter={() => fetchAhead(loadPanel)}
        onFocus={() => fetchAhead(loadPanel)}
        className="relative grid size-11 place-items-center rounded-control hover:bg-tint"
      >
        <Icon name="cart" size={24} />
        <span className="sr-only">Shopping cart, {items} items</span>
        {items > 0 && (
          <span
            // A new key plays the bump again.
            key={additions}
            aria-hidden="true"
            className={`figures absolute top-0 -right-1.5 min-w-5 rounded-full bg-gold px-1 text-center text-13 font-semibold text-ink ${additions > 0 ? "animate-bump" : ""}`}
          >
            {items}
          </span>
        )}
      </button>
      {/* Kept in the page once it was opened, so that it can slide out. */}
      {panel && <panel.CartPanel />}
    </>
  );
}
