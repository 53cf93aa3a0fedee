import { Link, useSearchParams } from "react-router";
import { buttonClass } from "#app/components/button.tsx";
import { NoBooksDrawing } from "#app/components/drawings/no-books-drawing.tsx";
import { catalogueHref, readCatalogueQuery, withoutPage } from "./catalogue-query.ts";

type NothingFoundProps = {
  total: number;
  /** Close matches follow. */
  isShort: boolean;
};

/** An empty catalogue page. */
export function NothingFound({ total, isShort }: NothingFoundProps) {
  const [params] = useSearchParams();
  const { words, label, to } = emptyState(total, withoutPage(readCatalogueQuery(params)));
  return (
    <div className={`flex flex-col items-start gap-5 border-t border-line ${isShort ? "py-6" : "py-14"}`}>
      {!isShort && <NoBooksDrawing className="-ml-2 h-32 w-auto" />}
      <p className="text-20">{words}</p>
      <Link to={to} className={buttonClass({ variant: "secondary" })}>
        {label}
      </Link>
    </div>
  );
}

/** What is wrong and where to go: after the last page, in a shop that has no books at all, or after a search. */
function emptyState(total: number, query: ReturnType<typeof readCatalogueQuery>) {
  if (total > 0)
    return { words: "There are no books on this page.", label: "First Page", to: catalogueHref(query) };
  if (catalogueHref({ ...query, sort: "" }) === "/shop")
    return {
      words: "Our shelves are still empty. Ask us for the books you need.",
      label: "Contact Us",
      to: "/contact",
    };
  return { words: "No books found matching your search criteria.", label: "Clear Filters", to: "/shop" };
}
