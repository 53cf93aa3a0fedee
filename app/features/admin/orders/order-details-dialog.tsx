import type { ReactNode } from "react";
import { Link } from "react-router";
import { Button, buttonClass } from "#app/components/button.tsx";
import { Dialog } from "#app/components/dialog.tsx";
import { Icon } from "#app/components/office-icon.tsx";
import { RetryNote } from "#app/components/retry-note.tsx";
import { Skeleton } from "#app/components/skeleton.tsx";
import { readFailure, useAdminMutation, useAdminQuery } from "#app/features/admin/admin-data.ts";
import { EmailText } from "#app/features/admin/email-text.tsx";
import { OrderStatusBadge } from "#app/features/orders/order-status-badge.tsx";
import { formatMinute } from "#app/lib/dates.ts";
import { formatCedis, pesewasFromCedis } from "#app/lib/money.ts";
import { findOrderDetails, type OrderDetails, returnToStock } from "./order.admin-queries.ts";
import { OrderHistory } from "./order-history.tsx";
import { OrderItems } from "./order-items.tsx";
import { shortOrderId } from "./order-number.ts";

/** 'Order Details': customer, order and lines, then recipient, history, and what can be done with it. */
export function OrderDetailsDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const details = useAdminQuery(["orders", "details", id], (client) => findOrderDetails(client, id));
  const failure = readFailure("order", details);
  const order = details.data;
  return (
    <Dialog
      open
      onClose={onClose}
      title="Order Details"
      description={<span className="figures">{shortOrderId(id)}</span>}
      size="large"
      readOnly
      footer={
        order && (
          <>
            <ReturnToStock order={order} />
            <Link to={`/admin/orders/${id}/packing-list`} className={buttonClass({ variant: "secondary" })}>
              <Icon name="print" />
              Packing list
            </Link>
          </>
        )
      }
    >
      {failure && <RetryNote {...failure} />}
      {order === undefined && !failure && <Skeleton className="h-80" />}
      {order === null && <p role="alert">This order no longer exists.</p>}
      {order && (
        <>
          <OrderFacts order={order} />
          <h3 className="mt-5 mb-1 text-17">Items</h3>
          <OrderItems items={order.order_items} />
          <h3 className="mt-5 mb-1 text-17">Status history</h3>
          <OrderHistory order={order} />
        </>
      )}
    </Dialog>
  );
}

function OrderFacts({ order }: { order: OrderDetails }) {
  const { profiles: customer } = order;
  const recipient = [order.recipient_name, order.recipient_email, order.recipient_phone].filter(Boolean);
  return (
    <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-2">
      <Fact name="Customer">{customer?.full_name || "N/A"}</Fact>
      <Fact name="Email">
        <EmailText address={customer?.email} />
      </Fact>
      {customer?.phone && <Fact name="Phone">{customer.phone}</Fact>}
      <Fact name="Total">{formatCedis(pesewasFromCedis(order.total_amount))}</Fact>
      <Fact name="Status">
        <OrderStatusBadge status={order.status} />
      </Fact>
      <Fact name="Date">{formatMinute(order.created_at)}</Fact>
      {order.shipping_address && <Fact name="Shipping address">{order.shipping_address}</Fact>}
      {recipient.length > 0 && (
        <Fact name="Recipient">
          {[...new Set(recipient)].map((line) => (
            <span key={line} className="block break-words">
              {line}
            </span>
          ))}
        </Fact>
      )}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-13 text-muted">{name}</dt>
      <dd className="figures">{children}</dd>
    </div>
  );
}

/** Open orders give their copies back by being cancelled; these keep them until staff say so. */
function ReturnToStock({ order }: { order: OrderDetails }) {
  const bringBack = useAdminMutation({
    run: (client) => returnToStock(client, order.id),
    success: () => ({ title: "Copies returned to stock" }),
    failure: "Failed to return the copies to stock",
  });
  if (!order.stock_held || order.status === "pending" || order.status === "processing") return null;
  return (
    <Button variant="secondary" busy={bringBack.isPending} onClick={() => bringBack.mutate(undefined)}>
      <Icon name="undo" />
      Return to stock
    </Button>
  );
}
