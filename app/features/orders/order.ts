import type { BadgeVariant } from "#app/components/badge.tsx";

export const ORDER_STATUSES = ["pending", "processing", "shipped", "delivered", "cancelled"] as const;

export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** How a status looks as a badge (spec section 4). */
export const statusVariants: Readonly<Record<OrderStatus, BadgeVariant>> = {
  pending: "secondary",
  processing: "default",
  shipped: "outline",
  delivered: "default",
  cancelled: "destructive",
};

/** The status that a text of the database names; a text that is none counts as pending. */
export function readStatus(text: string): OrderStatus {
  return ORDER_STATUSES.find((status) => status === text) ?? "pending";
}

/** What the customer knows an order by: the last 8 characters of its id. */
export function orderNumber(orderId: string): string {
  return orderId.slice(-8);
}

/** Whether a customer may still cancel. */
export function canCancel(status: OrderStatus): boolean {
  return status !== "cancelled" && status !== "delivered";
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text from the address can name an order at all. */
export function isOrderId(text: string): boolean {
  return uuid.test(text);
}
