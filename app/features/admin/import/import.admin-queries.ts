import {
  applyBookImport,
  type BookImportAction,
  type BookImportCounts,
  type BookImportDefaults,
  createBookImport,
  findLastBookImport,
  listBookImportPlan,
  stageBookImportRows,
  summariseBookImport,
  undoBookImport,
} from "#app/features/books/book-import.queries.ts";
import type { BookImportRow } from "#app/features/books/book-import.ts";
import type { BackendClient } from "#app/lib/backend-client.ts";
import { BackendFailure, unwrap } from "#app/lib/backend-failure.ts";

/** An import's steps for the back office: those of the command, failing as everything else here fails. */

/** Rows of the plan a page. */
export const PLAN_PAGE_SIZE = 50;

const columns =
  "id, file_name, status, created_at, applied_at, undone_at, added, updated, unchanged, refused";

/**
 * The import as it stands, or null when it is gone: one that was never applied is kept for a day.
 * @throws BackendFailure
 */
export async function findImport(client: BackendClient, id: string) {
  return unwrap(await client.from("book_imports").select(columns).eq("id", id))[0] ?? null;
}

export type ImportState = NonNullable<Awaited<ReturnType<typeof findImport>>>;

/**
 * Imports that wait for a decision, the newest first.
 * @throws BackendFailure
 */
export async function listStagedImports(client: BackendClient) {
  const answer = await client
    .from("book_imports")
    .select(columns)
    .eq("status", "staged")
    .order("created_at", { ascending: false })
    .limit(5);
  return unwrap(answer);
}

/** @throws BackendFailure */
export function findLastImport(client: BackendClient) {
  return asBackendFailure(findLastBookImport(client));
}

/** @throws BackendFailure */
export function createImport(client: BackendClient, fileName: string, defaults: BookImportDefaults) {
  return asBackendFailure(createBookImport(client, fileName, defaults));
}

/** @throws BackendFailure */
export function stageRows(client: BackendClient, id: string, rows: BookImportRow[]) {
  return asBackendFailure(stageBookImportRows(client, id, rows));
}

/** @throws BackendFailure */
export function summariseImport(client: BackendClient, id: string) {
  return asBackendFailure(summariseBookImport(client, id));
}

/**
 * A page of what the import would do.
 * @param afterLine continues behind this line; 0 for the first page
 * @throws BackendFailure
 */
export function listImportPlan(
  client: BackendClient,
  id: string,
  action: BookImportAction,
  afterLine: number,
) {
  return asBackendFailure(listBookImportPlan(client, id, { action, afterLine, pageSize: PLAN_PAGE_SIZE }));
}

export type PlanRow = Awaited<ReturnType<typeof listImportPlan>>[number];

/**
 * Applies the import, once: when an earlier answer was lost, or a second press came, the import is found applied.
 * @throws BackendFailure
 */
export async function applyImport(
  client: BackendClient,
  id: string,
  skipRefused: boolean,
): Promise<BookImportCounts> {
  try {
    return await asBackendFailure(applyBookImport(client, id, { skipRefused }));
  } catch (error) {
    const now = await findImport(client, id).catch(() => null);
    if (now?.status === "applied") return now;
    throw error;
  }
}

/**
 * Takes the last import back; null when it had been taken back already.
 * @throws BackendFailure
 */
export async function undoImport(client: BackendClient, id: string) {
  try {
    return await asBackendFailure(undoBookImport(client, id));
  } catch (error) {
    const now = await findImport(client, id).catch(() => null);
    if (now?.status === "undone") return null;
    throw error;
  }
}

async function asBackendFailure<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw new BackendFailure(readError(error), statusOf(error));
  }
}

type DatabaseError = { code?: string; message?: string; details?: string };

function readError(error: unknown): DatabaseError {
  return typeof error === "object" && error !== null ? error : {};
}

/** The error carries its code alone: those of the shop name their status, and without any there was no answer. */
function statusOf(error: unknown): number {
  const { code = "", message = "" } = readError(error);
  const own = /^PT(4\d\d)$/.exec(code)?.[1];
  if (own) return Number(own);
  if (code === "42501") return 403;
  if (/^PGRST30/.test(code)) return 401;
  return code === "" && /fetch|network/i.test(message) ? 0 : 500;
}
