import { Link, useParams } from "react-router";
import { buttonClass } from "#app/components/button.tsx";
import { AdminPage } from "#app/features/admin/admin-page.tsx";
import { NewOrderAnnouncer } from "#app/features/admin/orders/new-order-announcer.tsx";
import { OrderNotices } from "#app/features/admin/orders/order-notices.tsx";
import { OrderPapers } from "#app/features/admin/orders/order-papers.tsx";
import { OrderTable } from "#app/features/admin/orders/order-table.tsx";
import { PhoneOrderForm } from "#app/features/admin/orders/phone-order-form.tsx";
import { readStaffPaper, staffPapers } from "#app/features/admin/orders/staff-papers.ts";

const NEW = "new";

/** The list, a new order, or papers of one or several orders: routes of their own would make every page's list of routes longer. */
export default function OrdersPage() {
  const { orderId, paper } = useParams();
  if (orderId === NEW)
    return (
      <AdminPage
        title="New order"
        lead="For a customer on the phone. If you enter their email address, they get the same emails as any customer."
      >
        <PhoneOrderForm />
      </AdminPage>
    );
  if (orderId) {
    const name = readStaffPaper(paper);
    return (
      <AdminPage title={staffPapers[name]}>
        <OrderPapers ids={orderId.split(",")} paper={name} />
      </AdminPage>
    );
  }
  return (
    <AdminPage
      title="Order Management"
      actions={
        <Link to={`/admin/orders/${NEW}`} className={buttonClass({ variant: "secondary" })}>
          New order
        </Link>
      }
    >
      <NewOrderAnnouncer />
      <OrderNotices>
        <OrderTable />
      </OrderNotices>
    </AdminPage>
  );
}
