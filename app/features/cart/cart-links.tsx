import { Link } from "react-router";
import { Button, buttonClass } from "#app/components/button.tsx";
import { openCartPanel } from "./cart-panel-store.ts";

/** Where to go once books have been added to the cart. */
export function CartLinks() {
  return (
    <div className="mt-3 flex flex-wrap gap-3">
      <Button variant="secondary" onClick={openCartPanel}>
        View Cart
      </Button>
      <Link to="/checkout" className={buttonClass()}>
        Proceed to Checkout
      </Link>
    </div>
  );
}
