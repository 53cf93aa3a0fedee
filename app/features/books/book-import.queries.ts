import type { BackendClient } from "#app/lib/backend-client.ts";
import { unwrap, unwrapDone } from "#app/lib/backend-response.ts";
import type { Database, Json } from "#app/lib/database.types.ts";
import { cedisFromPesewas, type InPesewas, type Pesewas, pesewasFromCedis } from "#app/lib/money.ts";
import type { BookImportRow } from "./book-import.ts";

/**
 * An import step by step: create, stage in chunks, look at the plan, apply all of it or nothing, undo. For staff: an
 * admin's session or the secret key. Each function throws a BackendFailure.
 */

/** What a new book gets where its row says nothing. Without a price such rows are refused. */
export interface BookImportDefaults {
  price: Pesewas | null;
  stock: number;
  publisher: string | null;
}

/** How many rows an import adds, updates, leaves unchanged and refuses, or would. */
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

type LoggedBook = Partial<Database["public"]["Tables"]["books"]["Row"]>;
type PlannedBook = Partial<InPesewas<Database["public"]["Tables"]["books"]["Row"], "price">>;

/** Opens an import and returns its id. */
export async function createBookImport(
  client: BackendClient,
  fileName: string,
  defaults: BookImportDefaults,
  headings: string[],
): Promise<string> {
  return unwrap(
    await client.rpc("create_book_import", {
      _file_name: fileName,
      _default_price: defaults.price === null ? undefined : cedisFromPesewas(defaults.price),
      _default_stock: defaults.stock,
      _default_publisher: defaults.publisher ?? undefined,
      _headings: headings,
    }),
  );
}

/** Adds a chunk of rows to an import; see chunkBookImportRows for how many fit. */
export async function stageBookImportRows(
  client: BackendClient,
  importId: string,
  rows: BookImportRow[],
): Promise<void> {
  unwrapDone(await client.rpc("stage_book_import_rows", { _import_id: importId, _rows: rows as Json }));
}

/** What applying the import would do, in numbers. */
export async function summariseBookImport(
  client: BackendClient,
  importId: string,
): Promise<BookImportCounts> {
  return unwrap(await client.rpc("summarise_book_import", { _import_id: importId }).single());
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
  const planned = unwrap(
    await client.rpc("preview_book_import", {
      _import_id: importId,
      _action: action,
      _after_line: afterLine,
      _page_size: pageSize,
    }),
  );
  type LoggedRow = Omit<BookImportPlanRow, "before" | "after"> & {
    before: LoggedBook | null;
    after: LoggedBook;
  };
  return (planned as unknown as LoggedRow[]).map((row) => ({
    ...row,
    before: row.before && plannedBook(row.before),
    after: plannedBook(row.after),
  }));
}

/** A row of the plan has no price where its file has none or one that cannot be read. */
function plannedBook({ price, ...book }: LoggedBook): PlannedBook {
  return typeof price === "number" ? { ...book, price: pesewasFromCedis(price) } : book;
}

/** A row that an import leaves out, with its cells as the file has them. */
export interface RowLeftOut {
  line: number;
  /** Why, in sentences. */
  problems: string[];
  cells: string[];
}

/** Rows a step: some hundred kilobytes. */
const LEFT_OUT_STEP = 500;

/** All rows that an import leaves out or has left out, and the headings of its file. */
export async function listRowsLeftOut(
  client: BackendClient,
  importId: string,
): Promise<{ headings: string[]; rows: RowLeftOut[] }> {
  const known = unwrap(await client.from("book_imports").select("headings").eq("id", importId).single());
  const rows: RowLeftOut[] = [];
  for (;;) {
    const step = unwrap(
      await client.rpc("list_rows_left_out", {
        _import_id: importId,
        _after_line: rows.at(-1)?.line,
        _page_size: LEFT_OUT_STEP,
      }),
    );
    rows.push(...step.map(({ cells, ...row }) => ({ ...row, cells: textsOf(cells) })));
    if (step.length < LEFT_OUT_STEP) return { headings: textsOf(known.headings), rows };
  }
}

function textsOf(json: Json): string[] {
  return Array.isArray(json) ? json.map(String) : [];
}

/** The publishers in the catalogue, those with most books first. */
export async function listCataloguePublishers(client: BackendClient): Promise<string[]> {
  const publishers = unwrap(await client.rpc("list_publisher_statistics"));
  return publishers.map(({ publisher }) => publisher).filter((name) => name !== "Unknown");
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
  return unwrap(await client.rpc("apply_book_import", { _import_id: importId, _skip_refused: skipRefused }));
}

/** The import that was applied last and not taken back, the only one that can be; null when there is none. */
export async function findLastBookImport(
  client: BackendClient,
): Promise<({ id: string; file_name: string | null; applied_at: string | null } & BookImportCounts) | null> {
  const [last] = unwrap(
    await client
      .from("book_imports")
      .select("id, file_name, applied_at, added, updated, unchanged, refused")
      .eq("status", "applied")
      .order("applied_at", { ascending: false })
      .limit(1),
  );
  return last ?? null;
}

/** Takes the last applied import back; `kept` books have been ordered or changed since and stay. */
export async function undoBookImport(
  client: BackendClient,
  importId: string,
): Promise<{ restored: number; deleted: number; kept: number }> {
  return unwrap(await client.rpc("undo_book_import", { _import_id: importId }).single());
}
