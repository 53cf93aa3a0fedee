import { useState } from "react";
import { Link } from "react-router";
import { Button, buttonClass } from "#app/components/button.tsx";
import { ConfirmDialog } from "#app/components/confirm-dialog.tsx";
import { Dialog } from "#app/components/dialog.tsx";
import { EmailText } from "#app/components/email-text.tsx";
import { Fact } from "#app/components/fact.tsx";
import { Skeleton } from "#app/components/skeleton.tsx";
import { hasDownloads, isOpen } from "#app/features/orders/order.ts";
import { OrderStatusBadge } from "#app/features/orders/order-status-badge.tsx";
import { OfficeIcon } from "#app/office/components/office-icon.tsx";
import { RetryNote } from "#app/office/components/retry-note.tsx";
import { readFailure, useAdminQuery } from "#app/office/frame/admin-data.ts";
import { CustomerPhone } from "#app/office/frame/customer-phone.tsx";
import { OfficeLink, useDuty } from "#app/office/frame/duties.tsx";
import { shortOrderId } from "#app/office/frame/order-number.ts";
import { OrderDue, OrderPayments } from "#app/office/sales/payments/order-payments.tsx";
import { orderFacts, shipmentFacts } from "#shared/orders/order-fields.ts";
import { formatMinute } from "#shared/text/dates.ts";
import { formatCedis } from "#shared/text/money.ts";
import { ChangeOrder } from "./change-order.tsx";
import { findOrderDetails, type OrderDetails } from "./order.admin-queries.ts";
import { OrderCodes } from "./order-codes.tsx";
import { OrderEmails } from "./order-emails.tsx";
import { OrderHistory } from "./order-history.tsx";
import { OrderItems } from "./order-items.tsx";
import { OrderNoteForm } from "./order-note-form.tsx";
import { recipientOf } from "./order-recipient.ts";
import { OrderStatusSelect, travels } from "./order-status-select.tsx";
import { ReturnToStock } from "./return-dialog.tsx";
import { isPartSent, SendCopies } from "./send-dialog.tsx";
import { ShipDialog } from "./ship-dialog.tsx";
import { documentsPath, orderDocuments, staffDocuments } from "./staff-documents.ts";

/** Whether a form in the dialog holds unsaved input. */
const hasUnsaved = () => document.querySelector("[role=dialog] form[data-unsaved]") !== null;

/** `orderKey` is the order's id or number. */
export function OrderDetailsDialog({ orderKey, onClose }: { orderKey: string; onClose: () => void }) {
  const [asking, setAsking] = useState(false);
  const seesPayments = useDuty("payments");
  const details = useAdminQuery(["orders", "details", orderKey], (client) =>
    findOrderDetails(client, orderKey),
  );
  const failure = readFailure("order", details);
  const order = details.data;
  return (
    <Dialog
      open
      onClose={() => (hasUnsaved() ? setAsking(true) : onClose())}
      title="Order Details"
      description={
        order && (
          <span className="figures">
            <strong className="font-semibold text-ink">Order {order.number}</strong>, {shortOrderId(order.id)}
          </span>
        )
      }
      size="large"
      readOnly
      footer={
        order && (
          <>
            <ReturnToStock order={order} />
            <SendCopies order={order} />
            {/* On a phone the three share one row. */}
            <div className="flex gap-2 max-sm:w-full sm:gap-3">
              {orderDocuments.map((kind) => (
                <Link
                  key={kind}
                  to={documentsPath([order], kind)}
                  className={buttonClass({
                    variant: "secondary",
                    className: "whitespace-nowrap max-sm:grow max-sm:px-2 max-sm:text-13",
                  })}
                >
                  <OfficeIcon name="print" className="max-sm:hidden" />
                  {staffDocuments[kind]}
                </Link>
              ))}
            </div>
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
          <OrderItems
            items={order.order_items}
            toSend={isOpen(order) && isPartSent(order) ? order.toSend : undefined}
          />
          <OrderCodes order={order} />
          <ChangeOrder order={order} />
          {seesPayments && (
            <>
              <h3 className="mt-5 mb-1 text-17">Payments</h3>
              <OrderPayments orderId={order.id} endsDownloads={hasDownloads(order.order_items)} />
            </>
          )}
          <h3 className="mt-5 mb-1 text-17">Status history</h3>
          <OrderHistory order={order} />
          <OrderNoteForm orderId={order.id} />
          <h3 className="mt-5 mb-1 text-17">Emails</h3>
          <OrderEmails order={order} />
        </>
      )}
      <ConfirmDialog
        open={asking}
        question="Leave without saving?"
        confirmLabel="Leave"
        onConfirm={onClose}
        onClose={() => setAsking(false)}
      >
        <p>What you typed has not been saved. This tab keeps it for a day.</p>
      </ConfirmDialog>
    </Dialog>
  );
}

