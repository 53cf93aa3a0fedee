import type { Connections } from "../database/connections.ts";
import { logLineOf, refusalOf } from "../database/errors.ts";
import { statementLimits } from "../database/pool.ts";
import type { Sql } from "../database/sql.ts";
import { type Client, ConcurrencyLimit, type LimitMetrics } from "../lib/concurrency-limit.ts";
import { nextTurn, outsideTurns } from "../lib/loop-turns.ts";
import { networkOf } from "../lib/network.ts";
import { Refusal, refusalResponse } from "../lib/refusal.ts";
import type { Secrets } from "../lib/secrets.ts";
import type { QueueMetrics } from "./accounts/account-queue.ts";
import { accountsRefusalResponse } from "./accounts/refusals.ts";
import type { ReadPiece } from "./backend.ts";
import { type Body, readBody } from "./body.ts";
import { type Caller, identify, issuerOf } from "./caller.ts";
import { createDataApi } from "./data/data-api.ts";
import { type FunctionGuards, runGuarded } from "./data/guards.ts";
import { readRequest } from "./data/request.ts";
import { openTransactions, type StatementTimeouts } from "./data/transaction.ts";
import { openSessions } from "./open-sessions.ts";
import { openPeople } from "./people.ts";
import { storageRefusalResponse } from "./storage/refusals.ts";
import { createStorageApi, type Sender } from "./storage/storage-api.ts";
import type { FindCover } from "./storage/stored-cover.ts";
import type { StoredFiles } from "./storage/stored-files.ts";

/** A browser's own request, or a read of a page that is rendered for it on the server. */
export type Purpose = "browser" | "page";

/** How busy a process is: its connections for requests and for the shop's own work, its statements, its hashing threads. */
export type ApiMetrics = {
  connections: Record<"requests" | "shop", { inUse: number; most: number }>;
  limits: LimitMetrics;
  passwords: QueueMetrics;
};

export type ApiParts = {
  sql: Sql;
  connections: Connections;
  /** Processes that handle requests: together they have as many connections as one. */
  workers?: number;
  secrets: Secrets;
  /** The shop's origin, which issues the sessions' tokens. */
  siteUrl: string;
  files: StoredFiles;
  /** Handles requests under /auth/v1/. */
  accounts: (request: Request, clientIp: string) => Promise<Response>;
  guards?: FunctionGuards;
  log: (line: string) => void;
  /** Milliseconds, as Date.now(). */
  now?: () => number;
  /** How long requests may wait for their turn, in milliseconds. */
  waitMs?: number;
  timeouts?: StatementTimeouts;
};

export type Api = {
  /** @param clientIp the browser's address; null for the shop itself */
  handle: (request: Request, clientIp: string | null, purpose?: Purpose) => Promise<Response>;
  /** Whether the sender of an upload may make it, judged by its headers alone: null, or the refusal. */
  refuseUpload: (request: Request, clientIp: string | null) => Promise<Response | null>;
  findCover: FindCover;
  readPiece: ReadPiece;
  metrics: () => Omit<ApiMetrics, "passwords">;
  close: () => Promise<void>;
};

/** Each takes a millisecond on one of the owner's connections. */
const publicFileLimits = { running: 2, each: 2 };

/** All addresses of one customer of a provider count as one client: an IPv6 network must not count as many visitors. */
const networkKeyOf = (clientIp: string) => networkOf(clientIp) ?? clientIp;

/**
 * The backend's entry point, from request to response: data under /rest/v1/, files under /storage/v1/, accounts under /auth/v1/, nothing
 * else.
 */
