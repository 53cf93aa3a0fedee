import type { BookField } from "#app/features/books/book-fields.ts";
import { listPublisherNames } from "#app/features/publishers/publisher.queries.ts";
import type { BackendClient } from "#app/lib/backend/client.ts";
import { unwrap, unwrapDone } from "#app/lib/backend/response.ts";
import type { Database, Json } from "#shared/calls/database.types.ts";
import { cedisFromPesewas, type InPesewas, type Pesewas, pesewasFromCedis } from "#shared/text/money.ts";
import type { BookImportRow } from "./book-import.ts";
import { conversionAsJson } from "./import-conversions.queries.ts";
import type { OddityKind } from "./import-totals.ts";
import type { ListedPrice, PriceConversion } from "./price-conversion.ts";
import type { RemainingBook, RemainingReason } from "./remaining-books.ts";

/**
 * An import step by step: create, stage in chunks, look at the plan, apply, undo. For staff: an admin's session or the
 * secret key. Each function throws a BackendFailure.
 */

/** Imports of up to so many rows are applied and undone in one transaction; it keeps the database busy for some seconds. */
export const MAX_ROWS_AT_ONCE = 20_000;

/** Rows per step of a larger import, so that visitors and orders never wait long. */
export const ROWS_PER_STEP = 1_000;

/** What a new book gets where its row says nothing. Without a price such rows are refused. */
export interface BookImportDefaults {
  price: Pesewas | null;
  stock: number;
  publisher: string | null;
}

/** What staff choose for an import beside its columns. */
export interface BookImportChoices extends BookImportDefaults {
  /**
   * The file's stock replaces that of books which the shop has, with all that was sold since the file was made. Without
   * it only an export's changes of stock count, and only where the stock is still what it was then.
   */
  setsStock: boolean;
  /** How its prices became cedis, where they were not, and by which supplier's or list's name that is found again. */
  conversion: PriceConversion | null;
  source: string;
}

/**
 * How many rows an import adds, updates, leaves unchanged and refuses for their problems, or would; and how many lines are not books to
 * sell, such as sums, headings and notes.
 */
export type BookImportCounts = Record<"added" | "updated" | "unchanged" | "refused" | "not_books", number>;

/** Of books that the shop has: stocks that change, have moved since the export, and stay; books that keep other fields changed since. */
export type StockCounts = Record<"stock_changed" | "stock_moved" | "stock_kept" | "fields_moved", number>;

export type BookImportAction = "add" | "update" | "unchanged" | LeftOutKind;

/** What isn't imported: rows with problems, and lines that are not books to sell. */
export type LeftOutKind = "refused" | "not_a_book";

/** What an import does with one row; `before` is null for a new book. */
export interface BookImportPlanRow {
  line: number;
  action: BookImportAction;
  /** Why the row is left out, in sentences. */
  problems: string[];
  /** As the file has them, if the row is left out. */
  cells: string[];
  before: PlannedBook | null;
  after: PlannedBook;
  /** Fields that the file has as they were exported, and that stay as they were changed in the shop since. */
  moved: BookField[];
  /** The list's own price, where it is not in cedis. */
  listed: ListedPrice | null;
}

type LoggedBook = Partial<Database["public"]["Tables"]["books"]["Row"]>;
type PlannedBook = Partial<InPesewas<Database["public"]["Tables"]["books"]["Row"], "price">>;

/** What is known of an import; `applied_rows` of `total_rows` are applied. */
export type BookImport = {
  id: string;
  file_name: string | null;
  status: string;
  applied_at: string | null;
  total_rows: number;
  applied_rows: number;
  restored: number;
  deleted: number;
  kept: number;
} & BookImportCounts;

const importColumns =
  "id, file_name, status, applied_at, total_rows, applied_rows, restored, deleted, kept, added, updated, unchanged, refused, not_books";

/** Rows of a file: those after one line up to another. */
export interface LineRange {
  afterLine: number;
  toLine: number;
}

/**
 * Opens an import and returns its id.
 * @param fingerprint identifies the file, to find its interrupted import
 */
