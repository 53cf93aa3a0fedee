import { AdminPage } from "#app/office/frame/admin-page.tsx";
import { ActivityTable } from "./activity-table.tsx";

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
