import { AdminPage } from "#app/features/admin/admin-page.tsx";
import { ReviewTable } from "#app/features/admin/reviews/review-table.tsx";

export function ReviewsPage() {
  return (
    <AdminPage title="Review Management" lead="Monitor and moderate customer reviews.">
      <ReviewTable />
    </AdminPage>
  );
}
