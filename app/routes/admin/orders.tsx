import { AdminPage } from "#app/features/admin/admin-page.tsx";
import { GivenUpEmails } from "#app/features/admin/orders/given-up-emails.tsx";
import { NewOrderAnnouncer } from "#app/features/admin/orders/new-order-announcer.tsx";
import { OrderTable } from "#app/features/admin/orders/order-table.tsx";
import { PaymentsToDecide } from "#app/features/admin/payments/payments-to-decide.tsx";

export default function OrdersPage() {
  return (
    <AdminPage title="Order Management">
      <NewOrderAnnouncer />
      <PaymentsToDecide />
      <GivenUpEmails />
      <OrderTable />
    </AdminPage>
  );
}
