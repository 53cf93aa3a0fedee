import { Link } from "react-router";
import { buttonClass } from "#app/components/button.tsx";
import { AdminPage } from "#app/office/frame/admin-page.tsx";
import { QuoteEditor } from "./quote-editor.tsx";

/** One quote, which staff prepare and send. */
export function QuotePage({ quoteId }: { quoteId: string }) {
  return (
    <AdminPage
      title="Quote"
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
