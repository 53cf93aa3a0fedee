import { Link } from "react-router";
import { OrderStatusBadge } from "#app/features/orders/order-status-badge.tsx";
import { Panel } from "#app/office/components/panel.tsx";
import { orderDetailsPath } from "#app/office/frame/order-number.ts";
import { formatCedis } from "#shared/text/money.ts";
import type { Person } from "./person.admin-queries.ts";
import { NoteList } from "./person-notes.tsx";
import { PersonRows, rowLinkClass } from "./person-rows.tsx";

type Order = NonNullable<Person["orders"]>["rows"][number];

const paymentNotes: Readonly<Record<Order["payment_state"], string | null>> = {
  none: null,
  due: "Not paid",
  part_paid: "Paid in part",
  paid: "Paid",
  too_much: null,
};

/** Their orders with what is owed, and staff's notes about them. */
export function PersonOrders({ person: { profile, orders, owed, order_notes } }: { person: Person }) {
  return (
    <>
      {owed && (owed.due > 0 || owed.back > 0) && (
        <p className="rounded-card bg-gold-tint px-4 py-3 text-gold-ink">
          {owed.due > 0 && (
            <>
              They owe <strong>{formatCedis(owed.due)}</strong> for their orders.{" "}
            </>
          )}
          {owed.back > 0 && (
            <>
              We owe them <strong>{formatCedis(owed.back)}</strong> back.
            </>
          )}
        </p>
      )}
      {orders && (
        <Panel title={`Orders (${orders.count.toLocaleString("en-GB")})`}>
          <PersonRows
            list={orders}
            rowId={({ id }) => id}
            name={(order) => (
              <>
                <Link to={orderDetailsPath(order)} className={rowLinkClass}>
                  Order {order.number}
                </Link>
                {order.is_by_phone && <span className="ml-2 text-13 text-muted">by phone</span>}
              </>
            )}
            facts={(order) => (
              <>
                <OrderStatusBadge status={order.status} />
                <span>{formatCedis(order.total_amount)}</span>
                {order.owed_back > 0 ? (
                  <span className="text-13 font-semibold text-clay">
                    {formatCedis(order.owed_back)} to refund
                  </span>
                ) : (
                  <span className="text-13 text-muted">{paymentNotes[order.payment_state]}</span>
                )}
              </>
            )}
            all={profile.email && `/admin/orders?q=${encodeURIComponent(profile.email)}`}
          />
        </Panel>
      )}
      {order_notes && order_notes.count > 0 && (
        <Panel title="Notes on their orders">
          <NoteList
            notes={order_notes}
            about={({ number }) => (
              <Link to={orderDetailsPath({ number })} className="text-green underline">
                Order {number}
              </Link>
            )}
          />
        </Panel>
      )}
    </>
  );
}
