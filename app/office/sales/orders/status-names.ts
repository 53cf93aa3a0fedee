import type { OrderStatus } from "#app/features/orders/order.ts";

export const STATUS_NAMES: Record<OrderStatus, string> = {
  pending: "Pending",
  processing: "Processing",
  shipped: "Shipped",
  delivered: "Delivered",
  cancelled: "Cancelled",
};
