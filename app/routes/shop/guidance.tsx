import { Link } from "react-router";
import { BookShelf } from "#app/components/book-shelf.tsx";
import { buttonClass } from "#app/components/button.tsx";
import { FigureRow } from "#app/components/figure-row.tsx";
import { LazyRequestForm } from "#app/features/consultations/lazy-request-form.tsx";
import { pageHead } from "#app/features/site/head.ts";
import { booklists, bulkOrder, contact, guidance } from "#app/features/site/navigation.ts";
import { currentShop } from "#app/owner/current-shop.ts";
import type { Route } from "./+types/guidance.ts";

export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: guidance.label,
    description:
      "Which books fit your syllabus, your pupils and your budget? Our advisers go through your list with you, stage by stage, free of charge.",
    path: guidance.to,
  });

const CONSULTATION = `${contact.to}?about=consultation`;

const reasons = [
  {
    title: "We read what we sell",
    text: "Our advisers know the books inside out: the level of the language, the pace of the exercises and what the teacher's guide really offers.",
  },
  {
    title: "Matched to your syllabus",
    text: "Cambridge Primary to A Level, the IB programmes and the Ghanaian curriculum: we check the code and the edition, so that no class buys last year's book.",
  },
  {
    title: "Honest about money",
    text: "We say what a class needs, what can be shared and what can wait. A shorter list is a good answer too.",
  },
  {
    title: "Beyond books",
    text: "Counselling for learners and parents choosing subjects, and help for schools changing their curriculum.",
  },
];

const steps = [
  {
    title: "Needs Assessment",
    text: "You tell us your stages, subjects, numbers and budget, by phone, by chat or when we visit your school.",
  },
  {
    title: "Resource Matching",
    text: "You get a list to choose from: titles, editions, prices in cedis, and what each one is for.",
  },
  {
    title: "Ongoing Support",
    text: "We deliver, stay in touch while the books are in use, and ask what worked before the next term.",
  },
];

const lists = [
  { ...booklists, text: "Type the code from your child's school and order the whole class list." },
  { ...bulkOrder, text: "Paste your school's list and see every price and what is in stock." },
];

/** Figures that no other page shows. */
export function loader() {
  const { guidedInstitutions, resources, satisfaction } = currentShop();
  return { guidedInstitutions, resources, satisfaction };
}

export default function Guidance({
  loaderData: { guidedInstitutions, resources, satisfaction },
}: Route.ComponentProps) {
  return (
    <>
      <section aria-labelledby="guidance" className="on-dark bg-green text-white">
        <div className="page grid items-end gap-x-12 gap-y-10 pt-14 sm:pt-20 md:grid-cols-[1.4fr_1fr]">
          <div className="md:pb-20">
            <h1 id="guidance" className="max-w-[20ch] text-32 sm:text-42">
              Expert Resource Selection Guidance
            </h1>
            <p className="mt-5 max-w-[56ch] text-17 text-tint sm:text-20">
              There are three coursebooks for every syllabus, and one that suits your class. Talk to someone
              who has taught with them before you order sixty copies.
            </p>
            <div className="mt-8 flex flex-wrap gap-3">
              <Link to={CONSULTATION} className={buttonClass({ variant: "gold", size: "large" })}>
                Schedule Consultation
              </Link>
              <Link
                to={`${contact.to}?about=catalogue`}
                className={buttonClass({ variant: "onDark", size: "large" })}
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
        figures={[
          { figure: guidedInstitutions, unit: "institutions" },
          { figure: resources, unit: "resources" },
          { figure: satisfaction, unit: "satisfaction" },
        ]}
      />
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
      <section aria-labelledby="begin" className="page pt-12 pb-16 sm:pt-16">
        <h2 id="begin" className="text-25">
          The first conversation is free
        </h2>
        <Link to={CONSULTATION} className={buttonClass({ size: "large", className: "mt-5" })}>
          Get Expert Guidance Now
        </Link>
      </section>
      <section aria-labelledby="consultation" className="page pb-16 sm:pb-20">
        <div className="max-w-3xl border-t-4 border-gold pt-6">
          <h2 id="consultation" className="text-25">
            Ask for a consultation
          </h2>
          <p className="mt-2 mb-6 text-muted">
            Tell us what you need. An adviser will reply and agree on a day with you: at your school, in our
            shop, by phone or online.
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
