import { AdminPage } from "#app/features/admin/admin-page.tsx";
import { QuoteTable } from "#app/features/admin/quotes/quote-table.tsx";

export default function QuotesPage() {
  return (
    <AdminPage title="Quotes" lead="Requests from schools, and what they were offered.">
      <QuoteTable />
    </AdminPage>
  );
}