export async function createBookImport(
  client: BackendClient,
  fileName: string,
  choices: BookImportChoices,
  headings: string[],
  fingerprint?: string,
): Promise<string> {
  return unwrap(
    await client.rpc("create_book_import", {
      _file_name: fileName,
      _default_price: choices.price === null ? undefined : cedisFromPesewas(choices.price),
      _default_stock: choices.stock,
      _default_publisher: choices.publisher ?? undefined,
      _sets_stock: choices.setsStock,
      ...(choices.conversion && {
        _source: choices.source,
        _conversion: conversionAsJson(choices.conversion),
      }),
      _headings: headings,
      _fingerprint: fingerprint,
    }),
  );
}

/** The import of this file that was interrupted, and the last line of it that has arrived; null when there is none. */
export async function findInterruptedImport(
  client: BackendClient,
  fingerprint: string,
): Promise<(BookImport & { stagedLine: number }) | null> {
  const [known] = unwrap(
    await client
      .from("book_imports")
      .select(importColumns)
      .eq("fingerprint", fingerprint)
      .in("status", ["staged", "applying"])
      .order("created_at", { ascending: false })
      .limit(1),
  );
  if (!known) return null;
  const rows = client.from("book_import_rows").select("line").eq("import_id", known.id);
  const [last] = unwrap(await rows.order("line", { ascending: false }).limit(1));
  return { ...known, stagedLine: last?.line ?? 0 };
}

/** The import in its current state. */
export async function readBookImport(client: BackendClient, importId: string): Promise<BookImport> {
  return unwrap(await client.from("book_imports").select(importColumns).eq("id", importId).single());
}

/** Adds a chunk of rows to an import; see chunkBookImportRows for how many fit. */
export async function stageBookImportRows(
  client: BackendClient,
  importId: string,
  rows: BookImportRow[],
): Promise<void> {
  unwrapDone(await client.rpc("stage_book_import_rows", { _import_id: importId, _rows: rows as Json }));
}

/**
 * What applying the import, or a range of it, would do, in numbers.
 * @param soFar totals of the ranges before this one, which those returned continue; the counts are the range's own
 */
export async function summariseBookImport(
  client: BackendClient,
  importId: string,
  range?: LineRange,
  soFar?: Json,
): Promise<BookImportCounts & StockCounts & { figures: Json }> {
  return unwrap(
    await client
      .rpc("summarise_book_import", {
        _import_id: importId,
        _after_line: range?.afterLine,
        _to_line: range?.toLine,
        _so_far: soFar,
      })
      .single(),
  );
}

/**
 * What applying the import would do, by line.
 * @param afterLine continues behind this line
 * @param pageSize at most 1,000
 */
