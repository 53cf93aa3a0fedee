import { Link, useParams } from "react-router";
import { buttonClass } from "#app/components/button.tsx";
import { AdminPage } from "#app/office/frame/admin-page.tsx";
import { useDuty } from "#app/office/frame/duties.tsx";
import { NewQuotePage } from "./new-quote-page.tsx";
import { QuotePage } from "./quote-page.tsx";
import { QuoteTable } from "./quote-table.tsx";

/** The list, or one quote: a route of its own would make every page's list of routes longer. */
export function QuotesPage() {
  const { quoteId } = useParams();
  const findsAccounts = useDuty("people");
  if (quoteId === "new") return <NewQuotePage />;
  if (quoteId) return <QuotePage quoteId={quoteId} />;
  return (
    <AdminPage
      title="Quotes"
      lead="Requests from schools and our offers."
      actions={
        findsAccounts && (
          <Link to="/admin/quotes/new" className={buttonClass({ size: "small" })}>
            New Quote
          </Link>
        )
      }
    >
      <QuoteTable />
    </AdminPage>
  );
}
