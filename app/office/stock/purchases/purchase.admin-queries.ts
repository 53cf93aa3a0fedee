import type { EarlierSender } from "#app/features/documents/document.ts";
import type { BackendClient } from "#app/lib/backend/client.ts";
import { unwrap, unwrapDone } from "#app/lib/backend/response.ts";
import type { ListQuery } from "#app/lib/react/list-state.ts";
import { pagingArguments } from "#app/office/frame/paging.ts";
import { isUuid } from "#shared/text/uuid.ts";
import { hundredthsOf, readPurchaseStatus } from "./purchase.ts";

export const PURCHASE_SORT_KEYS = ["created_at", "supplier"] as const;
type PurchaseSortKey = (typeof PURCHASE_SORT_KEYS)[number];

type PurchaseListQuery = ListQuery<PurchaseSortKey> & { status: string };

/**
 * One page of purchase orders, newest first by default, and the exact number of all matches. `q` searches the reference and the
 * supplier's name. Totals are hundredths of the order's currency.
 * @throws BackendFailure
 */
export async function listPurchases(client: BackendClient, query: PurchaseListQuery) {
  const filters = { _q: query.q || undefined, _status: query.status || undefined };
  const [rows, total] = await Promise.all([
    client.rpc("admin_list_purchase_orders", { ...filters, ...pagingArguments(query) }).then(unwrap),
    client.rpc("admin_count_purchase_orders", filters).then(unwrap),
  ]);
  return {
    rows: rows.map((row) => ({
      ...row,
      reference: row.reference as string | null,
      sent_at: row.sent_at as string | null,
      status: readPurchaseStatus(row.status),
      total: hundredthsOf(row.total),
    })),
    total,
  };
}

export type PurchaseListRow = Awaited<ReturnType<typeof listPurchases>>["rows"][number];

/** A line, with its amounts in hundredths of the order's currency. */
export type PurchaseLine = {
  book_id: string;
  /** As it was when the line was added. */
  title: string;
  publisher: string | null;
  isbn: string | null;
  copies: number;
  /** How many arrived to sell. */
  received: number;
  list_price: number;
  /** In percent. */
  discount: number;
  amount: number;
  /** Null when the book no longer exists. */
  stock: number | null;
};

/**
 * One purchase order with its supplier; null when there is none with this id.
 * @throws BackendFailure
 */
export async function findPurchase(client: BackendClient, id: string) {
  if (!isUuid(id)) return null;
  const [row] = unwrap(await client.rpc("admin_find_purchase_order", { _id: id }));
  if (!row) return null;
  const lines = row.lines as unknown as PurchaseLine[];
  return {
    ...row,
    reference: row.reference as string | null,
    note: row.note as string | null,
    sent_at: row.sent_at as string | null,
    contact_name: row.contact_name as string | null,
    email: row.email as string | null,
    phone: row.phone as string | null,
    terms: row.terms as string | null,
    status: readPurchaseStatus(row.status),
    total: hundredthsOf(row.total),
    shop: row.shop as EarlierSender,
    lines: lines.map((line) => ({
      ...line,
      list_price: hundredthsOf(line.list_price),
      amount: hundredthsOf(line.amount),
    })),
  };
}

export type PurchaseRecord = NonNullable<Awaited<ReturnType<typeof findPurchase>>>;

/**
 * Begins a purchase order; the same id again begins none.
 * @throws BackendFailure, with `supplier_hidden`, `supplier_not_found`
 */
export async function createPurchase(client: BackendClient, id: string, supplierId: string): Promise<void> {
  unwrap(await client.rpc("create_purchase_order", { _id: id, _supplier_id: supplierId }));
}

/** The fields of a purchase order that staff edit. */
export type PurchaseValues = {
  lines: Pick<PurchaseLine, "book_id" | "copies" | "list_price" | "discount">[];
  note: string;
};

type Seen = Pick<PurchaseRecord, "id" | "version">;

/**
 * Saves a purchase order as a draft if it is still this version.
 * @returns its new version
 * @throws BackendFailure, with `purchase_order_changed`
 */
export async function updatePurchase(
  client: BackendClient,
  { id, version }: Seen,
  { lines, note }: PurchaseValues,
): Promise<number> {
  return unwrap(
    await client.rpc("update_purchase_order", {
      _id: id,
      _version: version,
      _lines: lines.map((line) => ({ ...line, list_price: line.list_price / 100 })),
      _note: note,
    }),
  );
}

/**
 * Marks a draft as sent if it is still this version.
 * @returns its reference, such as PO2026-0001
 * @throws BackendFailure, with `purchase_order_changed`
 */
export async function sendPurchase(client: BackendClient, { id, version }: Seen): Promise<string> {
  return unwrap(await client.rpc("send_purchase_order", { _id: id, _version: version }));
}

/** @throws BackendFailure, with `purchase_order_changed` */
export async function cancelPurchase(client: BackendClient, { id, version }: Seen): Promise<void> {
  unwrapDone(await client.rpc("cancel_purchase_order", { _id: id, _version: version }));
}

/**
 * Emails a purchase order to its supplier, once per marking as sent.
 * @throws BackendFailure, with `purchase_order_changed`, `purchase_order_not_sent`, `supplier_without_email`
 */
export async function emailPurchase(client: BackendClient, { id, version }: Seen): Promise<void> {
  unwrapDone(await client.rpc("email_purchase_order", { _id: id, _version: version }));
}

/**
 * The emails of a purchase order, the newest first; `is_current` is true for the last marking as sent.
 * @throws BackendFailure
 */
export async function listPurchaseEmails(client: BackendClient, id: string) {
  const rows = unwrap(await client.rpc("list_purchase_emails", { _id: id }));
  return rows.map((row) => ({
    ...row,
    kind: "purchase_order_sent",
    status: null,
    reason: row.reason as string | null,
    settled_at: row.settled_at as string | null,
  }));
}
