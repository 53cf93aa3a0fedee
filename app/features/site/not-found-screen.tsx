import { Link } from "react-router";
import { buttonClass } from "#app/components/button.tsx";
import { LostPageDrawing } from "#app/components/drawings/lost-page-drawing.tsx";
import { logText } from "#app/lib/pages/log-text.ts";
import { useOnLocation } from "#app/lib/react/use-on-location.ts";
import { SiteSearch } from "./site-search.tsx";

/** The 404 page. The path is logged to the console (spec section 8). */
export function NotFoundScreen() {
  useOnLocation(({ pathname }) => console.error("404: no page at", logText(pathname)));
  return (
    <div className="page flex flex-col items-start gap-5 pt-16 pb-24 sm:pt-24">
      <LostPageDrawing className="-ml-2 h-36 w-auto" />
      <h1 className="text-32 sm:text-42">Oops! Page not found</h1>
      <p className="measure">
        The address may be misspelt, or the page may have moved. Try searching for your book.
      </p>
      <SiteSearch label="Find a book" className="w-full max-w-120" />
      <Link to="/" className={buttonClass()}>
        Return to Home
      </Link>
    </div>
  );
}
