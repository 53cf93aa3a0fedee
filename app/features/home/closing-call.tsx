import { Link } from "react-router";
import { buttonClass } from "#app/components/button.tsx";
import { contact, guidance } from "#app/features/site/navigation.ts";

export function ClosingCall() {
  return (
    <section aria-labelledby="closing" className="mt-20 bg-tint sm:mt-28">
      <div className="page grid items-end gap-8 py-14 sm:py-20 lg:grid-cols-[1fr_auto]">
        <div>
          <h2 id="closing" className="text-32">
            Not sure which book fits your class?
          </h2>
          <p className="measure mt-3">
            Tell us the stage, the subject and the number of pupils, and ask us what to order.
          </p>
        </div>
        <div className="flex flex-wrap gap-3">
          <Link to={guidance.to} className={buttonClass({ size: "large" })}>
            Get Resource Guidance
          </Link>
          <Link to={contact.to} className={buttonClass({ variant: "secondary", size: "large" })}>
            {contact.label}
          </Link>
        </div>
      </div>
    </section>
  );
}
