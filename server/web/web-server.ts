import { closeSync, openSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { Backend } from "../api/backend.ts";
import { clientAddress } from "../lib/client-address.ts";
import { log } from "../lib/log.ts";
import type { Settings } from "../lib/settings.ts";
import { StartError } from "../lib/start-error.ts";
import type { Payments } from "../payments/payments.ts";
import { respondToOlderPage } from "./newer-release.ts";
import { createObserver } from "./observe.ts";
import type { PageCache } from "./page-cache.ts";
import type { PageForm } from "./page-forms.ts";
import { servedFromBuild, servedFromSources } from "./pages.ts";
import { createRequestTurns } from "./request-turns.ts";
import { createSite } from "./site.ts";
import { noteShown } from "./unmet-searches.ts";

type WebServer = {
  settings: Settings;
  backend: Backend;
  payments: Payments;
  isDevelopment?: boolean;
  /** Reads the metrics of all workers, if there are several. */
  readAllMetrics?: () => Promise<string>;
};

/** A cached page is sent before any other lookup, except to a request with a body, which has to be read first. */
function findCachedPage(
  { method, url = "", headers }: IncomingMessage,
  cached: PageCache["cached"],
): PageForm | null {
  if (method !== "GET" || headers["content-length"] || headers["transfer-encoding"]) return null;
  return cached(url, String(headers["accept-encoding"] ?? ""), headers["if-none-match"]);
}

/**
 * Whether each worker can listen on the port itself, so that the kernel distributes connections. Elsewhere Node's
 * cluster does, but a connection being handed to a worker when it is killed stays open and never gets a response.
 */
const sharesPorts = process.platform === "linux";

/**
 * Linux closes a killed process's files from the highest number down. A listening socket with a lower number than its
 * connections would accept visitors who reconnect, then cut them off again. Placeholder files give it a higher number than
 * any connection: a worker rarely has more than this many open.
 */
const FILES_BELOW_SHARED_PORT = 512;

/** Empty if the process can't open that many files; the shop must start anyway. */
function openPlaceholders(): number[] {
  const files: number[] = [];
  try {
    while (files.length < FILES_BELOW_SHARED_PORT) files.push(openSync("/dev/null", "r"));
  } catch {
    for (const file of files.splice(0)) closeSync(file);
  }
  return files;
}

/** The system's codes for a host that is unknown, or belongs to another machine. */
const WRONG_HOST = ["ENOTFOUND", "EAI_AGAIN", "EADDRNOTAVAIL", "EINVAL"];

/** Why the server can't listen, for the owner. */
function explain({ code, message }: NodeJS.ErrnoException, { port, host }: Place): string {
  if (code === "EADDRINUSE") return `Port ${port} is in use. Set PORT to a free one.`;
  if (code && WRONG_HOST.includes(code))
    return `HOST is "${host}", which is no address of this machine (${code}): set it to 127.0.0.1, or to 0.0.0.0 to let other machines in`;
  return `Cannot listen on ${host}:${port}: ${code ?? message}`;
}

type Place = Pick<Settings, "port" | "host">;

/** @throws StartError */
export async function listen(server: Server, place: Place, reusePort = false): Promise<void> {
  const { port, host } = place;
  const placeholders = reusePort ? openPlaceholders() : [];
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(new StartError(explain(error, place))));
    server.listen({ port, host, reusePort }, resolve);
  }).finally(() => {
    for (const file of placeholders) closeSync(file);
  });
}

/**
 * Idle connections are closed after this time, because a client that stops reading keeps its response in memory. It is
 * longer than the longest statement: applying an import may take two minutes on a busy machine without sending anything.
 */
export const IDLE_TIMEOUT_MS = 150_000;
/** Browsers' idle connections are closed soon: opening ever new ones must not use up all that the process may have. */
const KEPT_FOR_BROWSERS_MS = 10_000;
/**
 * Proxies must close idle connections first (nginx after one minute, Caddy after two): one would send an order just when
 * the shop closes its connection.
 */
const KEPT_FOR_PROXIES_MS = IDLE_TIMEOUT_MS;

/**
 * Serves the shop on its port.
 * @returns the server, and the name of the build; null while developing
 * @throws StartError when it can't listen
 */
export async function startWebServer({
  settings,
  backend,
  payments,
  isDevelopment = false,
  readAllMetrics,
}: WebServer): Promise<{ server: Server; release: string | null }> {
  const server = createServer({
    requestTimeout: 60_000,
    headersTimeout: 15_000,
    keepAliveTimeout: settings.trustedProxies.length > 0 ? KEPT_FOR_PROXIES_MS : KEPT_FOR_BROWSERS_MS,
    maxHeaderSize: 16_384,
  });
  if (!isDevelopment) server.setTimeout(IDLE_TIMEOUT_MS);
  const { pages, release, cached, before } = isDevelopment
    ? await servedFromSources(settings, backend, server)
    : await servedFromBuild(settings, backend);
  const { fetch } = createSite({ settings, backend, pages, payments: payments.routes, readAllMetrics });
  const site = getRequestListener(fetch);
  const observe = createObserver(settings, log);
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const page = respondToOlderPage(request, release) ?? findCachedPage(request, cached);
    if (!page) {
      before(request, response, () => void site(request, response));
      return;
    }
    response.writeHead(page.status, page.head).end(page.body);
    if (page.unmet)
      noteShown(backend, page.unmet, clientAddress(request, settings), (name) => request.headers[name]);
  };
  const inTurn = createRequestTurns(settings);
  server.on("request", (request, response) =>
    observe(request, response, () => inTurn(request, response, () => handle(request, response))),
  );
  await listen(server, settings, settings.workers > 1 && sharesPorts);
  return { server, release };
}

const CLOSE_TIMEOUT_MS = 5_000;

/** Stops accepting requests, and finishes running ones. */
export async function closeWebServer(server: Server): Promise<void> {
  const timeout = setTimeout(() => server.closeAllConnections(), CLOSE_TIMEOUT_MS);
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  await closed;
  clearTimeout(timeout);
}
