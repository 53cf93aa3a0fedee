import type { EarlierSender } from "#app/features/documents/document.ts";
import type { BackendClient } from "#app/lib/backend/client.ts";
import { unwrap, unwrapDone } from "#app/lib/backend/response.ts";
import type { Database } from "#shared/calls/database.types.ts";
import { type DeliveryMethod, isSent } from "#shared/orders/delivery.ts";
import type { OrderTexts } from "#shared/orders/order-fields.ts";
import type { QuoteDelivery } from "#shared/orders/quote-delivery.ts";
import { cedisFromPesewas, type Pesewas, pesewasFromCedis } from "#shared/text/money.ts";
import { type QuoteLine, type QuoteStatus, readFee, readQuoteLines, readQuoteStatus } from "./quote.ts";

type QuoteRequest = {
  /** Created by the client and reused for retries, so that a quote is requested only once. */
  id: string;
  institution: string;
  contactName: string;
  email: string;
  phone: string;
  message: string;
  delivery_method: DeliveryMethod;
  region: string;
};

/**
 * Requests a quote for the user's cart, which stays as it is.
 * @throws BackendFailure, with the code `cart_empty` or `too_many_quotes`
 */
export async function requestQuote(client: BackendClient, request: QuoteRequest): Promise<void> {
  unwrap(
    await client.rpc("request_quote", {
      _quote_id: request.id,
      _institution: request.institution,
      _contact_name: request.contactName,
      _contact_email: request.email,
      _contact_phone: request.phone,
      _message: request.message,
      _delivery_method: request.delivery_method,
      _region: isSent(request.delivery_method) ? request.region : "",
    }),
  );
}

export type OwnQuoteSummary = {
  id: string;
  reference: string | null;
  institution: string | null;
  status: QuoteStatus;
  valid_until: string | null;
  created_at: string;
  copies: number;
  /** Null while the quote is being prepared. */
  total: Pesewas | null;
};

/**
 * A page of the user's own quotes, newest first, and their total number.
 * @param page from 1
 * @throws BackendFailure
 */
export async function listOwnQuotes(
  client: BackendClient,
  page: number,
  pageSize: number,
): Promise<{ quotes: OwnQuoteSummary[]; total: number }> {
  const rows = unwrap(await client.rpc("list_own_quotes", { _page: page, _page_size: pageSize }));
  const quotes = rows.map(({ total, status, found: _, order_id: __, ...quote }) => ({
    ...quote,
    status: readQuoteStatus(status),
    total: total === null ? null : pesewasFromCedis(total),
  }));
  return { quotes, total: rows[0]?.found ?? 0 };
}

/** A quote as its customer sees it: prices, validity and note only once they have been sent. */
export type OwnQuote = {
  id: string;
  reference: string | null;
  institution: string | null;
  contact_name: string | null;
  contact_email: string | null;
  contact_phone: string | null;
  message: string | null;
  note: string | null;
  status: QuoteStatus;
  /** The last day, as '2026-11-30'. */
  valid_until: string | null;
  version: number;
  created_at: string;
  sent_at: string | null;
  order_id: string | null;
  purchase_order_number: string | null;
  lines: QuoteLine[];
  /** The seller of the day on which it was sent; missing in copies that a browser made before quotes had it. */
  shop?: EarlierSender;
  /** Null until it is sent; missing as `shop` is. */
  delivery_fee?: Pesewas | null;
} & QuoteDelivery;

/**
 * One of the user's own quotes; null when there is none with this id.
 * @throws BackendFailure
 */
export async function findOwnQuote(client: BackendClient, id: string): Promise<OwnQuote | null> {
  return readQuote(unwrap(await client.rpc("find_own_quote", { _quote_id: id })));
}

/**
 * The quote that a link opens, for anyone who has it; null when there is none, or an account has it by now.
 * @throws BackendFailure
 */
export async function findLinkedQuote(
  client: BackendClient,
  id: string,
  token: string,
): Promise<OwnQuote | null> {
  return readQuote(unwrap(await client.rpc("find_linked_quote", { _quote_id: id, _token: token })));
}

/** Takes a link's quote into the user's account. @throws BackendFailure, with the code `quote_not_found` */
export async function claimQuote(client: BackendClient, id: string, token: string): Promise<void> {
  unwrapDone(await client.rpc("claim_quote", { _quote_id: id, _token: token }));
}

type QuoteRow = Database["public"]["Functions"]["find_own_quote"]["Returns"][number];

function readQuote([row]: QuoteRow[]): OwnQuote | null {
  if (!row) return null;
  return {
    ...row,
    status: readQuoteStatus(row.status),
    lines: readQuoteLines(row.lines),
    delivery_fee: readFee(row.delivery_fee),
    shop: row.shop as EarlierSender,
  };
}

export type Acceptance = {
  purchaseOrderNumber: string;
  texts: OrderTexts;
  /** What was shown, delivery included. */
  total: Pesewas;
};

/**
 * Places the quote's order at its prices, if the quote is still the version shown.
 * @returns the order's id; for a quote that was already accepted, the id of its order
 * @throws BackendFailure, with the code `quote_changed`, `quote_not_open`, `quote_expired`, `insufficient_stock`,
 * `total_changed` or `books_not_sold`
 */
export async function acceptQuote(
  client: BackendClient,
  { id, version }: Pick<OwnQuote, "id" | "version">,
  acceptance: Acceptance,
): Promise<string> {
  return unwrap(
    await client.rpc("accept_quote", {
      _quote_id: id,
      _version: version,
      _purchase_order_number: acceptance.purchaseOrderNumber,
      _order: acceptance.texts,
      _total: cedisFromPesewas(acceptance.total),
    }),
  );
}

/** Declines a quote, or takes a request back. @throws BackendFailure, with the code `quote_not_open` */
export async function declineQuote(client: BackendClient, id: string): Promise<void> {
  unwrapDone(await client.rpc("decline_quote", { _quote_id: id }));
}
