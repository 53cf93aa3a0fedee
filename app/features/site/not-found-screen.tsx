import { useEffect } from "react";
import { Link, useLocation } from "react-router";
import { buttonClass } from "#app/components/button.tsx";
import { LostPageDrawing } from "#app/components/drawings/lost-page-drawing.tsx";
import { SiteSearch } from "./site-search.tsx";

/** What an address shows that leads nowhere. The path is logged to the console (spec section 8). */
export function NotFoundScreen() {
  const { pathname } = useLocation();
  useEffect(() => {
    console.error("404: no page at", pathname);
  }, [pathname]);
  return (
    <div className="page flex flex-col items-start gap-5 pt-16 pb-24 sm:pt-24">
      <LostPageDrawing className="-ml-2 h-36 w-auto" />
      <h1 className="text-32 sm:text-42">Oops! Page not found</h1>
      <p className="measure">
        The address may be misspelt, or the page is gone. A search may still find the book.
      </p>
      <SiteSearch label="For the missing page" className="w-full max-w-120" />
      <Link to="/" className={buttonClass()}>
        Return to Home
      </Link>
    </div>
  );
}
