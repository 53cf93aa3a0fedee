import { Link } from "react-router";
import { catalogueHref, type Filter } from "#app/features/catalogue/catalogue-query.ts";
import type { MatchingFacet } from "./search-results.ts";

type MatchingFacetsProps = { title: string; filter: Filter; found: MatchingFacet[] };

/** The publishers, courses or subjects found, each linking to its books in the shop. */
export function MatchingFacets({ title, filter, found }: MatchingFacetsProps) {
  if (found.length === 0) return null;
  return (
    <section aria-label={title} className="pt-10">
      <h2 className="text-25">{title}</h2>
      <ul className="mt-4 grid gap-x-8 border-t border-line sm:grid-cols-2 lg:grid-cols-3">
        {found.map(({ value, books }) => (
          <li key={value} className="border-b border-line">
            <Link
              to={catalogueHref({ [filter]: value })}
              className="flex min-h-14 items-baseline justify-between gap-4 py-3.5 hover:text-green active:bg-tint"
            >
              <span className="min-w-0 font-semibold wrap-anywhere">{value}</span>
              <span className="figures shrink-0 text-15 text-muted">
                {books === 1 ? "1 book" : `${books} books`}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
