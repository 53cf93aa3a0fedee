import { Link } from "react-router";
import { BookShelf } from "#app/components/book-shelf.tsx";
import { buttonClass } from "#app/components/button.tsx";
import { FigureRow } from "#app/components/figure-row.tsx";
import { LazyRequestForm } from "#app/features/consultations/lazy-request-form.tsx";
import { pageHead } from "#app/features/site/head.ts";
import { booklists, bulkOrder, contact, guidance } from "#app/features/site/navigation.ts";
import { guidanceFigures } from "#app/features/site/shop-figures.ts";
import { currentShop } from "#app/lib/pages/current-shop.ts";
import type { Route } from "./+types/guidance.ts";

export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: guidance.label,
    description: `Which books fit your syllabus, your pupils and your budget? Ask ${currentShop().name} for a consultation.`,
    path: guidance.to,
  });

const CONSULTATION = `${contact.to}?about=consultation`;

const lists = [
  { ...booklists, text: "Type the code from your child's school and order the whole class list." },
  { ...bulkOrder, text: "Paste your school's list and see every price and what is in stock." },
];

/** A line of the settings as its title and text; a line without a colon is a title. */
function titled(line: string): { title: string; text: string } {
  const [title = line] = line.split(":", 1);
  return { title: title.trim(), text: line.slice(title.length + 1).trim() };
}

/** Words and figures that no other page shows. */
export function loader() {
  const shop = currentShop();
  const { guidanceHeadline, guidanceIntroduction, guidanceOffer } = shop;
  const { guidedInstitutions, resources, satisfaction } = shop;
  return {
    ...{ guidanceHeadline, guidanceIntroduction, guidanceOffer, guidedInstitutions, resources, satisfaction },
    reasons: shop.guidanceReasons.map(titled),
    steps: shop.guidanceSteps.map(titled),
  };
}

export default function Guidance({ loaderData }: Route.ComponentProps) {
  const { guidanceHeadline, guidanceIntroduction, guidanceOffer, reasons, steps } = loaderData;
  return (
    <>
      <section aria-labelledby="guidance" className="on-dark bg-green text-white">
        <div className="page grid items-end gap-x-12 gap-y-10 pt-14 sm:pt-20 md:grid-cols-[1.4fr_1fr]">
          <div className="md:pb-20">
            <h1 id="guidance" className="max-w-[20ch] text-32 sm:text-42">
              {guidanceHeadline}
            </h1>
            {guidanceIntroduction && (
              <p className="mt-5 max-w-[56ch] text-17 text-tint sm:text-20">{guidanceIntroduction}</p>
            )}
            <div className="mt-8 flex flex-wrap gap-3">
              <Link to={CONSULTATION} className={buttonClass({ variant: "gold", size: "large" })}>
                Schedule Consultation
              </Link>
              <Link
                to={`${contact.to}?about=catalogue`}
                className={buttonClass({ variant: "on-dark", size: "large" })}
              >
                Request Catalogue
              </Link>
            </div>
          </div>
          <BookShelf className="mx-auto block h-auto w-full max-w-88 md:mr-0 md:max-w-none" />
        </div>
        <div className="kente-strip" />
      </section>
      <FigureRow
        label="Our guidance in figures"
        className="page pt-12"
        figures={guidanceFigures(loaderData)}
      />
      {reasons.length > 0 && (
        <section aria-labelledby="why" className="page pt-16 sm:pt-24">
          <h2 id="why" className="text-25 sm:text-32">
            Why Choose Our Guidance
          </h2>
          <dl className="mt-8 grid gap-x-16 gap-y-10 sm:grid-cols-2">
            {reasons.map(({ title, text }) => (
              <div key={title} className="border-l-3 border-gold pl-5">
                <dt className="font-display text-20 font-semibold">{title}</dt>
                <dd className="mt-1.5 text-muted">{text}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
      {steps.length > 0 && (
        <section aria-labelledby="steps" className="page pt-16 sm:pt-24">
          <h2 id="steps" className="text-25 sm:text-32">
            How it works
          </h2>
          <ol className="mt-8 grid border-t border-line md:grid-cols-3">
            {steps.map(({ title, text }, index) => (
              <li
                key={title}
                className="flex gap-5 border-line py-6 max-md:border-b md:flex-col md:gap-3 md:border-l md:px-7 md:first:border-l-0 md:first:pl-0"
              >
                <span aria-hidden="true" className="figures font-display text-42 font-bold text-gold">
                  {index + 1}
                </span>
                <div>
                  <h3 className="text-20">{title}</h3>
                  <p className="mt-1.5 text-muted">{text}</p>
                </div>
              </li>
            ))}
          </ol>
        </section>
      )}
      {guidanceOffer && (
        <section aria-labelledby="begin" className="page pt-12 pb-16 sm:pt-16">
          <h2 id="begin" className="text-25">
            {guidanceOffer}
          </h2>
          <Link to={CONSULTATION} className={buttonClass({ size: "large", className: "mt-5" })}>
            Get Expert Guidance Now
          </Link>
        </section>
      )}
      <section
        aria-labelledby="consultation"
        className={`page pb-16 sm:pb-20 ${guidanceOffer ? "" : "pt-12 sm:pt-16"}`}
      >
        <div className="max-w-3xl border-t-4 border-gold pt-6">
          <h2 id="consultation" className="text-25">
            Ask for a consultation
          </h2>
          <p className="mt-2 mb-6 text-muted">
            Tell us what you need. We'll reply, and agree on a day and a place with you.
          </p>
          <LazyRequestForm />
        </div>
      </section>
      <section aria-labelledby="list" className="page pb-20 sm:pb-28">
        <h2 id="list" className="text-25">
          Already have a list?
        </h2>
        <ul className="mt-5 grid gap-x-16 gap-y-6 sm:grid-cols-2">
          {lists.map(({ label, to, text }) => (
            <li key={to} className="border-t border-line pt-4">
              <Link
                to={to}
                className="inline-flex min-h-11 items-center font-semibold text-green underline underline-offset-4 hover:text-green-deep"
              >
                {label}
              </Link>
              <p className="mt-1 text-muted">{text}</p>
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}
