import type { Connections } from "../database/connections.ts";
import { answerAccountRefusal, answerRefusal, logLineOf, refusalOf } from "../database/errors.ts";
import { statementLimits } from "../database/pool.ts";
import type { Sql } from "../database/sql.ts";
import { type Client, ConcurrencyLimit, type LimitMetrics } from "../lib/concurrency-limit.ts";
import { networkOf } from "../lib/network.ts";
import { Refusal } from "../lib/refusal.ts";
import type { Secrets } from "../lib/secrets.ts";
import type { QueueMetrics } from "./accounts/account-queue.ts";
import { type Body, readBody } from "./body.ts";
import { type Caller, identify, issuerOf } from "./caller.ts";
import { createCodeGuesses } from "./code-guesses.ts";
import { createDataApi } from "./data/data-api.ts";
import { readRequest } from "./data/request.ts";
import { openTransactions } from "./data/transaction.ts";
import { openSessions } from "./open-sessions.ts";
import { openPeople } from "./people.ts";
import { answerStorageRefusal } from "./storage/answer.ts";
import { createStorageApi, type Who } from "./storage/storage-api.ts";
import type { ObjectFiles } from "./storage/stored-files.ts";

/** A browser's own request, or a read of a page that is rendered for it on the server. */
export type Purpose = "browser" | "page";

/** How busy a process is: its connections for requests and for the shop's own work, its statements, its hashing threads. */
export type ApiMetrics = {
  connections: Record<"requests" | "shop", { inUse: number; most: number }>;
  limits: LimitMetrics;
  passwords: QueueMetrics;
};

type ApiParts = {
  sql: Sql;
  connections: Connections;
  /** Processes that answer requests: together they have as many connections as one. */
  workers?: number;
  secrets: Secrets;
  /** The shop's origin, which issues the sessions' tokens. */
  siteUrl: string;
  files: ObjectFiles;
  /** Handles requests under /auth/v1/. */
  accounts: (request: Request, clientIp: string) => Promise<Response>;
  log: (line: string) => void;
  /** Milliseconds, as Date.now(). */
  now?: () => number;
};

export type Api = {
  /** @param clientIp the browser's address; null for the shop itself */
  answer: (request: Request, clientIp: string | null, purpose?: Purpose) => Promise<Response>;
  /** Whether the sender of an upload may make it, judged by its headers alone: null, or the refusal. */
  refuseUpload: (request: Request, clientIp: string | null) => Promise<Response | null>;
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
  const { sql, workers = 1, now = Date.now } = parts;
  const keys = { ...parts.secrets, issuer: issuerOf(parts.siteUrl) };
  const limits = statementLimits(workers);
  const transactions = openTransactions(parts.connections, sql, limits.running);
  const limit = new ConcurrencyLimit(limits);
  const publicFileLimit = new ConcurrencyLimit(publicFileLimits);
  const { isStaff, isClosed } = openPeople(sql, now);
  const isOpen = openSessions(sql, now);
  const data = await createDataApi({ sql, transactions, limit });
  const guarded = createCodeGuesses(sql, keys.jwtSecret, now);
  const storage = createStorageApi({ sql, transactions, limit, publicFileLimit, files: parts.files });

  async function callerOf(request: Request): Promise<Caller> {
    const found = identify(request.headers, new URL(request.url), keys, now());
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

  async function findWho(request: Request, clientIp: string | null): Promise<Who> {
    const caller = await callerOf(request);
    return { caller, client: await clientOf(caller, clientIp, "browser") };
  }

  async function route(
    request: Request,
    path: string,
    clientIp: string | null,
    purpose: Purpose,
    body: Body,
  ): Promise<Response> {
    if (path.startsWith("/auth/v1/")) return parts.accounts(body.restored(request), clientIp ?? "");
    if (path.startsWith("/rest/v1/")) {
      const caller = await callerOf(request);
      const client = await clientOf(caller, clientIp, purpose);
      const asked = readRequest(request, new URL(request.url), body.text());
      const guesser = caller.role === "service_role" ? null : clientIp;
      const { signal } = request;
      return guarded(asked, guesser, () => data(asked, { caller, client, signal }));
    }
    return storage.answer(request, body.bytes, networkKeyOf(clientIp ?? ""), () =>
      findWho(request, clientIp),
    );
  }

  /** Errors in the format that each API's client expects. */
  function answerError(thrown: unknown, request: Request, path: string): Response {
    // The client disconnected and its statement was cancelled, which is not a fault.
    const line = request.signal.aborted ? null : logLineOf(thrown);
    if (line) parts.log(line);
    const found = identify(request.headers, new URL(request.url), keys, now());
    const role = "caller" in found ? found.caller.role : "anon";
    const refusal =
      refusalOf(thrown, role) ??
      new Refusal(500, "PT500", "Something went wrong on our side. Please try again.");
    if (path.startsWith("/storage/")) return answerStorageRefusal(refusal);
    return path.startsWith("/auth/") ? answerAccountRefusal(refusal) : answerRefusal(refusal);
  }

  async function answer(
    request: Request,
    clientIp: string | null,
    purpose: Purpose = "browser",
  ): Promise<Response> {
    const path = new URL(request.url).pathname;
    if (!/^\/(rest|auth|storage)\/v1\//.test(path))
      return Response.json({ message: "There is nothing at this address." }, { status: 404 });
    const answered = await readBody(request, path)
      .then((body) => route(request, path, clientIp, purpose, body))
      .catch((thrown) => answerError(thrown, request, path));
    return withSafeHeaders(answered, path);
  }

  return {
    answer,
    refuseUpload: async (request, clientIp) => {
      try {
        const path = new URL(request.url).pathname;
        await storage.askUploader(await findWho(request, clientIp), path, request.signal);
        return null;
      } catch (thrown) {
        return withSafeHeaders(answerError(thrown, request, "/storage/v1/"), "/storage/v1/");
      }
    },
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
function withSafeHeaders(answer: Response, path: string): Response {
  const { headers } = answer;
  for (const name of [...headers.keys()]) if (name.startsWith("access-control-")) headers.delete(name);
  headers.set("x-content-type-options", "nosniff");
  if (path.startsWith("/storage/")) headers.set("content-security-policy", "default-src 'none'; sandbox");
  else if (!headers.has("cache-control")) headers.set("cache-control", "no-store");
  return answer;
}
