import { Link, useParams } from "react-router";
import { buttonClass } from "#app/components/button.tsx";
import { AdminPage } from "#app/features/admin/admin-page.tsx";
import { NewOrderAnnouncer } from "#app/features/admin/orders/new-order-announcer.tsx";
import { OrderDocuments } from "#app/features/admin/orders/order-documents.tsx";
import { OrderNotices } from "#app/features/admin/orders/order-notices.tsx";
import { OrderTable } from "#app/features/admin/orders/order-table.tsx";
import { PhoneOrderForm } from "#app/features/admin/orders/phone-order-form.tsx";
import { readOrdersView, staffDocuments } from "#app/features/admin/orders/staff-documents.ts";
import { LazyNotFound } from "#app/features/site/lazy-not-found.tsx";
import { useRedirect } from "#app/lib/use-redirect.ts";

/** The list, a new order, or documents of one or several orders: routes of their own would make every page's list of routes longer. */
export function OrdersPage() {
  const { orderId, kind } = useParams();
  const shown = readOrdersView(orderId, kind);
  useRedirect(shown.view === "redirect" ? shown.to : null);
  if (shown.view === "redirect") return null;
  if (shown.view === "not-found") return <LazyNotFound />;
  if (shown.view === "new-order")
    return (
      <AdminPage
        title="New order"
        lead="For a customer on the phone. If you enter their email address, they get the same emails as any customer."
      >
        <PhoneOrderForm />
      </AdminPage>
    );
  if (shown.view === "documents")
    return (
      <AdminPage title={staffDocuments[shown.kind]}>
        <OrderDocuments ids={shown.ids} kind={shown.kind} />
      </AdminPage>
    );
  return (
    <AdminPage
      title="Order Management"
      actions={
        <Link to="/admin/orders/new" className={buttonClass({ variant: "secondary" })}>
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
