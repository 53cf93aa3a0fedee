import { Link } from "react-router";
import { Skeleton } from "#app/components/skeleton.tsx";
import { OrderStatusBadge } from "#app/features/orders/order-status-badge.tsx";
import { Panel } from "#app/office/components/panel.tsx";
import { RetryNote } from "#app/office/components/retry-note.tsx";
import { readFailure, useAdminQuery } from "#app/office/frame/admin-data.ts";
import { orderDetailsPath } from "#app/office/frame/order-number.ts";
import { formatMinute } from "#shared/text/dates.ts";
import { formatCedis } from "#shared/text/money.ts";
import { writtenPhone } from "#shared/text/phone.ts";
import { listRecentOrders } from "./order.admin-queries.ts";

/** Spec section 9. */
const SHOWN = 5;

/** The newest orders, refetched every 30 s; one query for all components that use them. */
export function useRecentOrders() {
  return useAdminQuery(["orders", "recent"], listRecentOrders, { refreshing: true });
}

export function RecentOrders() {
  const orders = useRecentOrders();
  const failure = readFailure("orders", orders);
  return (
    <Panel
      title="Recent Orders"
      action={
        <Link
          to="/admin/orders"
          className="-my-2.5 inline-flex min-h-11 items-center font-semibold text-green"
        >
          All orders
        </Link>
      }
    >
      {failure && <RetryNote {...failure} />}
      {orders.isPending && <Skeleton className="h-40" />}
      {orders.data?.length === 0 && <p className="py-2 text-muted">No orders yet</p>}
      <ul>
        {orders.data?.slice(0, SHOWN).map((order) => (
          <li
            key={order.id}
            className="flex items-center justify-between gap-4 border-t border-line py-2 first:border-t-0"
          >
            <div className="min-w-0">
              <p className="truncate font-semibold">
                <Link
                  to={orderDetailsPath(order)}
                  aria-label={`Order ${order.number} of ${order.customer_name || "N/A"}`}
                  className="-my-2.5 inline-block max-w-full truncate py-2.5 align-bottom underline decoration-line-strong underline-offset-4 hover:decoration-green"
                >
                  {order.customer_name || "N/A"}
                </Link>
              </p>
              <p className="truncate text-13 text-muted">
                <span className="figures">No. {order.number}</span> ·{" "}
                {order.customer_email || (order.customer_phone ? writtenPhone(order.customer_phone) : "N/A")}
              </p>
            </div>
            <div className="flex shrink-0 flex-col items-end gap-0.5">
              <p className="figures font-semibold">{formatCedis(order.total_amount)}</p>
              <p className="flex items-center gap-2 text-13 text-muted">
                <span className="figures hidden @2xl:inline">{formatMinute(order.created_at)}</span>
                <OrderStatusBadge status={order.status} />
              </p>
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
