import { Link, useParams, useSearchParams } from "react-router";
import { buttonClass } from "#app/components/button.tsx";
import { AdminPage } from "#app/office/frame/admin-page.tsx";
import { ReceiptTable } from "./receipt-table.tsx";
import { ReceiveForm, ReceiveOrdered } from "./receive-form.tsx";

/** What was received, or the form that receives goods, against a purchase order or without. */
export function ReceivingPage() {
  const { view } = useParams();
  const purchaseId = useSearchParams()[0].get("purchase");
  if (view === "new")
    return (
      <AdminPage
        title="Receive goods"
        actions={
          <Link to="/admin/receiving" className={buttonClass({ variant: "quiet", size: "small" })}>
            All receipts
          </Link>
        }
      >
        {purchaseId ? (
          <ReceiveOrdered key={purchaseId} purchaseId={purchaseId} />
        ) : (
          <ReceiveForm purchase={null} />
        )}
      </AdminPage>
    );
  return (
    <AdminPage
      title="Receiving"
      lead="What arrived from suppliers and what it cost. Only staff see it."
      actions={
        <>
          <Link to="/admin/purchases?status=sent" className={buttonClass({ variant: "secondary" })}>
            Open purchase orders
          </Link>
          <Link to="/admin/receiving/new" className={buttonClass({})}>
            Receive without an order
          </Link>
        </>
      }
    >
      <ReceiptTable />
    </AdminPage>
  );
}
