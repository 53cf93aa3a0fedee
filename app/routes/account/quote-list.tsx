import { Link, useSearchParams } from "react-router";
import { buttonClass } from "#app/components/button.tsx";
import { LoadFailed } from "#app/components/load-failed.tsx";
import { NeedsJavaScript } from "#app/components/needs-javascript.tsx";
import { Skeleton } from "#app/components/skeleton.tsx";
import { SavedNote } from "#app/features/offline/saved-note.tsx";
import { QuoteRow } from "#app/features/quotes/quote-row.tsx";
import { quotesCopy, useOwnQuotes } from "#app/features/quotes/use-own-quotes.ts";

/** The quotes that the user requested, newest first. */
export function QuoteList() {
  const [search] = useSearchParams();
  const typed = search.get("page") ?? "";
  const page = /^[1-9]\d{0,4}$/.test(typed) ? Number(typed) : 1;
  const { status, result, retry } = useOwnQuotes(page);
  return (
    <div className="page max-w-4xl pt-8 pb-16 sm:pt-12 sm:pb-24">
      <h1 className="text-32 sm:text-42">My Quotes</h1>
      <div className="mt-6">
        <NeedsJavaScript />
        <SavedNote list={quotesCopy(page)} isInPage onTryAgain={retry} className="mb-6" />
        {status === "loading" && <QuotesSkeleton />}
        {status === "failed" && <LoadFailed text="We couldn't load your quotes." onTryAgain={retry} />}
        {result && result.quotes.length === 0 && <NoQuotes beyond={page > 1} />}
        {result && result.quotes.length > 0 && (
          <>
            <ul aria-label="Quotes" className="border-t border-line">
              {result.quotes.map((quote) => (
                <QuoteRow key={quote.id} quote={quote} />
              ))}
            </ul>
            <QuotePages page={page} pages={result.pages} />
          </>
        )}
      </div>
    </div>
  );
}

function QuotePages({ page, pages }: { page: number; pages: number }) {
  if (pages === 1) return null;
  const link = buttonClass({ variant: "secondary", size: "small" });
  return (
    <nav aria-label="Pages of quotes" className="flex items-center gap-4 pt-6">
      {page > 1 && (
        <Link to={`?page=${page - 1}`} className={link}>
          Newer quotes
        </Link>
      )}
      <span className="figures grow text-center text-15 text-muted">
        Page {page} of {pages}
      </span>
      {page < pages && (
        <Link to={`?page=${page + 1}`} className={link}>
          Older quotes
        </Link>
      )}
    </nav>
  );
}

function NoQuotes({ beyond }: { beyond: boolean }) {
  return (
    <div className="flex flex-col items-start gap-5">
      <p className="measure">
        {beyond
          ? "There are no quotes on this page."
          : "You haven't asked for a quote yet. Fill your cart, then choose Request a quote in it."}
      </p>
      <Link to={beyond ? "/quotes" : "/shop"} className={buttonClass()}>
        {beyond ? "Newest quotes" : "Browse Books"}
      </Link>
    </div>
  );
}

function QuotesSkeleton() {
  return (
    <div aria-busy="true" className="flex flex-col gap-3">
      {[0, 1, 2, 3].map((row) => (
        <Skeleton key={row} className="h-14" />
      ))}
    </div>
  );
}
