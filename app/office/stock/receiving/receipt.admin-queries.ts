import type { BackendClient } from "#app/lib/backend/client.ts";
import { unwrap, unwrapDone } from "#app/lib/backend/response.ts";
import { LIST_PAGE_SIZE } from "#app/lib/react/list-state.ts";
import type { ListPage } from "#app/office/frame/admin-list.tsx";
import { pesewasFromCedis } from "#shared/text/money.ts";
import { isUuid } from "#shared/text/uuid.ts";

/** A line of a receipt. `expected` is what its purchase order still waited for; null for a book that was not ordered. */
export type ReceiptLine = {
  title: string;
  isbn: string | null;
  expected: number | null;
  copies: number;
  damaged: number;
};

/**
 * One page of receipts, the newest first, and how many there are, or the one with this id; `cost` in pesewas, null where no cost is known.
 * @throws BackendFailure
 */
export async function listReceipts(client: BackendClient, page: number, id: string) {
  const found = await client.rpc("list_receipts", {
    _id: isUuid(id) ? id : undefined,
    _page: page,
    _page_size: LIST_PAGE_SIZE,
  });
  const rows = unwrap(found).map((row) => ({
    ...row,
    reference: row.reference as string | null,
    supplier_name: row.supplier_name as string | null,
    note: row.note as string | null,
    by_name: row.by_name as string | null,
    undone_at: row.undone_at as string | null,
    cost: row.cost === null ? null : pesewasFromCedis(row.cost),
    lines: row.lines as unknown as ReceiptLine[],
  }));
  return { rows, total: rows[0]?.found ?? 0 } satisfies ListPage<(typeof rows)[number]>;
}

export type ReceiptRow = Awaited<ReturnType<typeof listReceipts>>["rows"][number];

export type ReceiptValues = {
  lines: { book_id: string; copies: number; damaged: number; cost: number | null }[];
  purchase: { id: string; version: number } | null;
  currency: string;
  /** Cedis for one unit of the currency. */
  rate: number;
  note: string;
};

/**
 * Books what arrived. Idempotent by its id.
 * @throws BackendFailure, with `purchase_order_changed`, `book_not_found`
 */
export async function bookReceipt(
  client: BackendClient,
  id: string,
  { lines, purchase, currency, rate, note }: ReceiptValues,
): Promise<void> {
  unwrap(
    await client.rpc("book_receipt", {
      _id: id,
      _lines: lines,
      _purchase_order_id: purchase?.id,
      _version: purchase?.version,
      _currency: currency,
      _rate: rate,
      _note: note,
    }),
  );
}

/** @throws BackendFailure */
export async function isReceiptBooked(client: BackendClient, id: string): Promise<boolean> {
  return unwrap(await client.from("receipts").select("id").eq("id", id)).length > 0;
}

/** @throws BackendFailure, with `receipt_sold`, `insufficient_stock` */
export async function undoReceipt(client: BackendClient, id: string): Promise<void> {
  unwrapDone(await client.rpc("undo_receipt", { _id: id }));
}
