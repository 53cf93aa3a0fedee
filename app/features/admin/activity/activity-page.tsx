import { ActivityTable } from "#app/features/admin/activity/activity-table.tsx";
import { AdminPage } from "#app/features/admin/admin-page.tsx";

export function ActivityPage() {
  return (
    <AdminPage
      title="Activity"
      lead="Who changed what, and when. You can restore deleted books, orders, reviews and publishers here."
    >
      <ActivityTable />
    </AdminPage>
  );
}
