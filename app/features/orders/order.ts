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

/** Reads a status from the database; an unknown one counts as pending. */
export function readStatus(text: string): OrderStatus {
  return ORDER_STATUSES.find((status) => status === text) ?? "pending";
}

/** 'Order 1042': the name that customers and staff use, also on the phone. */
export function orderName({ number }: { number: number }): string {
  return `Order ${number}`;
}

/** The reference beside the number: the last 8 characters of the id (spec section 9). */
export function orderReference(orderId: string): string {
  return orderId.slice(-8);
}

/** Whether any of an order's lines is a digital title. */
export const hasDownloads = (items: readonly { kind: string }[]): boolean =>
  items.some(({ kind }) => kind === "digital");

/** Whether it has not been sent as a whole (private.is_open): copies may be left to send. */
export const isOpen = ({ status }: { status: string }): boolean =>
  status === "pending" || status === "processing";

export function canCancel(status: OrderStatus): boolean {
  return status !== "cancelled" && status !== "delivered";
}
