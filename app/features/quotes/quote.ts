import type { BadgeVariant } from "#app/components/badge.tsx";
import { unavailableWords } from "#app/features/books/left-words.ts";
import { isSent } from "#shared/orders/delivery.ts";
import { isIncluded, type QuoteDelivery } from "#shared/orders/quote-delivery.ts";
import { type Pesewas, pesewasFromCedis, sumPesewas, timesQuantity } from "#shared/text/money.ts";

/** The statuses of a quote as people see them; the database derives 'expired' from the last day. */
const QUOTE_STATUSES = ["requested", "sent", "accepted", "declined", "withdrawn", "expired"] as const;

export type QuoteStatus = (typeof QUOTE_STATUSES)[number];

type StatusNames = Readonly<Record<QuoteStatus, string>>;

export const staffStatusNames: StatusNames = {
  requested: "Requested",
  sent: "Sent",
  accepted: "Accepted",
  declined: "Declined",
  withdrawn: "Withdrawn",
  expired: "Expired",
};

export const customerStatusNames: StatusNames = {
  ...staffStatusNames,
  requested: "In preparation",
  sent: "Ready to accept",
};

/** The same for staff, who began some of the quotes themselves. */
export const staffNamesOf = ({ begun_by_staff }: { begun_by_staff: boolean }): StatusNames =>
  begun_by_staff ? { ...staffStatusNames, requested: "Draft" } : staffStatusNames;

export const quoteStatusVariants: Readonly<Record<QuoteStatus, BadgeVariant>> = {
  requested: "secondary",
  sent: "default",
  accepted: "outline",
  declined: "destructive",
  withdrawn: "destructive",
  expired: "warning",
};

/** Reads a status from the database; an unknown one counts as requested, about which nothing can be decided. */
export function readQuoteStatus(text: string): QuoteStatus {
  return QUOTE_STATUSES.find((status) => status === text) ?? "requested";
}

/** A line of a quote, with its book's current stock. */
export type QuoteLine = {
  book_id: string;
  /** As it was when the line was added. */
  title: string;
  publisher: string | null;
  isbn: string | null;
  /** Whether the customer requested it; otherwise staff added it. */
  requested: boolean;
  quantity: number;
  shop_price: Pesewas;
  /** Null for its customer while the quote is being prepared. */
  unit_price: Pesewas | null;
  /** Null when the book is no longer sold. */
  stock: number | null;
  image_url: string | null;
  subject: string | null;
  course: string | null;
  /** Null when the book is no longer sold. */
  kind: string | null;
};

type Stored = Omit<QuoteLine, "shop_price" | "unit_price"> & {
  shop_price: number;
  unit_price: number | null;
};

/** Whether the customer asked for any of the lines; otherwise staff began the quote. */
export const hasRequested = (lines: readonly Pick<QuoteLine, "requested">[]): boolean =>
  lines.some(({ requested }) => requested);

/** A quote's delivery fee from the database, in cedis. */
export const readFee = (cedis: number | null): Pesewas | null =>
  cedis === null ? null : pesewasFromCedis(cedis);

/** The lines of a quote from the database's JSON, whose amounts are in cedis. */
export function readQuoteLines(json: unknown): QuoteLine[] {
  return (json as Stored[]).map((line) => ({
    ...line,
    shop_price: pesewasFromCedis(line.shop_price),
    unit_price: line.unit_price === null ? null : pesewasFromCedis(line.unit_price),
  }));
}

export type QuoteTotals = {
  /** At the shop's prices when the lines were added. */
  atShopPrices: Pesewas;
  /** 0 or less when the quote is not cheaper than the shop. */
  discount: Pesewas;
  /** The books at the quote's prices. */
  books: Pesewas;
  /** With delivery, as far as its fee is known. */
  total: Pesewas;
};

type Priced = Pick<QuoteLine, "quantity" | "shop_price" | "unit_price">;

/** What a quote costs; a line without a price of its own costs the shop's. */
export function quoteTotals(lines: readonly Priced[], deliveryFee: Pesewas | null = null): QuoteTotals {
  const atShopPrices = sumPesewas(lines.map((line) => timesQuantity(line.shop_price, line.quantity)));
  const books = sumPesewas(lines.map((line) => lineAmount(line)));
  const total = deliveryFee === null ? books : sumPesewas([books, deliveryFee]);
  return { atShopPrices, books, total, discount: (atShopPrices - books) as Pesewas };
}

type Offered = QuoteDelivery & { delivery_fee?: Pesewas | null };

/**
 * What a sent quote says this delivery costs, as `private.quoted_delivery_fee` does; null for another way or region than
 * quoted, for which the shop's fees decide.
 */
export function quotedFee(quote: Offered, method: string, region: string): Pesewas | null {
  const isAsQuoted =
    method === quote.delivery_method && (!isSent(method) || !quote.region || quote.region === region);
  return isIncluded(quote) || isAsQuoted ? (quote.delivery_fee ?? (0 as Pesewas)) : null;
}

export function lineAmount({ shop_price, unit_price, quantity }: Priced): Pesewas {
  return timesQuantity(unit_price ?? shop_price, quantity);
}

/** Why this line cannot be ordered now; null when it can. */
export function shortageOf({ stock, quantity }: Pick<QuoteLine, "stock" | "quantity">): string | null {
  if (stock === null) return "No longer sold";
  if (stock <= 0) return unavailableWords(stock);
  return stock < quantity ? `Only ${stock} left` : null;
}

/** 'Quote Q2026-0007', or 'Quote request' before it has a number. */
export function quoteName({ reference }: { reference: string | null }): string {
  return reference ? `Quote ${reference}` : "Quote request";
}
