import type { BackendClient } from "#app/lib/backend/client.ts";
import { unwrap } from "#app/lib/backend/response.ts";

/** A published booklist with the title; `copies` for each pupil. */
export type NeedingList = {
  booklist_id: string;
  school: string;
  class_name: string;
  /** Null while the number is unknown. */
  pupils: number | null;
  copies: number;
  is_required: boolean;
};

type NeedsQuery = {
  from: string;
  to: string;
  /** An id, 'none', or empty for all. */
  supplier: string;
  publisher: string;
  /** Whether to include titles with enough copies. */
  covered: boolean;
};

/**
 * A term's needs by supplier and title: the first 1,000 lines, and the total number.
 * supabase/schema/8-office/25-needs.sql explains the numbers.
 * @throws BackendFailure
 */
export async function listNeeds(
  client: BackendClient,
  { from, to, supplier, publisher, covered }: NeedsQuery,
) {
  const rows = unwrap(
    await client.rpc("list_purchase_needs", {
      _from: from,
      _to: to,
      _supplier: supplier || undefined,
      _publisher: publisher || undefined,
      _covered: covered,
    }),
  );
  return {
    needs: rows.map((row) => ({
      ...row,
      isbn: row.isbn as string | null,
      supplier_id: row.supplier_id as string | null,
      supplier_name: row.supplier_name as string | null,
      lists: row.lists as unknown as NeedingList[],
    })),
    found: rows[0]?.found ?? 0,
  };
}

export type Need = Awaited<ReturnType<typeof listNeeds>>["needs"][number];

export type NeededLine = { book_id: string; supplier_id: string; copies: number };

/**
 * Creates a draft for each supplier of the lines, all or none; idempotent by its id.
 * @returns the drafts; `unpriced` lines need a price
 * @throws BackendFailure, with `supplier_hidden`, `supplier_not_found`, `book_not_found`
 */
export async function draftNeeds(client: BackendClient, id: string, lines: readonly NeededLine[]) {
  return unwrap(await client.rpc("draft_needed_purchases", { _id: id, _lines: [...lines] }));
}
