import { RetryNote } from "#app/office/components/retry-note.tsx";
import { readFailure, useAdminQuery } from "#app/office/frame/admin-data.ts";
import { AttentionNotice } from "#app/office/frame/attention-notice.tsx";
import { OfficeLink, useDuty } from "#app/office/frame/duties.tsx";
import { orderDetailsPath } from "#app/office/frame/order-number.ts";
import { countOf } from "#shared/text/count-of.ts";
import { countPaymentsToDecide, listPaymentsToDecide, type StaffPayment } from "./payment.admin-queries.ts";
import { PaymentRows } from "./payment-rows.tsx";

/** Not requested without the duty Payments. */
export const usePaymentsToDecideCount = () =>
  useAdminQuery(["orders", "payments", "to decide"], countPaymentsToDecide, {
    refreshing: true,
    enabled: useDuty("payments"),
  });

/** Money received that does not match its order, or whose order was deleted. Renders nothing when there is none. */
export function PaymentsToDecide() {
  const { data: total = 0 } = usePaymentsToDecideCount();
  if (total === 0) return null;
  return (
    <AttentionNotice
      label="Payments that need a decision"
      words={countOf(total, "payment needs a decision", "payments need a decision")}
    >
      <PaymentList total={total} />
    </AttentionNotice>
  );
}

function PaymentList({ total }: { total: number }) {
  const payments = useAdminQuery(["orders", "payments", "to decide", "list"], listPaymentsToDecide, {
    refreshing: true,
  });
  const failure = readFailure("payments", payments);
  if (failure) return <RetryNote {...failure} />;
  const { data = [] } = payments;
  return (
    <>
      <PaymentRows payments={data} nameOf={OrderOf} />
      {data.length > 0 && data.length < total && (
        <p className="pt-2 text-muted">
          These are the {data.length} oldest. The others follow as you decide.
        </p>
      )}
    </>
  );
}

function OrderOf({ order_number, reason }: StaffPayment) {
  if (order_number === null) return null;
  const words = `Order ${order_number}`;
  return reason === "order_deleted" ? (
    `${words}: `
  ) : (
    <>
      <OfficeLink to={orderDetailsPath({ number: order_number })} className="font-semibold text-green">
        {words}
      </OfficeLink>
      {": "}
    </>
  );
}
