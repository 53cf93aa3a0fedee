import { useParams } from "react-router";
import { AdminPage } from "#app/office/frame/admin-page.tsx";
import { QuotePage } from "./quote-page.tsx";
import { QuoteTable } from "./quote-table.tsx";

/** The list, or one quote: a route of its own would make every page's list of routes longer. */
export function QuotesPage() {
  const { quoteId } = useParams();
  if (quoteId) return <QuotePage quoteId={quoteId} />;
  return (
    <AdminPage title="Quotes" lead="Requests from schools and our offers.">
      <QuoteTable />
    </AdminPage>
  );
}
