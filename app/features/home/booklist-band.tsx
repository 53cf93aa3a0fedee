import { Form, Link } from "react-router";
import { buttonClass } from "#app/components/button.tsx";
import { controlClass } from "#app/components/control.ts";
import { booklists, bulkOrder } from "#app/features/site/navigation.ts";

/** For families with a school's list code, and schools with a list of their own. A plain form, so that it needs no JavaScript. */
export function BooklistBand() {
  return (
    <section aria-labelledby="list" className="mt-20 border-y border-line bg-surface sm:mt-28">
      <div className="page grid gap-x-16 gap-y-8 py-12 lg:grid-cols-[1fr_1.1fr]">
        <div>
          <h2 id="list" className="text-25 sm:text-32">
            Has your school given you a list?
          </h2>
          <p className="measure mt-2 text-muted">Type its code and order everything for the class at once.</p>
        </div>
        <div>
          <Form
            action={booklists.to}
            role="search"
            aria-labelledby="list"
            className="flex flex-wrap items-end gap-3"
          >
            <label className="min-w-0 grow basis-60 text-15 font-semibold">
              List code or school name
              <input
                name="q"
                placeholder="K7PXM-3Q9TB"
                maxLength={200}
                autoComplete="off"
                className={`${controlClass} mt-1.5 font-normal`}
              />
            </label>
            <button type="submit" className={buttonClass()}>
              Find List
            </button>
          </Form>
          <p className="mt-3 text-15">
            Ordering for a whole school?{" "}
            <Link to={bulkOrder.to} className="text-green underline underline-offset-4 hover:text-green-deep">
              Paste your list
            </Link>
          </p>
        </div>
      </div>
    </section>
  );
}
