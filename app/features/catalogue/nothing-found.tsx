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
  const pastTheEnd = total > 0;
  return (
    <div className={`flex flex-col items-start gap-5 border-t border-line ${isShort ? "py-6" : "py-14"}`}>
      {!isShort && <NoBooksDrawing className="-ml-2 h-32 w-auto" />}
      <p className="text-20">
        {pastTheEnd ? "There are no books on this page." : "No books found matching your search criteria."}
      </p>
      <Link
        to={pastTheEnd ? catalogueHref(withoutPage(readCatalogueQuery(params))) : "/shop"}
        className={buttonClass({ variant: "secondary" })}
      >
        {pastTheEnd ? "First Page" : "Clear Filters"}
      </Link>
    </div>
  );
}