export async function listBookImportPlan(
  client: BackendClient,
  importId: string,
  {
    action,
    odd,
    afterLine,
    toLine,
    pageSize,
  }: { action?: BookImportAction; odd?: OddityKind; pageSize?: number } & Partial<LineRange>,
): Promise<BookImportPlanRow[]> {
  const planned = unwrap(
    await client.rpc("preview_book_import", {
      _import_id: importId,
      _action: action,
      _odd: odd,
      _after_line: afterLine,
      _to_line: toLine,
      _page_size: pageSize,
    }),
  );
  type LoggedRow = Omit<BookImportPlanRow, "before" | "after" | "cells" | "listed"> & {
    before: LoggedBook | null;
    cells: Json;
    after: LoggedBook;
    source_price: number | null;
    source_currency: string | null;
  };
  return (planned as unknown as LoggedRow[]).map(({ source_price, source_currency, ...row }) => ({
    ...row,
    before: row.before && plannedBook(row.before),
    after: plannedBook(row.after),
    cells: textsOf(row.cells),
    listed:
      source_price === null || source_currency === null
        ? null
        : { amount: pesewasFromCedis(source_price), currency: source_currency },
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

/** Rows per step: some hundred kilobytes. */
const LEFT_OUT_STEP = 500;

/** The rows of one kind that an import, or a range of it, leaves out or has left out, some hundred at a time. */
export async function* readRowsLeftOut(
  client: BackendClient,
  importId: string,
  kind: LeftOutKind,
  range?: LineRange,
): AsyncGenerator<RowLeftOut[]> {
  let afterLine = range?.afterLine;
  for (;;) {
    const step = unwrap(
      await client.rpc("list_rows_left_out", {
        _import_id: importId,
        _after_line: afterLine,
        _to_line: range?.toLine,
        _page_size: LEFT_OUT_STEP,
        _not_books: kind === "not_a_book",
      }),
    );
    yield step.map(({ cells, ...row }) => ({ ...row, cells: textsOf(cells) }));
    if (step.length < LEFT_OUT_STEP) return;
    afterLine = step.at(-1)?.line;
  }
}

/** All rows of one kind that an import leaves out or has left out, and the headings of its file. */
export async function listRowsLeftOut(
  client: BackendClient,
  importId: string,
  kind: LeftOutKind,
): Promise<{ headings: string[]; rows: RowLeftOut[] }> {
  const known = unwrap(await client.from("book_imports").select("headings").eq("id", importId).single());
  const rows: RowLeftOut[] = [];
  for await (const step of readRowsLeftOut(client, importId, kind)) rows.push(...step);
  return { headings: textsOf(known.headings), rows };
}

function textsOf(json: Json): string[] {
  return Array.isArray(json) ? json.map(String) : [];
}

/** Publishers by name: the shop's own first, then those in the catalogue, those with most books first. */
export async function listKnownPublishers(client: BackendClient): Promise<string[]> {
  const [own, statistics] = await Promise.all([
    listPublisherNames(client),
    client.rpc("list_publisher_statistics").then(unwrap),
  ]);
  const inCatalogue = statistics.map(({ publisher }) => publisher).filter((name) => name !== "Unknown");
  return [...own, ...inCatalogue];
}

/**
 * Applies the import: all that is left of it in one transaction, or its next rows.
 * @param skipRefused leaves the refused rows out; otherwise one of them refuses the whole transaction
 */
export async function applyBookImport(
  client: BackendClient,
  importId: string,
  { skipRefused, rows }: { skipRefused: boolean; rows?: number },
): Promise<BookImport> {
  return unwrap(
    await client.rpc("apply_book_import", { _import_id: importId, _skip_refused: skipRefused, _rows: rows }),
  );
}

/** The import that was applied last and not taken back, the only one that can be; null when there is none. */
export async function findLastBookImport(client: BackendClient): Promise<BookImport | null> {
  const [last] = unwrap(
    await client
      .from("book_imports")
      .select(importColumns)
      .in("status", ["applied", "applying", "undoing"])
      .order("applied_at", { ascending: false })
      .limit(1),
  );
  return last ?? null;
}

/**
 * Takes the last import back, or what was applied of it: in one transaction, or its last rows. `kept` books have been
 * ordered or changed since and stay.
 */
export async function undoBookImport(
  client: BackendClient,
  importId: string,
  rows?: number,
): Promise<BookImport> {
  return unwrap(await client.rpc("undo_book_import", { _import_id: importId, _rows: rows }));
}

/** Rows per page of the books that undoing has left. */
export const REMAINING_PAGE_SIZE = 100;

/** The books that undoing the import has left or not changed back entirely, by line, a page behind this one. */
export async function listRemainingBooks(
  client: BackendClient,
  importId: string,
  afterLine = 0,
): Promise<RemainingBook[]> {
  const rows = client
    .from("book_import_rows")
    .select("line, book_id, kept, kept_fields, after")
    .eq("import_id", importId)
    .not("kept", "is", null)
    .gt("line", afterLine)
    .order("line")
    .limit(REMAINING_PAGE_SIZE);
  return unwrap(await rows).map(({ line, book_id, kept, kept_fields, after }) => ({
    line,
    bookId: book_id ?? "",
    title: String((after as LoggedBook | null)?.title ?? ""),
    reason: kept as RemainingReason,
    fields: (kept_fields ?? []) as BookField[],
  }));
}
