import { Agent, type IncomingMessage, request as startRequest } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { isReadWhole, isShort, mayHaveBody } from "../shared/short-bodies.ts";

/** Headers of one connection rather than of the message. */
const connectionHeaders = new Set([
  "connection",
  "keep-alive",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "host",
  "expect",
]);

/** Statuses whose responses have no body. */
const bodiless = new Set([101, 204, 205, 304]);

const readShort = (message: IncomingMessage) =>
  new Promise<Uint8Array<ArrayBuffer>>((resolve, reject) => {
    const pieces: Buffer<ArrayBuffer>[] = [];
    message.on("data", (piece: Buffer<ArrayBuffer>) => pieces.push(piece));
    message.once("end", () => resolve(pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces)));
    // Also if the backend ends midway.
    message.once("error", reject);
  });

async function toResponse(message: IncomingMessage, method: string): Promise<Response> {
  const headers: [string, string][] = [];
  for (let at = 0; at < message.rawHeaders.length; at += 2) {
    const name = message.rawHeaders[at] as string;
    if (!connectionHeaders.has(name.toLowerCase()))
      headers.push([name, message.rawHeaders[at + 1] as string]);
  }
  const status = message.statusCode ?? 502;
  const length = message.headers["content-length"];
  if (method === "HEAD" || bodiless.has(status) || length === "0") {
    message.resume();
    return new Response(null, { status, headers });
  }
  if (isShort(length)) return new Response(await readShort(message), { status, headers });
  return new Response(Readable.toWeb(message) as ReadableStream, { status, headers });
}

/**
 * The limit of requests under way for each kind, for all web processes together. For pages it equals the running and
 * waiting statements in their lane (see server/shared/lanes.ts), so that one client's pages never wait here for
 * another's.
 */
const maxConcurrent = { shop: 64, pages: 256, accounts: 64, data: 64 };
export type SocketPool = keyof typeof maxConcurrent;

/**
 * `fetch` over a Unix socket (or a named pipe): only the path of the request's address matters. Short bodies are sent
 * in one piece, others stream in both directions; connections are kept alive.
 * @param sharers how many web processes share these limits
 */
export function socketFetch(
  socketPath: string,
  sharers = 1,
): {
  fetch: (request: Request, extraHeaders?: Record<string, string>, pool?: SocketPool) => Promise<Response>;
  close: () => void;
} {
  const agents = new Map<SocketPool, Agent>();
  async function send(
    request: Request,
    extraHeaders: Record<string, string> = {},
    pool: SocketPool = "shop",
  ): Promise<Response> {
    const limits = { maxSockets: Math.ceil(maxConcurrent[pool] / sharers), maxFreeSockets: 16 };
    const agent = agents.get(pool) ?? new Agent({ keepAlive: true, ...limits });
    agents.set(pool, agent);
    const url = new URL(request.url);
    const headers: Record<string, string> = {};
    for (const [name, value] of request.headers) {
      if (!connectionHeaders.has(name)) headers[name] = value;
    }
    const whole =
      mayHaveBody(request) && isReadWhole(request) ? new Uint8Array(await request.arrayBuffer()) : null;
    const stream = isReadWhole(request) ? null : request.body;
    // A GET's body is not forwarded. A Content-Length without it would make the backend read the next customer's
    // request on this connection as that body.
    if (!whole && !stream) delete headers["content-length"];
    return new Promise((resolve, reject) => {
      const outgoing = startRequest({
        socketPath,
        agent,
        path: url.pathname + url.search,
        method: request.method,
        headers: { ...headers, host: url.host, ...extraHeaders },
        signal: request.signal,
      });
      outgoing.on("response", (message) => resolve(toResponse(message, request.method)));
      outgoing.on("error", reject);
      if (stream) pipeline(Readable.fromWeb(stream as never), outgoing).catch(reject);
      else outgoing.end(whole ?? undefined);
    });
  }
  return {
    fetch: send,
    close: () => {
      for (const agent of agents.values()) agent.destroy();
    },
  };
}
