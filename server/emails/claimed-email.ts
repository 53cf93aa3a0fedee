import type { EmailAudience } from "#app/lib/email-kinds.ts";
import type { OrderTexts } from "#app/lib/order-fields.ts";

/** An order as its emails need it; amounts in cedis, as the database has them. */
export type EmailOrder = OrderTexts & {
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
  lines: { title: string; publisher: string | null; quantity: number; price: number }[];
};

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
};

/** A customer who was waiting for a book, and the book; its price in cedis. */
export type EmailStockAlert = {
  email: string | null;
  book: { id: string; title: string; publisher: string | null; price: number };
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
  stock: EmailStock | null;
  payment: EmailPayment | null;
  quote: EmailQuote | null;
  alert: EmailStockAlert | null;
};
