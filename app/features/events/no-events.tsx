import { Link } from "react-router";
import { buttonClass } from "#app/components/button.tsx";
import { NoEventsDrawing } from "#app/components/drawings/no-events-drawing.tsx";
import { contact, shopBooks } from "#app/features/site/navigation.ts";

export function NoEvents() {
  return (
    <div className="border-y border-line py-12">
      <NoEventsDrawing className="mb-6 -ml-2 h-36 w-auto" />
      <h2 id="none" className="text-25">
        Sorry, there are no events yet!
      </h2>
      <p className="measure mt-2 text-muted">
        Leave your email address and we'll let you know when a date is set.
      </p>
      <div className="mt-6 flex flex-wrap gap-3">
        <Link to={`${contact.to}?about=events`} className={buttonClass()}>
          Get Notified
        </Link>
        <Link to={shopBooks.to} className={buttonClass({ variant: "secondary" })}>
          Browse Books Instead
        </Link>
      </div>
    </div>
  );
}