function OrderFacts({ order }: { order: OrderDetails }) {
  const { profiles: customer } = order;
  const recipient = recipientOf(order);
  return (
    <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-2">
      <Fact className="figures" name="Customer">
        {customer ? (
          <OfficeLink to={`/admin/users/${order.user_id}`} className="text-green underline">
            <bdi>{customer.full_name || "N/A"}</bdi>
          </OfficeLink>
        ) : (
          "By phone, without an account"
        )}
      </Fact>
      {customer && (
        <Fact className="figures" name="Email">
          <EmailText address={customer.email} />
        </Fact>
      )}
      {customer?.phone && (
        <Fact className="figures" name="Phone">
          <CustomerPhone number={customer.phone} />
        </Fact>
      )}
      <Fact className="figures" name="Total">
        <span className="block">{formatCedis(order.total_amount)}</span>
        <OrderDue orderId={order.id} />
      </Fact>
      <Fact className="figures" name="Status">
        <OrderStatusBadge status={order.status} isPartSent={isPartSent(order)} />
        <span className="mt-1.5 block max-w-44">
          <OrderStatusSelect order={order} isPartSent={isPartSent(order)} />
        </span>
      </Fact>
      <Fact className="figures" name="Date">
        {formatMinute(order.created_at)}
      </Fact>
      {order.quote && (
        <Fact
          className="figures wrap-anywhere"
          name={order.quote.purchase_order_number ? "Purchase order" : "Accepted offer"}
        >
          {order.quote.purchase_order_number}
          <Link to={`/admin/quotes/${order.quote.id}`} className="block text-13 text-green underline">
            Quote {order.quote.reference}
          </Link>
        </Fact>
      )}
      {order.shipping_address && (
        <Fact className="figures" name="Shipping address">
          {order.shipping_address}
        </Fact>
      )}
      {orderFacts(order, "staff").map(([name, value]) => (
        <Fact key={name} className="wrap-anywhere whitespace-pre-line" name={name}>
          {value}
        </Fact>
      ))}
      <ShipmentFacts order={order} />
      {order.delivery_fee > 0 && (
        <Fact className="figures" name="Delivery fee">
          {formatCedis(order.delivery_fee)}
        </Fact>
      )}
      {order.terms_version !== null && (
        <Fact className="figures" name="Terms accepted">
          <a
            href={`/terms?version=${order.terms_version}`}
            target="_blank"
            rel="noreferrer"
            className="text-green underline"
          >
            Version {order.terms_version}
          </a>
        </Fact>
      )}
      {recipient.length > 0 && (
        <Fact className="figures" name="Recipient">
          {recipient.map((line) => (
            <span key={line} className="block wrap-anywhere">
              {line === order.recipient_email ? (
                <EmailText address={line} />
              ) : line === order.recipient_phone?.trim() ? (
                <CustomerPhone number={line} />
              ) : (
                line
              )}
            </span>
          ))}
        </Fact>
      )}
    </dl>
  );
}

/** Staff can change these while the order is on its way. */
function ShipmentFacts({ order }: { order: OrderDetails }) {
  const [changing, setChanging] = useState(false);
  const facts = shipmentFacts(order);
  if (facts.length === 0 && (order.status !== "shipped" || !travels(order))) return null;
  return (
    <Fact className="figures wrap-anywhere" name="Shipping details">
      {facts.map(([name, value]) => (
        <span key={name} className="block">
          <span className="text-muted">{name}: </span>
          {value}
        </span>
      ))}
      {order.status === "shipped" && (
        <Button variant="quiet" size="small" className="-ml-3" onClick={() => setChanging(true)}>
          {facts.length === 0 ? "Add Shipping Details" : "Change Shipping Details"}
        </Button>
      )}
      {changing && <ShipDialog orders={[order]} onClose={() => setChanging(false)} />}
    </Fact>
  );
}
