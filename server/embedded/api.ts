import { type Asker, Lanes, lanesFor } from "../shared/lanes.ts";
import { networkOf } from "../shared/network.ts";
import { Refusal } from "../shared/refusal.ts";
import { type Body, readBody } from "./body.ts";
import { type Caller, identify } from "./caller.ts";
import { createCodeGuesses } from "./code-guesses.ts";
import type { Connections } from "./connections.ts";
import { createDataApi } from "./data/data-api.ts";
import { apiConnections, openTransactions } from "./data/transaction.ts";
import { answerAccountRefusal, answerRefusal, logLineOf, refusalOf } from "./errors.ts";
import type { ObjectFiles } from "./files.ts";
import { openPeople } from "./people.ts";
import type { Figures, Purpose } from "./protocol.ts";
import type { Secrets } from "./secrets.ts";
import type { Sql } from "./sql.ts";
import { answerStorageRefusal } from "./storage/answer.ts";
import { createStorageApi, type Who } from "./storage/storage-api.ts";

type ApiParts = {
  sql: Sql;
  connections: Connections;
  secrets: Secrets;
  files: ObjectFiles;
  /** Handles requests under /auth/v1/. */
  accounts: (request: Request, clientIp: string) => Promise<Response>;
  log: (line: string) => void;
  /** How many web processes render pages. */
  workers?: number;
  /** Milliseconds, as Date.now(). */
  now?: () => number;
};

export type Api = {
  /** @param clientIp the browser's address; null for the shop itself */
  answer: (request: Request, clientIp: string | null, purpose?: Purpose) => Promise<Response>;
  /** Whether the sender of these headers may upload a file: 204, or the refusal. */
  answerUploader: (request: Request, clientIp: string | null) => Promise<Response>;
  figures: () => Figures;
  close: () => Promise<void>;
};

/** All addresses of one customer of a provider count as one client: an IPv6 network must not count as many visitors. */
const placeOf = (clientIp: string) => networkOf(clientIp) ?? clientIp;

/**
 * The backend's HTTP entry point: data under /rest/v1/, files under /storage/v1/, accounts under /auth/v1/, nothing
 * else.
 */
export async function createApi(parts: ApiParts): Promise<Api> {
  const { sql, secrets, now = Date.now } = parts;
  const transactions = openTransactions(parts.connections, sql);
  const lanes = new Lanes(apiConnections, lanesFor(apiConnections, parts.workers));
  const { isStaff, isClosed } = openPeople(sql, now);
  const data = await createDataApi({ sql, transactions, lanes });
  const guarded = createCodeGuesses(sql, now);
  const storage = createStorageApi({ sql, transactions, lanes, files: parts.files });

  async function callerOf(request: Request): Promise<Caller> {
    const found = identify(request.headers, new URL(request.url), secrets, now());
    if ("fault" in found) throw new Refusal(401, found.fault.code, found.fault.message);
    const { userId } = found.caller;
    if (userId !== null && (await isClosed(userId)))
      throw new Refusal(401, "PGRST301", "This account is closed.");
    return found.caller;
  }

  async function askerOf(
    { role, userId }: Caller,
    clientIp: string | null,
    purpose: Purpose,
  ): Promise<Asker> {
    if (role === "service_role" || clientIp === null) return { kind: "shop", key: "shop" };
    if (userId === null) return { kind: purpose === "page" ? "page" : "visitor", key: placeOf(clientIp) };
    return { kind: (await isStaff(userId)) ? "shop" : "customer", key: userId };
  }

  async function findWho(request: Request, clientIp: string | null): Promise<Who> {
    const caller = await callerOf(request);
    return { caller, asker: await askerOf(caller, clientIp, "browser") };
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
      const asker = await askerOf(caller, clientIp, purpose);
      const text = body.text();
      const client = caller.role === "service_role" ? null : clientIp;
      return guarded(request, text, client, () => data(request, text, caller, asker));
    }
    return storage.answer(request, body.bytes, placeOf(clientIp ?? ""), () => findWho(request, clientIp));
  }

  /** Errors in the format that each API's client expects. */
  function answerError(thrown: unknown, request: Request, path: string): Response {
    // The client disconnected and its statement was cancelled, which is not a fault.
    const line = request.signal.aborted ? null : logLineOf(thrown);
    if (line) parts.log(line);
    const found = identify(request.headers, new URL(request.url), secrets, now());
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
    answerUploader: async (request, clientIp) => {
      try {
        const path = new URL(request.url).searchParams.get("path") ?? "";
        await storage.askUploader(await findWho(request, clientIp), path, request.signal);
        return new Response(null, { status: 204 });
      } catch (thrown) {
        return withSafeHeaders(answerError(thrown, request, "/storage/v1/"), "/storage/v1/");
      }
    },
    figures: () => ({
      connections: { requests: transactions.figures(), shop: parts.connections.figures() },
      lanes: lanes.figures(),
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
