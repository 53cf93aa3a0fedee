import { Link } from "react-router";
import { Panel } from "#app/components/panel.tsx";
import { RetryNote } from "#app/components/retry-note.tsx";
import { Skeleton } from "#app/components/skeleton.tsx";
import { readFailure, useAdminQuery } from "#app/features/admin/admin-data.ts";
import { OrderStatusBadge } from "#app/features/orders/order-status-badge.tsx";
import { formatMinute } from "#app/lib/dates.ts";
import { formatCedis, pesewasFromCedis } from "#app/lib/money.ts";
import { listRecentOrders } from "./order.admin-queries.ts";

/** The dashboard shows this many (spec section 9). */
const SHOWN = 5;

/** The newest orders, read again every 30 s; shared by all who show or announce them. */
export function useRecentOrders() {
  return useAdminQuery(["orders", "recent"], listRecentOrders, { refreshing: true });
}

/** The latest five orders. */
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
              <p className="truncate font-semibold">{order.customerName || "N/A"}</p>
              <p className="truncate text-13 text-muted">{order.customerEmail || "N/A"}</p>
            </div>
            <div className="flex shrink-0 flex-col items-end gap-0.5">
              <p className="figures font-semibold">{formatCedis(pesewasFromCedis(order.totalCedis))}</p>
              <p className="flex items-center gap-2 text-13 text-muted">
                <span className="figures hidden @2xl:inline">{formatMinute(order.placedAt)}</span>
                <OrderStatusBadge status={order.status} />
              </p>
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