export async function createApi(parts: ApiParts): Promise<Api> {
  const { sql, workers = 1, guards = new Map(), now = Date.now } = parts;
  const keys = { ...parts.secrets, issuer: issuerOf(parts.siteUrl) };
  const limits = statementLimits(workers);
  const transactions = openTransactions(parts.connections, sql, {
    most: limits.running,
    timeouts: parts.timeouts,
  });
  const limit = new ConcurrencyLimit({ ...limits, waitMs: parts.waitMs });
  const publicFileLimit = new ConcurrencyLimit(publicFileLimits);
  const { isStaff, isClosed } = openPeople(sql, now);
  const isOpen = openSessions(sql, now);
  const data = await createDataApi({ sql, transactions, limit });
  const storage = createStorageApi({ sql, transactions, limit, publicFileLimit, files: parts.files });

  async function callerOf(request: Request, url: URL): Promise<Caller> {
    const found = identify(request.headers, url, keys, now());
    if ("fault" in found) throw new Refusal(401, found.fault.code, found.fault.message);
    const { userId, claims } = found.caller;
    if (userId === null) return found.caller;
    if (await isClosed(userId)) throw new Refusal(401, "PGRST301", "This account is closed.");
    if (!(await isOpen(claims.session_id, userId)))
      throw new Refusal(401, "PGRST301", "This session has ended.");
    return found.caller;
  }

  async function clientOf(
    { role, userId }: Caller,
    clientIp: string | null,
    purpose: Purpose,
  ): Promise<Client> {
    if (role === "service_role" || clientIp === null) return { kind: "shop", key: "shop" };
    if (userId === null)
      return { kind: purpose === "page" ? "page" : "visitor", key: networkKeyOf(clientIp) };
    return { kind: (await isStaff(userId)) ? "shop" : "customer", key: userId };
  }

  async function findSender(request: Request, url: URL, clientIp: string | null): Promise<Sender> {
    const caller = await callerOf(request, url);
    return { caller, client: await clientOf(caller, clientIp, "browser") };
  }

  async function dispatch(
    request: Request,
    url: URL,
    clientIp: string | null,
    purpose: Purpose,
    body: Body,
  ): Promise<Response> {
    const path = url.pathname;
    if (path.startsWith("/auth/v1/")) return parts.accounts(body.restored(request), clientIp ?? "");
    if (path.startsWith("/rest/v1/")) {
      const caller = await callerOf(request, url);
      const client = await clientOf(caller, clientIp, purpose);
      const call = readRequest(request, url, body.text());
      const guardedIp = caller.role === "service_role" ? null : clientIp;
      const { signal } = request;
      return runGuarded(guards, call, guardedIp, () => data(call, { caller, client, signal }));
    }
    return storage.handle(request, body.bytes, networkKeyOf(clientIp ?? ""), () =>
      findSender(request, url, clientIp),
    );
  }

  /** Errors in the format that each API's client expects. */
  function errorResponse(thrown: unknown, request: Request, url: URL, path = url.pathname): Response {
    // The client disconnected and its statement was cancelled, which is not a fault.
    const line = request.signal.aborted ? null : logLineOf(thrown);
    if (line) parts.log(line);
    const found = identify(request.headers, url, keys, now());
    const role = "caller" in found ? found.caller.role : "anon";
    const refusal =
      refusalOf(thrown, role) ??
      new Refusal(500, "PT500", "Something went wrong on our side. Please try again.");
    if (path.startsWith("/storage/")) return storageRefusalResponse(refusal);
    return path.startsWith("/auth/") ? accountsRefusalResponse(refusal) : refusalResponse(refusal);
  }

  async function handle(
    request: Request,
    clientIp: string | null,
    purpose: Purpose = "browser",
  ): Promise<Response> {
    const url = new URL(request.url);
    const path = url.pathname;
    if (!/^\/(rest|auth|storage)\/v1\//.test(path))
      return Response.json({ message: "There is nothing at this address." }, { status: 404 });
    const response = await readBody(request, path)
      .then(async (body) => {
        if (body.bytes) await nextTurn();
        return dispatch(request, url, clientIp, purpose, body);
      })
      .catch((thrown) => errorResponse(thrown, request, url));
    return withSafeHeaders(response, path);
  }

  return {
    handle: (request, clientIp, purpose) =>
      clientIp === null
        ? outsideTurns(() => handle(request, null, purpose))
        : handle(request, clientIp, purpose),
    refuseUpload: async (request, clientIp) => {
      const url = new URL(request.url);
      try {
        await storage.checkUpload(await findSender(request, url, clientIp), url.pathname, request.signal);
        return null;
      } catch (thrown) {
        return withSafeHeaders(errorResponse(thrown, request, url, "/storage/v1/"), "/storage/v1/");
      }
    },
    findCover: async (rawName, clientIp, signal) => {
      try {
        return await storage.findCover(rawName, networkKeyOf(clientIp), signal);
      } catch (thrown) {
        const line = signal.aborted ? null : logLineOf(thrown);
        if (line) parts.log(line);
        const refusal = refusalOf(thrown, "anon");
        // A name that no cover can have.
        if (refusal?.status === 404) return null;
        throw refusal ?? thrown;
      }
    },
    readPiece: storage.readPiece,
    metrics: () => ({
      connections: { requests: transactions.metrics(), shop: parts.connections.metrics() },
      limits: { ...limit.metrics(), "public file": publicFileLimit.metrics()["public file"] },
    }),
    close: transactions.close,
  };
}

/**
 * The backend shares the shop's origin: an uploaded file must never act as one of its pages, and no other site has
 * business here.
 */
function withSafeHeaders(response: Response, path: string): Response {
  const { headers } = response;
  // Without this one, browsers let no other site read the response, whatever else it says.
  headers.delete("access-control-allow-origin");
  headers.set("x-content-type-options", "nosniff");
  if (path.startsWith("/storage/")) headers.set("content-security-policy", "default-src 'none'; sandbox");
  else if (!headers.has("cache-control")) headers.set("cache-control", "no-store");
  return response;
}
