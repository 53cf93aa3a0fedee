import { readFee, readQuoteLines, readQuoteStatus } from "#app/features/quotes/quote.ts";
import type { BackendClient } from "#app/lib/backend/client.ts";
import { unwrap, unwrapDone } from "#app/lib/backend/response.ts";
import type { ListQuery } from "#app/lib/react/list-state.ts";
import { pagingArguments } from "#app/office/frame/paging.ts";
import type { DeliveryMethod } from "#shared/orders/delivery.ts";
import { DELIVERY_PRICINGS, type DeliveryPricing } from "#shared/orders/quote-delivery.ts";
import { cedisFromPesewas, inPesewas, type Pesewas } from "#shared/text/money.ts";
import { isUuid } from "#shared/text/uuid.ts";

export const QUOTE_SORT_KEYS = ["created_at", "institution", "valid_until"] as const;
type QuoteSortKey = (typeof QUOTE_SORT_KEYS)[number];

type QuoteListQuery = ListQuery<QuoteSortKey> & { status: string };

/**
 * One page of quotes, newest first by default, and the exact number of all matches. `q` searches the reference, the
 * institution, the contact and the purchase order number.
 * @throws BackendFailure
 */
export async function listQuotes(client: BackendClient, query: QuoteListQuery) {
  const filters = { _q: query.q || undefined, _status: query.status || undefined };
  const [rows, total] = await Promise.all([
    client.rpc("admin_list_quotes", { ...filters, ...pagingArguments(query) }).then(unwrap),
    client.rpc("admin_count_quotes", filters).then(unwrap),
  ]);
  return {
    rows: rows.map((row) => ({ ...inPesewas(row, "total"), status: readQuoteStatus(row.status) })),
    total,
  };
}

export type QuoteListRow = Awaited<ReturnType<typeof listQuotes>>["rows"][number];

/**
 * One quote, drafts included; null when there is none with this id.
 * @throws BackendFailure
 */
export async function findQuote(client: BackendClient, id: string) {
  if (!isUuid(id)) return null;
  const [[row], [by]] = await Promise.all([
    client.rpc("admin_find_quote", { _quote_id: id }).then(unwrap),
    client.from("quotes").select("user_id, claimed_at").eq("id", id).then(unwrap),
  ]);
  if (!row) return null;
  return {
    ...row,
    /** Null for a customer without an account. */
    user_id: by?.user_id ?? null,
    /** When an account took it over by a link. */
    claimed_at: by?.claimed_at ?? null,
    status: readQuoteStatus(row.status),
    lines: readQuoteLines(row.lines),
    delivery_pricing: DELIVERY_PRICINGS.find((pricing) => pricing === row.delivery_pricing) ?? "fees",
    /** By today's fees while a draft follows them; null while they need a region. */
    delivery_fee: readFee(row.delivery_fee),
  };
}

export type QuoteRecord = NonNullable<Awaited<ReturnType<typeof findQuote>>>;

/** Whom a quote is for. */
export type QuoteContact = { institution: string; contactName: string; email: string; phone: string };

type Beginning = QuoteContact & {
  /** Made by the client and reused for retries, so that a quote is begun only once. */
  id: string;
  /** The customer's account; null without one, or for that of the older quote. */
  userId: string | null;
  /** The older quote whose customer, delivery and books it starts with. */
  copyOf: string | null;
};

/**
 * Begins a quote, which its customer sees once it is sent.
 * @throws BackendFailure, with the code `customer_not_found` or `quote_exists`
 */
export async function beginQuote(client: BackendClient, begun: Beginning): Promise<void> {
  unwrap(
    await client.rpc("begin_quote", {
      _quote_id: begun.id,
      // The generated types don't know that arguments can be null.
      _user_id: begun.userId as string,
      _institution: begun.institution,
      _contact_name: begun.contactName,
      _contact_email: begun.email,
      _contact_phone: begun.phone,
      _copy_of: begun.copyOf ?? undefined,
    }),
  );
}

/** The fields of a quote that staff edit. */
export type QuoteValues = {
  lines: { book_id: string; quantity: number; unit_price: Pesewas }[];
  /** The last day, as '2026-11-30'; null for 30 days from sending. */
  validUntil: string | null;
  note: string;
  delivery: { method: DeliveryMethod; region: string; pricing: DeliveryPricing; fee: Pesewas | null };
};

/**
 * Saves a quote as a draft if it is still this version; its customer sees the changes once it is sent.
 * @returns its new version
 * @throws BackendFailure, with the code `quote_changed` or `quote_accepted`
 */
export async function updateQuote(
  client: BackendClient,
  { id, version }: Pick<QuoteRecord, "id" | "version">,
  { lines, validUntil, note, delivery }: QuoteValues,
): Promise<number> {
  return unwrap(
    await client.rpc("update_quote", {
      _quote_id: id,
      _version: version,
      _lines: lines.map((line) => ({ ...line, unit_price: cedisFromPesewas(line.unit_price) })),
      _valid_until: validUntil ?? undefined,
      _note: note,
      _delivery: { ...delivery, fee: delivery.fee === null ? null : cedisFromPesewas(delivery.fee) },
    }),
  );
}

/**
 * Sends a quote to its customer if it is still this version, and its delivery still costs what was shown.
 * @returns its reference, such as Q2026-0007
 * @throws BackendFailure, with the code `quote_changed` or `total_changed`
 */
export async function sendQuote(
  client: BackendClient,
  id: string,
  version: number,
  fee: Pesewas | null,
): Promise<string> {
  return unwrap(
    await client.rpc("send_quote", {
      _quote_id: id,
      _version: version,
      _delivery_fee: fee === null ? undefined : cedisFromPesewas(fee),
    }),
  );
}

/** @throws BackendFailure, with the code `quote_changed` or `quote_accepted` */
export async function withdrawQuote(
  client: BackendClient,
  { id, version }: Pick<QuoteRecord, "id" | "version">,
): Promise<void> {
  unwrapDone(await client.rpc("withdraw_quote", { _quote_id: id, _version: version }));
}

/**
 * A new link to a quote that was sent to a customer without an account, as the secret part of its address.
 * @throws BackendFailure, with the code `quote_has_account`
 */
export async function createQuoteLink(client: BackendClient, id: string): Promise<string> {
  return unwrap(await client.rpc("create_quote_link", { _quote_id: id }));
}

/**
 * Stops all links to a quote if it is still this version, and takes it back from an account that took it over by one.
 * @returns its version then
 * @throws BackendFailure, with the code `quote_changed` or `quote_accepted`
 */
export async function stopQuoteLinks(
  client: BackendClient,
  { id, version }: Pick<QuoteRecord, "id" | "version">,
): Promise<number> {
  return unwrap(await client.rpc("stop_quote_links", { _quote_id: id, _version: version }));
}
