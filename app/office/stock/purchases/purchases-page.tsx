import { Link, useParams } from "react-router";
import { buttonClass } from "#app/components/button.tsx";
import { AdminPage } from "#app/office/frame/admin-page.tsx";
import { NewPurchase } from "./new-purchase.tsx";
import { purchasePath } from "./purchase.ts";
import { PurchaseEditor } from "./purchase-editor.tsx";
import { PurchaseSheet } from "./purchase-sheet.tsx";
import { PurchaseTable } from "./purchase-table.tsx";

const quiet = buttonClass({ variant: "quiet", size: "small" });

/** The list, one purchase order, or its printed sheet. */
export function PurchasesPage() {
  const { purchaseId, view } = useParams();
  if (!purchaseId)
    return (
      <AdminPage
        title="Purchases"
        lead="What you order from suppliers, at cost. Only staff see it."
        actions={
          <>
            <Link to="/admin/suppliers" className={buttonClass({ variant: "secondary" })}>
              Suppliers
            </Link>
            <Link to="/admin/purchases?view=needs" className={buttonClass({ variant: "secondary" })}>
              What a term needs
            </Link>
            <NewPurchase />
          </>
        }
      >
        <PurchaseTable />
      </AdminPage>
    );
  if (view === "print")
    return (
      <div className="mx-auto max-w-[90rem] px-4 pt-5 pb-16 sm:px-6 print:p-0">
        <div className="mb-4 flex flex-wrap items-end justify-between gap-3 print:hidden">
          <h1 className="text-25">Print the purchase order</h1>
          <Link to={purchasePath(purchaseId)} className={quiet}>
            Back to the purchase order
          </Link>
        </div>
        <PurchaseSheet id={purchaseId} />
      </div>
    );
  return (
    <AdminPage
      title="Purchase order"
      actions={
        <Link to="/admin/purchases" className={quiet}>
          All purchase orders
        </Link>
      }
    >
      <PurchaseEditor key={purchaseId} id={purchaseId} />
    </AdminPage>
  );
}
