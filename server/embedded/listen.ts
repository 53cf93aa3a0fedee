import { rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { requestIdHeader, withRequestId } from "../shared/request-id.ts";
import type { Api } from "./api.ts";
import { clientHeader, readClient } from "./protocol.ts";
import { ensureSocketFolder } from "./socket-path.ts";

/** Only for the web process and the owner's commands: it cannot be reached from outside. */
export type OwnPaths = Record<string, (request: Request, clientIp: string | null) => Promise<Response>>;

/**
 * Serves HTTP on a Unix socket (or a named pipe).
 * @returns the function that stops it once requests under way are answered
 */
export async function listen(
  path: string,
  dataDir: string,
  own: OwnPaths,
  answer: Api["answer"],
): Promise<() => Promise<void>> {
  await ensureSocketFolder(path, dataDir);
  if (process.platform !== "win32") await rm(path, { force: true });
  const listener = getRequestListener(async (request) => {
    const ownAnswer = own[new URL(request.url).pathname];
    const { clientIp, purpose } = readClient(request.headers.get(clientHeader));
    if (ownAnswer) return ownAnswer(request, clientIp);
    const id = request.headers.get(requestIdHeader) ?? "";
    return withRequestId(id, () => answer(request, clientIp, purpose));
  });
  const server: Server = createServer({ keepAliveTimeout: 60_000, maxHeaderSize: 32 * 1024 }, listener);
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
