import { AdminPage } from "#app/office/frame/admin-page.tsx";
import { ReviewTable } from "./review-table.tsx";

export function ReviewsPage() {
  return (
    <AdminPage title="Review Management" lead="Monitor and moderate customer reviews.">
      <ReviewTable />
    </AdminPage>
  );
}
