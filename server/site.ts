import { join } from "node:path";
import type { HttpBindings } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { compress } from "hono/compress";
import type { Backend } from "./backend.ts";
import { clientAddress } from "./client-address.ts";
import { outboxPage } from "./embedded/outbox-page.ts";
import { uploaderPath } from "./embedded/protocol.ts";
import type { PageHandler } from "./pages.ts";
import { secureHeaders } from "./secure-headers.ts";
import type { Settings } from "./settings.ts";

type Site = { settings: Settings; backend: Backend; pages: PageHandler };

const notKept = { "Cache-Control": "no-store" };

const YEAR_SECONDS = 31_536_000;
const DAY_SECONDS = 86_400;
/** The most that anything of the shop sends: a group of books to import, and a cover, which only admins may. */
const MAX_BODY_BYTES = 128 * 1024;
const MAX_COVER_BYTES = 6 * 1024 * 1024;

/**
 * The request with its body here in full: whoever sends slowly waits here alone, and holds none of the few connections
 * to the backend that all customers share.
 */
async function received(request: Request): Promise<Request> {
  if (!request.body) return request;
  const { url, method, headers, signal } = request;
  return new Request(url, { method, headers, signal, body: await request.arrayBuffer() });
}

/** The whole web server as one function from request to response: what answers which address, in order. */
export function createSite({ settings, backend, pages }: Site): Hono<{ Bindings: HttpBindings }> {
  const site = new Hono<{ Bindings: HttpBindings }>();
  site.use(secureHeaders(settings));
  site.use(async (c, next) => {
    // An address with a name and password in it makes no request that the pages could be given.
    if (/^[a-z]+:\/\/[^/]*@/i.test(c.env.incoming.url ?? "")) return c.text("This is no address.", 400);
    return next();
  });
  const onError = (c: Context) => c.text("The request is too large.", 413);
  const plain = bodyLimit({ maxSize: MAX_BODY_BYTES, onError });
  const withCover = bodyLimit({ maxSize: MAX_COVER_BYTES, onError });
  site.use(async (c, next) => {
    const { raw, path } = c.req;
    const isLarge = raw.body && !(Number(raw.headers.get("content-length") ?? Infinity) <= MAX_BODY_BYTES);
    if (!isLarge || backend.kind !== "embedded" || !path.startsWith("/storage/v1/object/"))
      return plain(c, next);
    // Asked with the headers alone: thousands of strangers' files must not be in memory to be refused.
    const { headers } = raw;
    const answer = await backend.fetch(new Request(new URL(uploaderPath, raw.url), { headers }));
    return answer.ok ? withCover(c, next) : answer;
  });

  const isReady = () => backend.ready().catch(() => false);
  // Live: this process answers. Ready: the database behind it does too.
  site.get("/healthz", async (c) => c.json({ live: true, ready: await isReady() }, 200, notKept));
  site.get("/readyz", async (c) => {
    const ready = await isReady();
    return c.json({ ready }, ready ? 200 : 503, notKept);
  });

  if (backend.kind === "embedded") {
    for (const part of ["/rest/v1/*", "/auth/v1/*", "/storage/v1/*"]) {
      site.use(part, compress());
      site.all(part, async (c) => {
        const request = await received(c.req.raw);
        return backend.fetch(request, clientAddress(c.env.incoming, settings));
      });
    }
    site.get("/outbox", async (c) => {
      const page = await outboxPage(c.req.raw, c.env.incoming.socket.remoteAddress ?? "", settings);
      return page ?? pages(c.req.raw);
    });
  }

  const files = { root: join(import.meta.dirname, "../build/client"), precompressed: true };
  const immutable = `public, max-age=${YEAR_SECONDS}, immutable`;
  // The names of these files change with their content.
  for (const part of ["/assets/*", "/pictures/*", "/fonts/*"])
    site.use(part, serveStatic({ ...files, onFound: (_path, c) => c.header("Cache-Control", immutable) }));
  site.use(
    "*",
    serveStatic({
      ...files,
      onFound: (_path, c) => c.header("Cache-Control", `public, max-age=${DAY_SECONDS}`),
    }),
  );

  site.all("*", (c) => pages(c.req.raw));
  site.onError((error, c) => {
    console.error(`Request to ${c.req.path} failed: ${error.name}`);
    return c.text("Something went wrong on our side. Please try again in a moment.", 500);
  });
  return site;
}
