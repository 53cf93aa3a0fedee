import { useSearchParams } from "react-router";
import { Button } from "#app/components/button.tsx";
import { Skeleton } from "#app/components/skeleton.tsx";
import { DeliveryNote, OrderInvoice } from "#app/features/documents/order-document.tsx";
import { OfficeIcon } from "#app/office/components/office-icon.tsx";
import { RetryNote } from "#app/office/components/retry-note.tsx";
import { readFailure, useAdminQuery } from "#app/office/frame/admin-data.ts";
import { countOf } from "#shared/text/count-of.ts";
import { isUuid } from "#shared/text/uuid.ts";
import { listPrintedOrders, type PrintedOrder } from "./document.admin-queries.ts";
import { PackingSheet } from "./packing-sheet.tsx";
import { PickSheet } from "./pick-sheet.tsx";
import type { StaffDocument } from "./staff-documents.ts";

/** One document of each of these orders, each on pages of its own. */
export function OrderDocuments({ ids, kind }: { ids: readonly string[]; kind: StaffDocument }) {
  const [search] = useSearchParams();
  const shipment = search.get("shipment");
  const printed = useAdminQuery(["orders", "documents", kind, ids, shipment], (client) =>
    listPrintedOrders(client, ids, kind, isUuid(shipment ?? "") ? shipment : null),
  );
  const failure = readFailure("orders", printed);
  if (failure) return <RetryNote {...failure} />;
  if (printed.data === undefined) return <Skeleton className="h-96" />;
  const missing = ids.length - printed.data.length;
  return (
    <>
      {missing > 0 && (
        <p role="alert" className="mb-4 print:hidden">
          {ids.length === 1
            ? "This order no longer exists."
            : `${countOf(missing, "order")} of ${ids.length} no longer exist.`}
        </p>
      )}
      {printed.data.length > 0 && (
        <Button className="mb-5 print:hidden" onClick={() => window.print()}>
          <OfficeIcon name="print" />
          Print
        </Button>
      )}
      <div className="max-w-3xl">
        {kind === "pick-list" ? (
          <PickSheet orders={printed.data.map(({ order }) => order)} />
        ) : (
          printed.data.map((one) => <PrintedDocument key={one.order.id} printed={one} kind={kind} />)
        )}
      </div>
    </>
  );
}

function PrintedDocument({ printed, kind }: { printed: PrintedOrder; kind: StaffDocument }) {
  const { order, invoice, payment } = printed;
  if (kind === "packing-list") return <PackingSheet order={order} payment={payment} />;
  if (kind === "delivery-note") return <DeliveryNote order={order} />;
  if (invoice && payment) return <OrderInvoice order={order} invoice={invoice} payment={payment} />;
  return <p className="mb-5 print:hidden">Order {order.number} was cancelled, so it has no invoice.</p>;
}
