import { existsSync } from "node:fs";
import type { HttpBindings } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { Backend } from "../api/backend.ts";
import { outboxPage } from "../emails/outbox-page.ts";
import { clientAddress } from "../lib/client-address.ts";
import { log } from "../lib/log.ts";
import { networkOf } from "../lib/network.ts";
import { currentRequestId } from "../lib/request-id.ts";
import type { Settings } from "../lib/settings.ts";
import { isReadWhole } from "../lib/short-bodies.ts";
import { accountRoutes } from "./account-routes.ts";
import { clientFolder } from "./build.ts";
import { downloadRoutes } from "./download-routes.ts";
import { eventRoutes } from "./event-routes.ts";
import { limitIncoming, MAX_COVER_BYTES } from "./incoming.ts";
import { linkedCoverRoutes } from "./linked-cover-routes.ts";
import { metricsPage } from "./metrics.ts";
import { loggedPath } from "./observe.ts";
import { createOutgoing } from "./outgoing.ts";
import { packed } from "./packed.ts";
import type { PageHandler } from "./pages.ts";
import { peopleRoutes } from "./people-routes.ts";
import { createPictureMaker } from "./picture-maker.ts";
import { hashedParts, releaseFiles } from "./releases.ts";
import { listRootFiles } from "./root-files.ts";
import { secureHeaders } from "./secure-headers.ts";
import { serviceWorkerRemover } from "./service-worker.ts";
import { settingsRoutes } from "./settings-routes.ts";
import { createSmallCovers } from "./small-covers.ts";

type Site = {
  settings: Settings;
  backend: Backend;
  pages: PageHandler;
  /** Handles requests below /payments, if customers can pay online. */
  payments?: Hono<{ Bindings: HttpBindings }> | null;
  /** Reads the metrics of all workers, if there are several. */
  readAllMetrics?: (() => Promise<string>) | undefined;
};

const noStore = { "Cache-Control": "no-store" };

const YEAR_SECONDS = 31_536_000;
const DAY_SECONDS = 86_400;
/** The largest body that the shop sends, but for covers, which only admins may upload: a chunk of books to import. */
const MAX_BODY_BYTES = 128 * 1024;

/** The whole web server as one function from request to response: decides which handler gets which URL, in order. */
export function createSite({
  settings,
  backend,
  pages,
  payments = null,
  readAllMetrics,
}: Site): Hono<{ Bindings: HttpBindings }> {
  const site = new Hono<{ Bindings: HttpBindings }>();
  site.use(secureHeaders(settings));
  site.use(async (c, next) => {
    // A URL with a user name and password cannot be made into a Request for the pages.
    if (/^[a-z]+:\/\/[^/]*@/i.test(c.env.incoming.url ?? "")) return c.text("Invalid address.", 400);
    return next();
  });
  site.use(limitIncoming(settings));
  const onError = (c: Context) => c.text("The request is too large.", 413);
  const plain = bodyLimit({ maxSize: MAX_BODY_BYTES, onError });
  const withCover = bodyLimit({ maxSize: MAX_COVER_BYTES, onError });
  site.use(async (c, next) => {
    const { raw, path } = c.req;
    // Checked first: accessing `body` would create a stream.
    if (isReadWhole(raw)) return next();
    const isLarge = raw.body && !(Number(raw.headers.get("content-length") ?? Infinity) <= MAX_BODY_BYTES);
    if (!isLarge || !backend.refuseUpload || !path.startsWith("/storage/v1/object/")) return plain(c, next);
    // Strangers' files must not be read into memory only to be refused.
    const refusal = await backend.refuseUpload(raw, clientAddress(c.env.incoming, settings));
    return refusal ?? withCover(c, next);
  });

  const page = (c: Context<{ Bindings: HttpBindings }>) =>
    pages(c.req.raw, clientAddress(c.env.incoming, settings));

  let checking: Promise<boolean> | null = null;
  /** One check at a time, however many ask: each takes one of the shop's own connections. */
  const isReady = () => {
    checking ??= backend
      .ready()
      .catch(() => false)
      .finally(() => {
        checking = null;
      });
    return checking;
  };
  // Live: this process responds. Ready: the database behind it does too, and its disk has room.
  site.get("/healthz", async (c) => c.json({ live: true, ready: await isReady() }, 200, noStore));
  site.get("/readyz", async (c) => {
    const ready = await isReady();
    return c.json({ ready }, ready ? 200 : 503, noStore);
  });

  site.get(
    "/metrics",
    async (c) => (await metricsPage(c.env.incoming, settings, backend.metrics, readAllMetrics)) ?? page(c),
  );

  site.route("/account", accountRoutes(settings, backend));
  site.route("/downloads", downloadRoutes(settings, backend));
  site.route("/events", eventRoutes(settings, backend));
  site.route("/admin/settings", settingsRoutes(settings, backend));
  site.route("/admin/users", peopleRoutes(settings, backend));
  site.route("/admin/linked-covers", linkedCoverRoutes(settings, backend));
  if (payments) site.route("/payments", payments);

  const hold = createOutgoing();
  const { findCover } = backend;
  if (findCover) {
    const originals = `${backend.browserOrigin ?? ""}/storage/v1/object/public/book-covers`;
    const originalUrl = (rawName: string) => `${originals}/${rawName}`;
    const smallCovers = createSmallCovers({ findCover, originalUrl, makePicture: createPictureMaker(), log });
    site.get("/covers/*", async (c) => {
      const clientIp = clientAddress(c.env.incoming, settings);
      return hold(await smallCovers(c.req.raw, clientIp), networkOf(clientIp) ?? clientIp);
    });
  }

  if (backend.kind === "embedded") {
    for (const part of ["/rest/v1/*", "/auth/v1/*", "/storage/v1/*"]) {
      site.all(part, async (c) => {
        const clientIp = clientAddress(c.env.incoming, settings);
        const unheld = await packed(await backend.fetch(c.req.raw, clientIp), c.req.raw);
        const response = await hold(unheld, networkOf(clientIp) ?? clientIp);
        response.headers.set("Vary", "Accept-Encoding");
        return response;
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
  const releases = releaseFiles(settings.dataDir);
  for (const root of existsSync(releases) ? [clientFolder, releases] : [clientFolder])
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
  const rootFile = serveStatic({
    ...files,
    onFound: (_path, c) => c.header("Cache-Control", `public, max-age=${DAY_SECONDS}`),
  });
  for (const name of listRootFiles(clientFolder)) site.use(`/${name}`, rootFile);

  site.all("*", page);
  site.onError((error, c) => {
    // The client disconnected; nothing failed.
    if (c.req.raw.signal.aborted) return new Response(null, { status: 499 });
    log.error(`${c.req.method} ${loggedPath(new URL(c.req.url).pathname)} failed`, { error: error.name });
    const reference = currentRequestId();
    const words = "Something went wrong on our side. Please try again in a moment.";
    return c.text(reference ? `${words}\nReference: ${reference}` : words, 500);
  });
  return site;
}
