import { useEffect, useRef, useState } from "react";
import { Link } from "react-router";
import { showToast } from "#app/components/toast.ts";
import { formatCedis } from "#shared/text/money.ts";
import { newOrders, type SeenOrders, seenOrders } from "./new-orders.ts";
import { type OrderRow, RECENT_ORDERS } from "./order.admin-queries.ts";
import { useRecentOrders } from "./recent-orders.tsx";

/**
 * Announces orders that arrive while the page is open: with a toast, which screen readers read out, and with a line that
 * stays on the page.
 */
export function NewOrderAnnouncer() {
  const { data: recent } = useRecentOrders();
  const seen = useRef<SeenOrders | null>(null);
  const [arrived, setArrived] = useState(0);

  useEffect(() => {
    if (!recent) return;
    const fresh = seen.current ? newOrders(seen.current, recent) : [];
    seen.current = seenOrders(recent, seen.current ?? undefined);
    if (fresh.length === 0) return;
    setArrived((before) => before + fresh.length);
    showToast("info", announcement(fresh.length), {
      description: fresh.length === 1 ? summary(fresh[0]) : undefined,
    });
  }, [recent]);

  if (arrived === 0) return null;
  return (
    <p className="mb-4 rounded-card bg-sky-tint px-4 py-2.5 text-sky">
      {announcement(arrived)} since you opened this page.{" "}
      <Link to="/admin/orders" className="font-semibold text-sky" onClick={() => setArrived(0)}>
        Show newest orders
      </Link>
    </p>
  );
}

function announcement(orders: number): string {
  if (orders === 1) return "1 new order";
  return orders >= RECENT_ORDERS ? `${RECENT_ORDERS} or more new orders` : `${orders} new orders`;
}

function summary(order: OrderRow | undefined): string | undefined {
  if (!order) return undefined;
  const total = formatCedis(order.total_amount);
  // The name comes last, so that right-to-left text in it cannot reorder the amount.
  return order.customer_name ? `${total} from ${order.customer_name}` : total;
}
