import type { BackendClient } from "#app/lib/backend-client.ts";
import type { Database, Json } from "#app/lib/database.types.ts";
import type { BookImportRow } from "./book-import.ts";

/**
 * An import step by step: create, stage in chunks, look at the plan, apply all of it or nothing, undo. For staff: an
 * admin's session or the secret key. Each function throws the database's own error, whose message is a sentence.
 */

/** What a new book gets where its row says nothing. Without a price such rows are refused. */
export interface BookImportDefaults {
  priceCedis: number | null;
  stock: number;
  publisher: string | null;
}

/** How many rows an import adds, updates, leaves as they are and refuses, or would. */
export type BookImportCounts = Record<"added" | "updated" | "unchanged" | "refused", number>;

export type BookImportAction = "add" | "update" | "unchanged" | "refused";

/** What an import does with one row; `before` is null for a new book. */
export interface BookImportPlanRow {
  line: number;
  action: BookImportAction;
  /** Why the row is refused, in sentences. */
  problems: string[];
  before: PlannedBook | null;
  after: PlannedBook;
}

type PlannedBook = Partial<Database["public"]["Tables"]["books"]["Row"]>;

/** Opens an import and answers its id. */
export async function createBookImport(
  client: BackendClient,
  fileName: string,
  defaults: BookImportDefaults,
): Promise<string> {
  const { data } = await client
    .rpc("create_book_import", {
      _file_name: fileName,
      _default_price: defaults.priceCedis ?? undefined,
      _default_stock: defaults.stock,
      _default_publisher: defaults.publisher ?? undefined,
    })
    .throwOnError();
  return data;
}

/** Adds a chunk of rows to an import; see chunkBookImportRows for how many fit. */
export async function stageBookImportRows(
  client: BackendClient,
  importId: string,
  rows: BookImportRow[],
): Promise<void> {
  await client.rpc("stage_book_import_rows", { _import_id: importId, _rows: rows as Json }).throwOnError();
}

/** What applying the import would do, in numbers. */
export async function summariseBookImport(
  client: BackendClient,
  importId: string,
): Promise<BookImportCounts> {
  const { data } = await client.rpc("summarise_book_import", { _import_id: importId }).throwOnError();
  const [counts] = data;
  if (counts === undefined) throw new Error("The import has no summary.");
  return counts;
}

/**
 * What applying the import would do, by line.
 * @param afterLine continues behind this line
 * @param pageSize at most 1,000
 */
export async function listBookImportPlan(
  client: BackendClient,
  importId: string,
  { action, afterLine, pageSize }: { action?: BookImportAction; afterLine?: number; pageSize?: number },
): Promise<BookImportPlanRow[]> {
  const { data } = await client
    .rpc("preview_book_import", {
      _import_id: importId,
      _action: action,
      _after_line: afterLine,
      _page_size: pageSize,
    })
    .throwOnError();
  return data as unknown as BookImportPlanRow[];
}

/**
 * Applies the import in one transaction.
 * @param skipRefused leaves the refused rows out; otherwise one of them refuses the whole import
 */
export async function applyBookImport(
  client: BackendClient,
  importId: string,
  { skipRefused }: { skipRefused: boolean },
): Promise<BookImportCounts> {
  const { data } = await client
    .rpc("apply_book_import", { _import_id: importId, _skip_refused: skipRefused })
    .throwOnError();
  return data;
}

/** The import that was applied last and not taken back, the only one that can be; null when there is none. */
export async function findLastBookImport(
  client: BackendClient,
): Promise<({ id: string; file_name: string | null; applied_at: string | null } & BookImportCounts) | null> {
  const { data } = await client
    .from("book_imports")
    .select("id, file_name, applied_at, added, updated, unchanged, refused")
    .eq("status", "applied")
    .order("applied_at", { ascending: false })
    .limit(1)
    .maybeSingle()
    .throwOnError();
  return data;
}

/** Takes the last applied import back; `kept` books have been ordered or changed since and stay. */
export async function undoBookImport(
  client: BackendClient,
  importId: string,
): Promise<{ restored: number; deleted: number; kept: number }> {
  const { data } = await client.rpc("undo_book_import", { _import_id: importId }).throwOnError();
  const [counts] = data;
  if (counts === undefined) throw new Error("The import has no answer.");
  return counts;
}
