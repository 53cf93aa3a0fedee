import { rm } from "node:fs/promises";
import { createServer, request as startRequest } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { Api } from "../api/api.ts";
import { ensureSocketFolder, socketPath } from "../lib/socket-path.ts";

/*
 * The socket over which the owner's commands reach a running shop, and workers the process that does what is done once. Only the shop's
 * own user may connect.
 */

/** Does the database respond? 204 or 503. */
export const readyPath = "/_shop/ready";

/** Has the disk of the data folder room? 204 or 503. */
export const diskPath = "/_shop/disk";

/** With the secret key: makes a backup. */
export const backupPath = "/_shop/backup";

/** With the secret key, an email and perhaps new_password: looks up an account. */
export const accountPath = "/_shop/account";

/** With the secret key and emails: emails people that the shop has moved. */
export const movedPath = "/_shop/moved";

/** With the secret key and a user_id, or a caller: forgets a customer. */
export const anonymisePath = "/_shop/anonymise";

/**
 * Closes the account user_id, or refuses: for its owner, whose password has been checked, or with `by` for staff, whose
 * duties have been checked.
 */
export const closeAccountPath = "/_shop/close-account";

type ControlCalls = Record<string, (request: Request) => Promise<Response>>;

/**
 * Serves the calls, and the API to whoever has its keys, on a Unix socket (or a named pipe).
 * @returns the function that stops it when pending requests have finished
 */
export async function listenForCommands(
  dataDir: string,
  calls: ControlCalls,
  handle: Api["handle"],
): Promise<() => Promise<void>> {
  const path = socketPath(dataDir);
  await ensureSocketFolder(path, dataDir);
  if (process.platform !== "win32") await rm(path, { force: true });
  const listener = getRequestListener((request) => {
    const call = calls[new URL(request.url).pathname];
    return call ? call(request) : handle(request, null);
  });
  const server = createServer({ keepAliveTimeout: 60_000, maxHeaderSize: 32 * 1024 }, listener);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    const mask = process.umask(0o177); // Only the owner may connect.
    server.listen(path, resolve);
    process.umask(mask);
  });
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeIdleConnections();
    });
}

/** Statuses whose responses have no body. */
const statusesWithoutBody = new Set([204, 205, 304]);

/** `fetch` over the socket of a data folder's shop: only the path of the request's address matters. */
export async function fetchOverSocket(dataDir: string, request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const { method, signal } = request;
  const headers = Object.fromEntries(request.headers);
  const body = request.body && Buffer.from(await request.arrayBuffer());
  return new Promise((resolve, reject) => {
    const path = pathname + search;
    const outgoing = startRequest({ socketPath: socketPath(dataDir), path, method, headers, signal });
    outgoing.once("error", reject);
    outgoing.once("response", (message) => {
      const status = message.statusCode ?? 502;
      const toResponse = (pieces: Buffer[]) =>
        new Response(statusesWithoutBody.has(status) ? null : Buffer.concat(pieces), {
          status,
          headers: Object.entries(message.headersDistinct).flatMap(([name, values = []]) =>
            values.map((value): [string, string] => [name, value]),
          ),
        });
      message.toArray().then(toResponse).then(resolve, reject);
    });
    outgoing.end(body ?? undefined);
  });
}
