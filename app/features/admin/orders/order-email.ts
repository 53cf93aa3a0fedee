import { readStatus } from "#app/features/orders/order.ts";

/** Names of the kinds of emails (private.email_audience in the database). */
const names: Readonly<Record<string, string>> = {
  order_placed: "Order placed",
  order_cancelled: "Cancelled",
  recipient_order_placed: "Order placed, to the recipient",
  recipient_order_shipped: "Status: shipped, to the recipient",
  new_order: "New order, to the shop",
  order_cancelled_by_customer: "Cancelled by the customer, to the shop",
  order_paid: "Payment received",
  order_refunded: "Money returned",
  payment_needs_decision: "Payment in doubt, to the shop",
  quote_requested: "Quote requested, to the shop",
  quote_sent: "Quote",
  back_in_stock: "Back in stock",
  low_stock: "Low stock, to the shop",
};

/** 'Order placed', 'Status: shipped': an email's name for staff. */
export function emailName({ kind, status }: { kind: string; status: string | null }): string {
  if (kind === "order_status_changed") return `Status: ${readStatus(status ?? "")}`;
  return names[kind] ?? kind;
}

type Chained = { id: string; resend_of: string | null };

/** Whether an email is the last one about its event: only that one can be sent again. Emails come oldest first. */
export function isLatest(email: Chained, emails: readonly Chained[]): boolean {
  const first = email.resend_of ?? email.id;
  return emails.findLast(({ id, resend_of }) => (resend_of ?? id) === first)?.id === email.id;
}
