import { Badge } from "#app/components/badge.tsx";
import { type OrderStatus, statusVariants } from "./order.ts";

export function OrderStatusBadge({ status }: { status: OrderStatus }) {
  return (
    <Badge variant={statusVariants[status]}>
      <span className="first-letter:uppercase inline-block">{status}</span>
    </Badge>
  );
}
