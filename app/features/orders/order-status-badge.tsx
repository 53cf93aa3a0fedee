import { Badge } from "#app/components/badge.tsx";
import { isOpen, type OrderStatus, statusVariants } from "./order.ts";

/** @param isPartSent whether copies were sent before the rest, which an open order's status doesn't say */
export function OrderStatusBadge({
  status,
  isPartSent = false,
}: {
  status: OrderStatus;
  isPartSent?: boolean;
}) {
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      <Badge variant={statusVariants[status]}>
        <span className="first-letter:uppercase inline-block">{status}</span>
      </Badge>
      {isPartSent && isOpen({ status }) && (
        <span className="text-13 whitespace-nowrap text-muted">Sent in part</span>
      )}
    </span>
  );
}
