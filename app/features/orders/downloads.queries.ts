import type { BackendClient } from "#app/lib/backend/client.ts";
import { unwrap, unwrapDone } from "#app/lib/backend/response.ts";

/** A file of a digital title; `size` in bytes, `left` how often it can still be downloaded. */
export type DownloadFile = { id: string; name: string; type: string; size: number; left: number };

/** What a customer gets of an order's digital titles. Files and codes are empty without access. */
export type OwnDownloads = {
  access: "ready" | "unpaid" | "ended";
  lines: { book_id: string; title: string; copies: number; files: DownloadFile[]; codes: string[] }[];
};

/**
 * The digital titles of a user's own order; null when it has none. Never stored in the browser.
 * @throws BackendFailure
 */
export async function findOwnDownloads(client: BackendClient, orderId: string): Promise<OwnDownloads | null> {
  const response = await client.rpc("own_downloads", { _order_id: orderId });
  unwrapDone(response);
  return response.data as OwnDownloads | null;
}

/**
 * Starts the download of a file, and counts it.
 * @returns the path of the file, which works for some hours
 * @throws BackendFailure
 */
export async function startDownload(client: BackendClient, orderId: string, fileId: string): Promise<string> {
  const ticket = unwrap(await client.rpc("start_download", { _order_id: orderId, _file_id: fileId }));
  return `/downloads/${(ticket as { token: string }).token}`;
}
