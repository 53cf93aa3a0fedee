/**
 * The kinds of emails. Names for staff and the texts in server/emails follow from this list; private.email_kinds is the
 * database's half of it, from which the queue, its states and what an email is about follow.
 */

type KindDefinition = {
  /** Who gets it; 'recipient' is whoever receives someone else's order. */
  audience: "customer" | "recipient" | "supplier" | "owner";
  /** What its text is about. */
  topic:
    | "order"
    | "shipment"
    | "payment"
    | "quote"
    | "consultation"
    | "alert"
    | "registration"
    | "subscription"
    | "stock"
    | "purchase"
    | "role";
  /** For staff. */
  name: string;
};

export const emailKinds = {
  order_placed: { audience: "customer", topic: "order", name: "Order placed" },
  // Staff read the order's new status instead.
  order_status_changed: { audience: "customer", topic: "order", name: "Status" },
  order_part_shipped: { audience: "customer", topic: "shipment", name: "Some copies sent" },
  order_part_undone: { audience: "customer", topic: "shipment", name: "Parcel taken back" },
  order_changed: { audience: "customer", topic: "order", name: "Order changed" },
  order_cancelled: { audience: "customer", topic: "order", name: "Cancelled" },
  downloads_ready: { audience: "customer", topic: "order", name: "Ready to download" },
  order_paid: { audience: "customer", topic: "payment", name: "Payment received" },
  order_refunded: { audience: "customer", topic: "payment", name: "Money returned" },
  quote_sent: { audience: "customer", topic: "quote", name: "Quote" },
  consultation_received: { audience: "customer", topic: "consultation", name: "Consultation requested" },
  consultation_answered: { audience: "customer", topic: "consultation", name: "Consultation: our answer" },
  consultation_dated: { audience: "customer", topic: "consultation", name: "Consultation: the date" },
  consultation_cancelled: {
    audience: "customer",
    topic: "consultation",
    name: "Consultation: the date is cancelled",
  },
  back_in_stock: { audience: "customer", topic: "alert", name: "Back in stock" },
  event_registered: { audience: "customer", topic: "registration", name: "Registration for an event" },
  event_place: { audience: "customer", topic: "registration", name: "A place has become free" },
  event_changed: { audience: "customer", topic: "registration", name: "Event changed" },
  event_cancelled: { audience: "customer", topic: "registration", name: "Event cancelled" },
  event_subscription: { audience: "customer", topic: "subscription", name: "Confirm emails about events" },
  event_published: { audience: "customer", topic: "subscription", name: "New event" },
  purchase_order_sent: { audience: "supplier", topic: "purchase", name: "Purchase order, to the supplier" },
  recipient_order_placed: {
    audience: "recipient",
    topic: "order",
    name: "Order placed, to the recipient",
  },
  recipient_order_part_shipped: {
    audience: "recipient",
    topic: "shipment",
    name: "Some copies sent, to the recipient",
  },
  recipient_order_part_undone: {
    audience: "recipient",
    topic: "shipment",
    name: "Parcel taken back, to the recipient",
  },
  recipient_order_shipped: {
    audience: "recipient",
    topic: "order",
    name: "Status: shipped, to the recipient",
  },
  new_order: { audience: "owner", topic: "order", name: "New order, to the shop" },
  order_cancelled_by_customer: {
    audience: "owner",
    topic: "order",
    name: "Cancelled by the customer, to the shop",
  },
  payment_needs_decision: { audience: "owner", topic: "payment", name: "Payment in doubt, to the shop" },
  quote_requested: { audience: "owner", topic: "quote", name: "Quote requested, to the shop" },
  consultation_requested: {
    audience: "owner",
    topic: "consultation",
    name: "Consultation requested, to the shop",
  },
  low_stock: { audience: "owner", topic: "stock", name: "Low stock, to the shop" },
  own_role_changed: { audience: "customer", topic: "role", name: "Role changed, to the person" },
  role_changed: { audience: "customer", topic: "role", name: "Role changed, to the other admins" },
} as const satisfies Record<string, KindDefinition>;

export type EmailKind = keyof typeof emailKinds;
export type EmailAudience = KindDefinition["audience"];

/** False for a kind of a later version. */
export function isEmailKind(kind: string): kind is EmailKind {
  return Object.hasOwn(emailKinds, kind);
}
