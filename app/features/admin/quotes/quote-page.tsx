import { Link } from "react-router";
import { buttonClass } from "#app/components/button.tsx";
import { AdminPage } from "#app/features/admin/admin-page.tsx";
import { QuoteEditor } from "#app/features/admin/quotes/quote-editor.tsx";

/** One quote, which staff prepare and send. */
export function QuotePage({ quoteId }: { quoteId: string }) {
  return (
    <AdminPage
      title="Quote"
      actions={
        <Link to="/admin/quotes" className={buttonClass({ variant: "quiet", size: "small" })}>
          All quotes
        </Link>
      }
    >
      <QuoteEditor key={quoteId} id={quoteId} />
    </AdminPage>
  );
}
