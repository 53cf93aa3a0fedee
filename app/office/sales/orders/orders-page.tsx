import { Link, useParams } from "react-router";
import { buttonClass } from "#app/components/button.tsx";
import { LazyNotFound } from "#app/features/site/lazy-not-found.tsx";
import { useRedirect } from "#app/lib/react/use-redirect.ts";
import { AdminPage } from "#app/office/frame/admin-page.tsx";
import { NewOrderAnnouncer } from "./new-order-announcer.tsx";
import { OrderDocuments } from "./order-documents.tsx";
import { OrderNotices } from "./order-notices.tsx";
import { OrderTable } from "./order-table.tsx";
import { PhoneOrderForm } from "./phone-order-form.tsx";
import { readOrdersView, staffDocuments } from "./staff-documents.ts";

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
