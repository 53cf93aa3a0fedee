import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { join } from "node:path";
import type { ServerBuild } from "react-router";
import type * as EntryServer from "#app/entry.server.tsx";
import type { Backend } from "./backend.ts";
import { contentSecurityPolicy } from "./content-security-policy.ts";
import { log } from "./log.ts";
import { createPageCache, type PageCache } from "./page-cache.ts";
import type { StoredPage } from "./page-forms.ts";
import { paysOnline } from "./payments/payments.ts";
import { everyPageHeaders } from "./secure-headers.ts";
import { Lanes, lanesFor } from "./shared/lanes.ts";
import { networkOf } from "./shared/network.ts";
import { Refusal } from "./shared/refusal.ts";
import { currentRequestId } from "./shared/request-id.ts";
import type { Settings } from "./shared/settings.ts";

/** @param clientIp the browser's address: a client with many requests waits behind its own */
export type PageHandler = (request: Request, clientIp: string) => Promise<Response>;

/** Makes the page for a state of the catalogue; null when the state is not known. */
type Renderer = (request: Request, state: string | null) => Promise<StoredPage>;

type PageSource = {
  pages: PageHandler;
  /** Names the build; null in development. */
  release: string | null;
  /** Looks up a cached page without waiting for anything. */
  kept: PageCache["kept"];
  /** Middleware that sees each request before the site does. */
  before: (request: IncomingMessage, response: ServerResponse, next: () => void) => void;
};

/** The address of the browser for which this code renders a page. */
const currentClientIp = new AsyncLocalStorage<string>();

function currentPlace(): string {
  const clientIp = currentClientIp.getStore() ?? "";
  return networkOf(clientIp) ?? clientIp;
}

const buildFile = join(import.meta.dirname, "../build/server/index.js");

/** The pages of the finished build, cached per state of the catalogue. */
export async function servedFromBuild(settings: Settings, backend: Backend): Promise<PageSource> {
  const build: ServerBuild = await import(buildFile);
  const { answer, kept } = createPageCache({
    render: pageRenderer(build, "production", settings, backend),
    catalogueVersion: () => readCatalogueVersion(backend),
    inTurn: createTurns(settings),
    headers: everyPageHeaders(settings),
  });
  const pages: PageHandler = (request, clientIp) =>
    currentClientIp.run(clientIp, () => answer(request).catch(toRefusal));
  const release = build.assets.version;
  return { pages, release, kept, before: (_request, _response, next) => next() };
}

/** The pages straight from their sources, with module reloading; nothing is cached. */
export async function servedFromSources(
  settings: Settings,
  backend: Backend,
  server: Server,
): Promise<PageSource> {
  const { createServer } = await import("vite");
  const vite = await createServer({
    server: { middlewareMode: true, hmr: { server } },
    appType: "custom",
  });
  const pages: PageHandler = async (request, clientIp) => {
    const build = (await vite.ssrLoadModule("virtual:react-router/server-build")) as ServerBuild;
    const render = pageRenderer(build, "development", settings, backend);
    const { status, headers, body } = await currentClientIp.run(clientIp, () => render(request, null));
    return new Response(body as Uint8Array<ArrayBuffer> | null, { status, headers });
  };
  return { pages, release: null, kept: () => null, before: vite.middlewares };
}

/** Pages rendered at a time by all workers together; each may always render MIN_PAGES. */
const MAX_PAGES = 64;
const MIN_PAGES = 4;
/** A school class shares one address and may open forty new pages at the same moment, which take a second or two. */
const pageLane = { running: MAX_PAGES, waiting: 400, runningEach: 2, waitingEach: 100 };

/** Limits concurrent renderings per client: one that requests hundreds waits behind its own requests. */
function createTurns({ workers }: Settings) {
  const most = Math.max(MIN_PAGES, Math.ceil(MAX_PAGES / workers));
  const lanes = new Lanes(most, { ...lanesFor(most), page: { ...pageLane, running: most } });
  return <T>(work: () => Promise<T>, signal: AbortSignal) =>
    lanes.run({ kind: "page", key: currentPlace() }, work, signal);
}

/** A refusal costs next to nothing, unlike a rendered error page. */
function toRefusal(error: unknown): Response {
  if (!(error instanceof Refusal)) throw error;
  const headers = {
    "Content-Type": "text/plain; charset=utf-8",
    "Retry-After": "2",
    "Cache-Control": "no-store",
  };
  return new Response(error.message, { status: error.status, headers });
}

/** How long a page waits for one read from the backend before it reports a failure. */
const READ_TIMEOUT_MS = 6_000;

/** Turns a request into a finished page: its whole body and matching headers. */
function pageRenderer(build: ServerBuild, mode: string, settings: Settings, backend: Backend): Renderer {
  // The router that the pages were made with: importing it here would give another copy in development.
  const { createRequestHandler, createRequestContexts } = build.entry.module as unknown as typeof EntryServer;
  const handle = createRequestHandler(build, mode);
  const createContext = createRequestContexts({
    backendUrl: backend.browserOrigin ?? "",
    publishableKey: backend.publishableKey,
    siteUrl: settings.siteUrl,
    paysOnline: paysOnline(settings, backend),
    fetch: (input, init) =>
      backend.fetch(withTimeout(new Request(input, init)), currentClientIp.getStore(), "page"),
    logError: log.error,
  });
  const policyFor = { backend: backend.browserOrigin, development: mode === "development" };
  return async (request, state) => {
    const response = await handle(request, createContext(state, currentPlace()));
    const headers = new Headers(response.headers);
    let body = response.body ? new Uint8Array(await response.arrayBuffer()) : null;
    if (body && response.status >= 500) body = withReference(body);
    if (body && headers.get("Content-Type")?.startsWith("text/html")) {
      const html = new TextDecoder().decode(body);
      headers.set("Content-Security-Policy", contentSecurityPolicy(html, policyFor));
    }
    return { status: response.status, headers, body };
  };
}

/** Puts the request's id on an error page, so that the owner can find its lines in the log when a customer calls. */
function withReference(page: Uint8Array): Uint8Array<ArrayBuffer> {
  const reference = `Reference: ${currentRequestId() ?? "none"}`;
  const html = new TextDecoder().decode(page).replace(/(?<=<p[^>]* id="error-reference"[^>]*>)/, reference);
  return new TextEncoder().encode(html);
}

function withTimeout(request: Request): Request {
  return new Request(request, {
    signal: AbortSignal.any([request.signal, AbortSignal.timeout(READ_TIMEOUT_MS)]),
  });
}

const VERSION_TIMEOUT_MS = 3_000;

async function readCatalogueVersion(backend: Backend): Promise<string> {
  const response = await backend.fetch(
    new Request(new URL("/rest/v1/rpc/catalogue_version", backend.browserOrigin ?? "http://backend"), {
      method: "POST",
      headers: { apikey: backend.publishableKey, "Content-Type": "application/json" },
      body: "{}",
      signal: AbortSignal.timeout(VERSION_TIMEOUT_MS),
    }),
  );
  if (!response.ok) throw new Error(`The backend answered ${response.status}`);
  return response.text();
}
