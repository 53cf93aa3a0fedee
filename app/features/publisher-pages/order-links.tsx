import { Link } from "react-router";
import { buttonClass } from "#app/components/button.tsx";

/** For publishers that parents buy one copy at a time and schools by the hundred: the page ends with a link for each. */
export function OrderLinks() {
  return (
    <section aria-labelledby="order-links" className="bg-tint">
      <div className="page grid items-end gap-6 py-14 lg:grid-cols-[1fr_auto]">
        <div>
          <h2 id="order-links" className="text-25 sm:text-32">
            One copy or a class set
          </h2>
          <p className="measure mt-2">
            Order single copies in the shop. For a year group, write to us: we'll check the editions with you
            before we pack them.
          </p>
        </div>
        <div className="flex flex-wrap gap-3">
          <Link to="/shop" className={buttonClass({ size: "large" })}>
            Shop Online
          </Link>
          <Link to="/contact?about=bulk" className={buttonClass({ variant: "secondary", size: "large" })}>
            Contact for Bulk Orders
          </Link>
        </div>
      </div>
    </section>
  );
}
