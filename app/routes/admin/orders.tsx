import { AdminPage } from "#app/features/admin/admin-page.tsx";
import { NewOrderAnnouncer } from "#app/features/admin/orders/new-order-announcer.tsx";
import { OrderTable } from "#app/features/admin/orders/order-table.tsx";

export default function OrdersPage() {
  return (
    <AdminPage title="Order Management">
      <NewOrderAnnouncer />
      <OrderTable />
    </AdminPage>
  );
}
