import { existsSync } from "node:fs";
import type { HttpBindings } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { compress } from "hono/compress";
import { accountRoutes } from "./account-routes.ts";
import type { Backend } from "./backend.ts";
import { clientFolder } from "./build.ts";
import { clientAddress } from "./client-address.ts";
import { outboxPage } from "./embedded/outbox-page.ts";
import { uploaderPath } from "./embedded/protocol.ts";
import { log } from "./log.ts";
import { metricsPage } from "./metrics.ts";
import { createOutgoing } from "./outgoing.ts";
import type { PageHandler } from "./pages.ts";
import { hashedParts, keptFiles } from "./releases.ts";
import { secureHeaders } from "./secure-headers.ts";
import { serviceWorkerRemover } from "./service-worker.ts";
import { networkOf } from "./shared/network.ts";
import { currentRequestId } from "./shared/request-id.ts";
import type { Settings } from "./shared/settings.ts";
import { isReadWhole } from "./shared/short-bodies.ts";

type Site = {
  settings: Settings;
  backend: Backend;
  pages: PageHandler;
  /** Handles requests below /payments, if customers can pay online. */
  payments?: Hono<{ Bindings: HttpBindings }> | null;
  /** Reads the metrics of all workers, if there are several. */
  readAllFigures?: (() => Promise<string>) | undefined;
};

const notKept = { "Cache-Control": "no-store" };

const YEAR_SECONDS = 31_536_000;
const DAY_SECONDS = 86_400;
/** The largest bodies that the shop sends: a chunk of books to import, and a cover, which only admins may upload. */
const MAX_BODY_BYTES = 128 * 1024;
const MAX_COVER_BYTES = 6 * 1024 * 1024;

/**
 * The request with its body read in full: a slow sender waits here alone, without holding one of the few backend
 * connections that all customers share.
 */
async function received(request: Request): Promise<Request> {
  // These are read in full before they are forwarded.
  if (isReadWhole(request) || !request.body) return request;
  const { url, method, headers, signal } = request;
  return new Request(url, { method, headers, signal, body: await request.arrayBuffer() });
}

/** The whole web server as one function from request to response: decides which handler gets which URL, in order. */
export function createSite({
  settings,
  backend,
  pages,
  payments = null,
  readAllFigures,
}: Site): Hono<{ Bindings: HttpBindings }> {
  const site = new Hono<{ Bindings: HttpBindings }>();
  site.use(secureHeaders(settings));
  site.use(async (c, next) => {
    // A URL with a user name and password cannot be made into a Request for the pages.
    if (/^[a-z]+:\/\/[^/]*@/i.test(c.env.incoming.url ?? "")) return c.text("Invalid address.", 400);
    return next();
  });
  const onError = (c: Context) => c.text("The request is too large.", 413);
  const plain = bodyLimit({ maxSize: MAX_BODY_BYTES, onError });
  const withCover = bodyLimit({ maxSize: MAX_COVER_BYTES, onError });
  site.use(async (c, next) => {
    const { raw, path } = c.req;
    // Checked first: accessing `body` would create a stream.
    if (isReadWhole(raw)) return next();
    const isLarge = raw.body && !(Number(raw.headers.get("content-length") ?? Infinity) <= MAX_BODY_BYTES);
    if (!isLarge || backend.kind !== "embedded" || !path.startsWith("/storage/v1/object/"))
      return plain(c, next);
    // Checked by headers alone: strangers' files must not be read into memory only to be refused.
    const { headers } = raw;
    const asked = `${uploaderPath}?path=${encodeURIComponent(new URL(raw.url).pathname)}`;
    const question = new Request(new URL(asked, raw.url), { headers, signal: raw.signal });
    const answer = await backend.fetch(question, clientAddress(c.env.incoming, settings));
    return answer.ok ? withCover(c, next) : answer;
  });

  const page = (c: Context<{ Bindings: HttpBindings }>) =>
    pages(c.req.raw, clientAddress(c.env.incoming, settings));

  const isReady = () => backend.ready().catch(() => false);
  // Live: this process responds. Ready: the database behind it does too.
  site.get("/healthz", async (c) => c.json({ live: true, ready: await isReady() }, 200, notKept));
  site.get("/readyz", async (c) => {
    const ready = await isReady();
    return c.json({ ready }, ready ? 200 : 503, notKept);
  });

  site.get(
    "/metrics",
    async (c) => (await metricsPage(c.env.incoming, settings, backend.figures, readAllFigures)) ?? page(c),
  );

  site.route("/account", accountRoutes(settings, backend));
  if (payments) site.route("/payments", payments);

  if (backend.kind === "embedded") {
    const hold = createOutgoing();
    for (const part of ["/rest/v1/*", "/auth/v1/*", "/storage/v1/*"]) {
      site.use(part, compress());
      site.all(part, async (c) => {
        const request = await received(c.req.raw);
        const clientIp = clientAddress(c.env.incoming, settings);
        const answer = await hold(await backend.fetch(request, clientIp), networkOf(clientIp) ?? clientIp);
        // Set here, because compress() would copy the response to add it.
        answer.headers.set("Vary", "Accept-Encoding");
        return answer;
      });
    }
    site.get("/outbox", async (c) => {
      const outbox = await outboxPage(c.req.raw, settings);
      return outbox ?? page(c);
    });
  }

  const files = { root: clientFolder, precompressed: true };
  const serviceWorker = serveStatic({
    ...files,
    onFound: (_path, c) => c.header("Cache-Control", "no-cache"),
  });
  const immutable = `public, max-age=${YEAR_SECONDS}, immutable`;
  // The names of these files change with their content.
  const kept = keptFiles(settings.dataDir);
  for (const root of existsSync(kept) ? [clientFolder, kept] : [clientFolder])
    for (const part of hashedParts)
      site.use(
        `/${part}/*`,
        serveStatic({ ...files, root, onFound: (_path, c) => c.header("Cache-Control", immutable) }),
      );
  // Browsers must notice a new worker immediately.
  site.use("/service-worker.js", async (c, next) => {
    if (settings.offlinePages) return serviceWorker(c, next);
    return c.body(serviceWorkerRemover, 200, {
      "Content-Type": "text/javascript",
      "Cache-Control": "no-cache",
    });
  });
  site.use(
    "*",
    serveStatic({
      ...files,
      onFound: (_path, c) => c.header("Cache-Control", `public, max-age=${DAY_SECONDS}`),
    }),
  );

  site.all("*", page);
  site.onError((error, c) => {
    // The client disconnected; nothing failed.
    if (c.req.raw.signal.aborted) return new Response(null, { status: 499 });
    log.error(`${c.req.method} ${new URL(c.req.url).pathname} failed`, { error: error.name });
    const reference = currentRequestId();
    const words = "Something went wrong on our side. Please try again in a moment.";
    return c.text(reference ? `${words}\nReference: ${reference}` : words, 500);
  });
  return site;
}
