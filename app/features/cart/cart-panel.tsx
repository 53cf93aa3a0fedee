import { type ReactNode, useId, useRef, useState } from "react";
import { Link, useNavigate } from "react-router";
import { Badge } from "#app/components/badge.tsx";
import { Button, buttonClass } from "#app/components/button.tsx";
import { EmptyCartDrawing } from "#app/components/drawings/empty-cart-drawing.tsx";
import { Icon } from "#app/components/icon.tsx";
import { LoadFailed } from "#app/components/load-failed.tsx";
import { SidePanel } from "#app/components/side-panel.tsx";
import { showToast } from "#app/components/toast.ts";
import { SavedNote } from "#app/features/offline/saved-note.tsx";
import { confirmSession } from "#app/features/session/check-session.ts";
import { useStore } from "#app/lib/react/create-store.ts";
import { countItems } from "./cart.ts";
import { CartLineItem } from "./cart-line-item.tsx";
import { cartPanelOpen, closeCartPanel } from "./cart-panel-store.ts";
import { cartMessages } from "./cart-store.ts";
import { CartSummary } from "./cart-summary.tsx";
import { cart, useCart } from "./use-cart.ts";

const SIGN_IN_FIRST = "Please sign in to checkout";

export function CartPanel() {
  const open = useStore(cartPanelOpen);
  const { status, lines } = useCart();
  const title = useRef<HTMLHeadingElement>(null);
  const titleId = useId();

  function remove(lineId: string) {
    cart.remove(lineId);
    // The clicked button is removed with its line: the focus must stay in the panel.
    title.current?.focus();
  }

  return (
    <SidePanel open={open} onClose={closeCartPanel} labelledBy={titleId}>
      <div className="flex items-center gap-3 border-b border-line px-5 py-3">
        <h2
          ref={title}
          id={titleId}
          tabIndex={-1}
          className="text-20 whitespace-nowrap outline-none sm:text-25"
        >
          Shopping Cart
        </h2>
        <Badge variant="secondary">{countItems(lines)} items</Badge>
        <button
          type="button"
          aria-label="Close cart"
          onClick={closeCartPanel}
          className="-mr-2.5 ml-auto grid size-11 place-items-center rounded-control hover:bg-tint"
        >
          <Icon name="close" />
        </button>
      </div>
      <SavedNote list="cart" onTryAgain={() => void cart.load()} className="px-5 pt-3" />
      {status === "loading" && <Notice>Loading cart...</Notice>}
      {status === "failed" && (
        <LoadFailed
          text={cartMessages.loadFailed}
          onTryAgain={() => void cart.load()}
          className="grow px-5 py-10"
        />
      )}
      {(status === "signed-out" || (status === "ready" && lines.length === 0)) && (
        <Empty signedOut={status === "signed-out"} />
      )}
      {status === "ready" && lines.length > 0 && (
        <>
          <div className="min-h-48 grow overflow-y-auto overscroll-contain px-5">
            <ul aria-label="Books in the cart">
              {lines.map((line) => (
                <CartLineItem
                  key={line.id}
                  line={line}
                  onQuantity={(quantity) =>
                    quantity > 0 ? cart.setQuantity(line.id, quantity) : remove(line.id)
                  }
                  onRemove={() => remove(line.id)}
                />
              ))}
            </ul>
            <Button
              variant="quiet"
              size="small"
              className="mb-4 -ml-3"
              onClick={() => {
                void cart.clear();
                title.current?.focus();
              }}
            >
              Clear cart
            </Button>
          </div>
          <div className="border-t border-line bg-surface px-5 pt-4 pb-[max(1rem,env(safe-area-inset-bottom))]">
            <CartSummary lines={lines} />
            <ProceedButton />
            <Link
              to="/quotes/new"
              className={buttonClass({ variant: "quiet", size: "small", className: "mt-1 w-full" })}
            >
              Request a quote
            </Link>
          </div>
        </>
      )}
    </SidePanel>
  );
}

function ProceedButton() {
  const [busy, setBusy] = useState(false);
  const navigate = useNavigate();

  async function proceed() {
    setBusy(true);
    const user = await confirmSession().finally(() => setBusy(false));
    closeCartPanel();
    if (user) {
      await navigate("/checkout");
      focusPage();
    } else
      showToast("error", SIGN_IN_FIRST, { action: { label: "Sign In", onClick: () => navigate("/auth") } });
  }

  return (
    <Button size="large" className="mt-4 w-full" busy={busy} onClick={proceed}>
      Proceed to Checkout
    </Button>
  );
}

/** A closed panel gives the focus back to the header's button, from where a keyboard would have to pass the whole header again. */
function focusPage() {
  const page = document.getElementById("content");
  if (!page) return;
  page.tabIndex = -1;
  page.style.outline = "none";
  page.focus({ preventScroll: true });
}

function Notice({ children }: { children: ReactNode }) {
  return (
    <p role="status" className="grid grow place-items-center text-muted">
      {children}
    </p>
  );
}

function Empty({ signedOut }: { signedOut: boolean }) {
  return (
    <div className="flex grow flex-col items-start gap-3 px-5 py-10">
      <EmptyCartDrawing className="-ml-1 h-28 w-auto" />
      <p className="font-display text-20 font-semibold">Your cart is empty</p>
      <p className="text-muted">Add some books to get started!</p>
      <Link to="/shop" className={buttonClass({ className: "mt-2" })}>
        Browse Books
      </Link>
      {signedOut && (
        <div className="mt-4 w-full border-t border-line pt-5">
          <p className="mb-3">{SIGN_IN_FIRST}</p>
          <Link to="/auth" className={buttonClass({ variant: "secondary" })}>
            Sign In
          </Link>
        </div>
      )}
    </div>
  );
}
