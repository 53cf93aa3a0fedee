import { BUCKET_PATH } from "#app/features/book-covers/cover-url.ts";
import type { BackendClient } from "#app/lib/backend/client.ts";
import { sendToSite } from "#app/lib/backend/post-to-site.ts";
import { unwrap, unwrapDone } from "#app/lib/backend/response.ts";
import {
  type BookImportAction,
  type BookImportCounts,
  listBookImportPlan,
  readBookImport,
} from "#app/office/catalogue/book-import/book-import.queries.ts";
import {
  applyInSteps,
  type StepOptions,
  undoInSteps,
} from "#app/office/catalogue/book-import/book-import-steps.ts";
import { conversionFromJson } from "#app/office/catalogue/book-import/import-conversions.queries.ts";
import type { OddityKind } from "#app/office/catalogue/book-import/import-totals.ts";
import type { LinkedCover } from "./linked-covers.ts";

/** What the back office needs of an import beyond the steps that the command takes too. */

/** Rows of the plan a page. */
export const PLAN_PAGE_SIZE = 50;

const columns =
  "id, file_name, fingerprint, status, created_at, applied_at, undone_at, total_rows, applied_rows, restored, deleted, kept, added, updated, unchanged, refused, not_books, source, conversion";

/**
 * The import in its current state, or null if it no longer exists: one that was never applied is stored for a day.
 * @throws BackendFailure
 */
export async function findImport(client: BackendClient, id: string) {
  const [found] = unwrap(await client.from("book_imports").select(columns).eq("id", id));
  if (!found) return null;
  return { ...found, conversion: found.conversion && conversionFromJson(found.conversion) };
}

/** Whether it is a price change, made from the list of books and not from a file. */
export const isPriceChange = ({ fingerprint }: Pick<ImportState, "fingerprint">) => fingerprint === "prices";

export type ImportState = NonNullable<Awaited<ReturnType<typeof findImport>>>;

/**
 * Imports that wait for a decision, the newest first.
 * @throws BackendFailure
 */
export async function listStagedImports(client: BackendClient) {
  const response = await client
    .from("book_imports")
    .select(columns)
    .eq("status", "staged")
    .order("created_at", { ascending: false })
    .limit(5);
  return unwrap(response);
}

/**
 * A page of what the import would do.
 * @param afterLine continues behind this line; 0 for the first page
 * @throws BackendFailure
 */
export function listImportPlan(
  client: BackendClient,
  id: string,
  rows: { action: BookImportAction } | { odd: OddityKind },
  afterLine: number,
) {
  return listBookImportPlan(client, id, { ...rows, afterLine, pageSize: PLAN_PAGE_SIZE });
}

export type PlanRow = Awaited<ReturnType<typeof listImportPlan>>[number];

/**
 * Applies the import, once: when an earlier response was lost, or a second click came, the import is found applied.
 * @throws BackendFailure
 */
export function applyImport(
  client: BackendClient,
  id: string,
  skipRefused: boolean,
  rowCount: number,
  onStep: StepOptions["onStep"] = () => {},
): Promise<BookImportCounts> {
  return applyInSteps(client, id, { skipRefused, rowCount, call: (step) => step(), onStep });
}

/**
 * Takes the last import back, or what was applied of it.
 * @throws BackendFailure
 */
export async function undoImport(client: BackendClient, id: string, onStep: StepOptions["onStep"]) {
  return undoInSteps(client, await readBookImport(client, id), { call: (step) => step(), onStep });
}

const LINKED_PAGE_SIZE = 200;

const linkedCovers = (client: BackendClient) =>
  client
    .from("books")
    .select("id, title, image_url")
    .like("image_url", "http%")
    .not("image_url", "like", `%${BUCKET_PATH}%`)
    .order("id")
    .limit(LINKED_PAGE_SIZE);

/**
 * Books whose covers are linked from other websites, by id after this one; none at the end.
 * @throws BackendFailure
 */
export async function listLinkedCovers(
  client: BackendClient,
  afterId: string | null,
): Promise<LinkedCover[]> {
  const first = linkedCovers(client);
  const rows = unwrap(await (afterId === null ? first : first.gt("id", afterId)));
  return rows.map((row) => ({ ...row, image_url: row.image_url ?? "" }));
}

/**
 * A picture from another website, through the shop's server.
 * @throws BackendFailure
 */
export async function fetchLinkedCover(client: BackendClient, url: string): Promise<Blob> {
  return (await sendToSite(client, "/admin/linked-covers", { url })).blob();
}

/**
 * Gives a book its copied cover, unless someone has changed it meanwhile.
 * @throws BackendFailure
 */
export async function saveCopiedCover(
  client: BackendClient,
  { id, image_url: linked }: LinkedCover,
  address: string,
): Promise<void> {
  unwrapDone(await client.from("books").update({ image_url: address }).eq("id", id).eq("image_url", linked));
}
