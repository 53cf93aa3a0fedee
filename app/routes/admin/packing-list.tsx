import { useParams } from "react-router";
import { AdminPage } from "#app/features/admin/admin-page.tsx";
import { PackingList } from "#app/features/admin/orders/packing-list.tsx";

export default function PackingListPage() {
  const { orderId = "" } = useParams();
  return (
    <AdminPage title="Packing list">
      <PackingList id={orderId} />
    </AdminPage>
  );
}
