import type { OrderTexts, Shipment } from "#shared/orders/order-fields.ts";
import type { QuoteDelivery } from "#shared/orders/quote-delivery.ts";
import type { Shop } from "#shared/owner/settings.ts";
import type { EmailAudience } from "#shared/shop/email-kinds.ts";

/** An order as its emails need it; amounts in cedis, as the database has them. */
export type EmailOrder = OrderTexts &
  Shipment & {
    id: string;
    number: number;
    has_account: boolean;
    total: number;
    placed_at: string;
    name: string | null;
    /** The account's email, or the caller's if they have no account. */
    email: string | null;
    /** The recipient's email, if it differs from the account's. */
    recipient_email: string | null;
    phone: string | null;
    /** Part of the total. */
    delivery_fee: number;
    paid: number;
    /** What is no longer part of what is due, because copies were returned. */
    returned: number;
    /** What is to be refunded: see private.owed_back. */
    owed_back: number;
    /** Whether copies of it were sent before the rest; of a cancelled order, whether any were. */
    part_sent: boolean;
    /** Of a cancelled order, whether all copies were sent before, as parcels. */
    all_sent: boolean;
    lines: { title: string; publisher: string | null; quantity: number; price: number }[];
  };

type EmailCopies = { title: string; copies: number };

/** A part of an order that was sent, and what is left to send now: nothing once the order is shipped or cancelled. */
export type EmailShipment = Shipment & { lines: EmailCopies[]; left: EmailCopies[] };

export type EmailStock = {
  count: number;
  books: { title: string; publisher: string | null; left: number }[];
};

/**
 * A payment or refund as its email needs it; amounts in cedis, above 0. What has been paid for the order is null when
 * it has been deleted.
 */
export type EmailPayment = {
  order_number: number | null;
  amount: number;
  method: string;
  /** Why it needs a decision. */
  reason: string | null;
  received: number | null;
  currency: string | null;
  paid: number | null;
  due: number | null;
};

/** A quote as its emails need it; amounts in cedis. */
export type EmailQuote = {
  id: string;
  /** 'Q2026-0007'; null until it is sent. */
  reference: string | null;
  /** '2026-12-22' */
  valid_until: string | null;
  institution: string | null;
  name: string | null;
  email: string | null;
  phone: string | null;
  message: string | null;
  note: string | null;
  lines: { title: string; publisher: string | null; quantity: number; unit_price: number }[];
  /** Null while the fees need a region that the customer has not named. */
  delivery_fee: number | null;
  /** Of a customer without an account: the secret with which the email's link opens the quote. */
  token: string | null;
} & Required<QuoteDelivery>;

/** A customer who was waiting for a book, and the book; its price in cedis. */
export type EmailStockAlert = {
  email: string | null;
  /** The book was coming soon: it isn't back, but there. */
  is_new: boolean;
  book: { id: string; title: string; publisher: string | null; price: number };
};

/** An event as its emails need it; the price in cedis. */
export type EmailEvent = {
  id: string;
  slug: string;
  title: string;
  is_online: boolean;
  place: string;
  starts_at: string;
  ends_at: string;
  price: number;
};

/** Someone who registered for an event. `token` is for their link; only people with a place get the link to join. */
export type EmailRegistration = {
  email: string | null;
  state: string;
  token: string;
  event: EmailEvent & { join_link: string | null };
};

/** Someone who asked for emails about new events; `event` is null in the email that asks them to confirm. */
export type EmailSubscription = { email: string | null; token: string; event: EmailEvent | null };

/** A purchase order as the email to its supplier needs it; amounts in its currency. */
export type EmailPurchase = {
  id: string;
  /** 'PO2026-0001' */
  reference: string;
  currency: string;
  /** When it was marked as sent. */
  sent_at: string;
  note: string | null;
  supplier_name: string;
  contact_name: string | null;
  email: string | null;
  phone: string | null;
  terms: string | null;
  total: number;
  /** The shop as it was when it was marked as sent, without what isn't known. */
  shop?: Partial<Shop>;
  lines: {
    isbn: string | null;
    title: string;
    publisher: string | null;
    copies: number;
    list_price: number;
    /** In percent. */
    discount: number;
    amount: number;
  }[];
};

/** A consultation as its emails need it. */
export type EmailConsultation = {
  id: string;
  /** Whether whoever asked was signed in. */
  has_account: boolean;
  name: string;
  email: string | null;
  phone: string | null;
  institution: string | null;
  subject: string | null;
  classes: string | null;
  wished_days: string | null;
  about: string;
  /** Of the answer that the email is about. */
  answer: string | null;
  meets_at: string | null;
  /** 'place', 'phone' or 'online' */
  meets_how: string | null;
  meeting_place: string | null;
  /** The time of the date that was cancelled last. */
  cancelled_meets_at: string | null;
  /** Whether a calendar may have the date from an earlier email. */
  has_calendar_file: boolean;
  /** 1 for the first date. */
  revision: number;
  updated_at: string;
};

/** A changed role as its emails need it. */
export type EmailRole = {
  /** The reader's. */
  email: string;
  name: string | null;
  /** The person whose role changed. */
  of_name: string | null;
  of_email: string;
  former: string;
  role: string;
  /** Who changed it; null for a command. */
  by_name: string | null;
  at: string;
};

/** An email as the database hands it out (claim_email). */
export type ClaimedEmail = {
  id: string;
  lease: string;
  kind: string;
  /** The order's new status. */
  status: string | null;
  created_at: string;
  audience: EmailAudience;
  order: EmailOrder | null;
  shipment: EmailShipment | null;
  stock: EmailStock | null;
  payment: EmailPayment | null;
  quote: EmailQuote | null;
  consultation: EmailConsultation | null;
  alert: EmailStockAlert | null;
  registration: EmailRegistration | null;
  subscription: EmailSubscription | null;
  purchase: EmailPurchase | null;
  role: EmailRole | null;
};
