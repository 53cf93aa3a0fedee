import { Link, useSearchParams } from "react-router";
import { buttonClass } from "#app/components/button.tsx";
import { Skeleton } from "#app/components/skeleton.tsx";
import { quoteName } from "#app/features/quotes/quote.ts";
import { RetryNote } from "#app/office/components/retry-note.tsx";
import { readFailure, useAdminQuery } from "#app/office/frame/admin-data.ts";
import { AdminPage } from "#app/office/frame/admin-page.tsx";
import { NewQuoteForm } from "./new-quote-form.tsx";
import { findQuote } from "./quote.admin-queries.ts";

/** A quote that staff begin: for an account, for a customer without one, or for the customer of an older quote. */
export function NewQuotePage() {
  const [search] = useSearchParams();
  const copyOf = search.get("copy");
  return (
    <AdminPage
      title="New Quote"
      actions={
        <Link to="/admin/quotes" className={buttonClass({ variant: "quiet", size: "small" })}>
          All quotes
        </Link>
      }
    >
      {copyOf ? <FromOlder key={copyOf} id={copyOf} /> : <NewQuoteForm older={null} />}
    </AdminPage>
  );
}

function FromOlder({ id }: { id: string }) {
  const found = useAdminQuery(["quotes", "record", id], (client) => findQuote(client, id));
  const failure = readFailure("quote", found);
  if (failure) return <RetryNote {...failure} />;
  if (found.data === undefined) return <Skeleton className="h-96" />;
  if (found.data === null) return <p role="alert">This quote does not exist.</p>;
  return (
    <>
      <p className="mb-5 max-w-2xl">
        For the customer of {quoteName(found.data)}, with its books at today's prices. Books that are no
        longer sold are left out.
      </p>
      <NewQuoteForm older={found.data} />
    </>
  );
}
