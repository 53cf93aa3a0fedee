import { Link } from "react-router";
import { buttonClass } from "#app/components/button.tsx";

/** CGP is what parents buy one by one and schools by the hundred: its page ends with a way for each. */
export function CgpExtras() {
  return (
    <section aria-labelledby="cgp-orders" className="bg-tint">
      <div className="page grid items-end gap-6 py-14 lg:grid-cols-[1fr_auto]">
        <div>
          <h2 id="cgp-orders" className="text-25 sm:text-32">
            One copy or a class set
          </h2>
          <p className="measure mt-2">
            Single copies are ordered in the shop. For a year group, write to us: we check the editions with
            you before they are packed.
          </p>
        </div>
        <div className="flex flex-wrap gap-3">
          <Link to="/shop" className={buttonClass({ size: "large" })}>
            Shop Online
          </Link>
          <Link to="/contact" className={buttonClass({ variant: "secondary", size: "large" })}>
            Contact for Bulk Orders
          </Link>
        </div>
      </div>
    </section>
  );
}
