import { Link } from "react-router";
import { buttonClass } from "#app/components/button.tsx";
import { useAdminQuery } from "#app/office/frame/admin-data.ts";
import { AdminPage } from "#app/office/frame/admin-page.tsx";
import { usePageTitle } from "#app/office/frame/use-page-title.ts";
import { findQuote, type QuoteRecord } from "./quote.admin-queries.ts";
import { QuoteEditor } from "./quote-editor.tsx";

/** One quote, which staff prepare and send. */
export function QuotePage({ quoteId }: { quoteId: string }) {
  const { data: quote } = useAdminQuery(["quotes", "record", quoteId], (client) =>
    findQuote(client, quoteId),
  );
  const title = quote ? staffNameOf(quote) : "Quote";
  usePageTitle(title);
  return (
    <AdminPage
      title={title}
      actions={
        <>
          <Link
            to={`/admin/quotes/new?copy=${quoteId}`}
            className={buttonClass({ variant: "secondary", size: "small" })}
          >
            Use Again
          </Link>
          <Link to="/admin/quotes" className={buttonClass({ variant: "quiet", size: "small" })}>
            All quotes
          </Link>
        </>
      }
    >
      <QuoteEditor key={quoteId} id={quoteId} />
    </AdminPage>
  );
}

const staffNameOf = ({ reference, begun_by_staff }: QuoteRecord): string =>
  reference ? `Quote ${reference}` : begun_by_staff ? "New quote" : "New request";
