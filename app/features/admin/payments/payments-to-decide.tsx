import { Link } from "react-router";
import { useAdminQuery } from "#app/features/admin/admin-data.ts";
import { orderDetailsPath } from "#app/features/admin/orders/order-number.ts";
import { countOf } from "#app/lib/count-of.ts";
import { listPaymentsToDecide, type StaffPayment } from "./payment.admin-queries.ts";
import { PaymentRows } from "./payment-rows.tsx";

export const usePaymentsToDecide = () =>
  useAdminQuery(["orders", "payments", "to decide"], listPaymentsToDecide, { refreshing: true });

/** Money received that does not match its order, or whose order was deleted. Renders nothing when there is none. */
export function PaymentsToDecide() {
  const { data: payments = [] } = usePaymentsToDecide();
  if (payments.length === 0) return null;
  return (
    <section
      aria-label="Payments that need a decision"
      className="mb-4 rounded-card border border-clay bg-clay-tint px-4 py-3"
    >
      <p className="font-semibold">
        {countOf(payments.length, "payment")} {payments.length === 1 ? "needs" : "need"} a decision
      </p>
      <PaymentRows payments={payments} nameOf={OrderOf} />
    </section>
  );
}

function OrderOf({ order_number, reason }: StaffPayment) {
  if (order_number === null) return null;
  const words = `Order ${order_number}`;
  return reason === "order_deleted" ? (
    `${words}: `
  ) : (
    <>
      <Link to={orderDetailsPath({ number: order_number })} className="font-semibold text-green">
        {words}
      </Link>
      {": "}
    </>
  );
}
