import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { join } from "node:path";
import type { ServerBuild } from "react-router";
import type * as EntryServer from "#app/entry.server.tsx";
import { asNewDocument, pageOfData } from "#shared/calls/router-data.ts";
import { CAMERA_PAGE } from "#shared/shop/camera-page.ts";
import type { Backend } from "../api/backend.ts";
import { ConcurrencyLimit } from "../lib/concurrency-limit.ts";
import { log } from "../lib/log.ts";
import { nextTurn } from "../lib/loop-turns.ts";
import { networkOf } from "../lib/network.ts";
import { Refusal } from "../lib/refusal.ts";
import { currentRequestId } from "../lib/request-id.ts";
import type { Settings } from "../lib/settings.ts";
import { paysOnline } from "../payments/payments.ts";
import { readAsVisitor, readShopAsVisitor } from "./call-as-visitor.ts";
import { contentSecurityPolicy } from "./content-security-policy.ts";
import { showRenderings } from "./metrics.ts";
import { createPageCache, type PageCache } from "./page-cache.ts";
import type { StoredPage, UnmetSearch } from "./page-forms.ts";
import { everyPageHeaders, permissionsPolicy } from "./secure-headers.ts";
import { createShownShop } from "./shown-shop.ts";
import { noteShown } from "./unmet-searches.ts";

/** @param clientIp the browser's address; rendering is limited per client */
export type PageHandler = (request: Request, clientIp: string) => Promise<Response>;

/** Renders the page for a state of the catalogue; null when the state is unknown. */
type Renderer = (request: Request, state: string | null) => Promise<StoredPage>;

type PageSource = {
  pages: PageHandler;
  /** Names the build; null in development. */
  release: string | null;
  /** Looks up a cached page without waiting for anything. */
  cached: PageCache["cached"];
  /** Middleware that sees each request before the site does. */
  before: (request: IncomingMessage, response: ServerResponse, next: () => void) => void;
};

/** The address of the browser for which this code renders a page, and when the page's reads time out. */
const currentVisit = new AsyncLocalStorage<{ clientIp: string; deadline: AbortSignal }>();

const currentClientIp = () => currentVisit.getStore()?.clientIp;

function currentNetwork(): string {
  const clientIp = currentClientIp() ?? "";
  return networkOf(clientIp) ?? clientIp;
}

/**
 * How long after its request a page's reads time out. The embedded backend may queue a read for 10 s and then run it
 * for 3 s. One deadline for all reads, from the request on: a page that has to wait for its turn, and then for one
 * read after the other, would otherwise fail only after half a minute.
 */
const READ_TIMEOUT_MS = { embedded: 13_500, hosted: 6_000 };

function visit<T>(clientIp: string, { kind }: Backend, respond: () => Promise<T>): Promise<T> {
  return currentVisit.run({ clientIp, deadline: AbortSignal.timeout(READ_TIMEOUT_MS[kind]) }, respond);
}

const buildFile = join(import.meta.dirname, "../../build/server/index.js");

/** The pages of the finished build, cached per state of the catalogue. */
export async function servedFromBuild(settings: Settings, backend: Backend): Promise<PageSource> {
  const build: ServerBuild = await import(buildFile);
  const shownShop = createShownShop(() => readShopAsVisitor(backend));
  // Before the first page, which would otherwise have to show the first values while the backend is slow.
  await shownShop(null);
  const { respond, cached } = createPageCache({
    render: pageRenderer({ build, mode: "production", settings, backend, shownShop }),
    catalogueVersion: () => readCatalogueVersion(backend),
    inTurn: createPageLimit(),
    isKnown: knownAddresses(build),
    onUnmet: (search, { headers }) =>
      noteShown(backend, search, currentClientIp() ?? "", (name) => headers.get(name)),
    headers: everyPageHeaders(settings),
  });
  const pages: PageHandler = (request, clientIp) =>
    visit(clientIp, backend, () => respond(request).catch((error) => toRefusal(error, request)));
  const release = build.assets.version;
  return { pages, release, cached, before: (_request, _response, next) => next() };
}

/** The router's data of a page is at an address of its own, which no route names. */
function knownAddresses(build: ServerBuild): (url: URL) => boolean {
  const { createAddressCheck } = build.entry.module as unknown as typeof EntryServer;
  const isKnown = createAddressCheck(build);
  return (url) => pageOfData(url) !== null || isKnown(url.pathname);
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
  const shownShop = createShownShop(() => readShopAsVisitor(backend));
  const pages: PageHandler = async (request, clientIp) => {
    const build = (await vite.ssrLoadModule("virtual:react-router/server-build")) as ServerBuild;
    const render = pageRenderer({ build, mode: "development", settings, backend, shownShop });
    const { status, headers, body } = await visit(clientIp, backend, () => render(request, null));
    return new Response(body as Uint8Array<ArrayBuffer> | null, { status, headers });
  };
  return { pages, release: null, cached: () => null, before: vite.middlewares };
}

/**
 * How many pages a process renders at a time. They share one thread, so more would make all of them slower, and a page
 * is no longer refused once its rendering has started.
 */
const MAX_PAGES = 8;

/** Limits concurrent renderings, so that a client that requests hundreds of pages delays only itself. */
function createPageLimit() {
  const limit = new ConcurrencyLimit({ running: MAX_PAGES, each: 2 });
  showRenderings(() => limit.metrics().page);
  return <T>(work: () => Promise<T>, signal: AbortSignal) =>
    limit.run({ kind: "page", key: currentNetwork() }, work, signal);
}

const RETRY_SECONDS = 3;

/**
 * A short text, because rendering an error page would cost as much as rendering the page. The browser reloads it
 * automatically. A request for a page's data gets a redirect instead, which opens the page as a new document.
 */
export function toRefusal(error: unknown, { url }: { url: string }): Response {
  if (!(error instanceof Refusal)) throw error;
  const page = pageOfData(new URL(url));
  if (page !== null) return new Response(null, { status: 204, headers: asNewDocument(page) });
  const headers = {
    "Content-Type": "text/plain; charset=utf-8",
    "Retry-After": String(RETRY_SECONDS),
    Refresh: String(RETRY_SECONDS),
    "Cache-Control": "no-store",
  };
  return new Response(error.message, { status: error.status, headers });
}

/** Turns a request into a finished page: its whole body and matching headers. */
type RendererParts = {
  build: ServerBuild;
  mode: "production" | "development";
  settings: Settings;
  backend: Backend;
  shownShop: ReturnType<typeof createShownShop>;
};

function pageRenderer({ build, mode, settings, backend, shownShop }: RendererParts): Renderer {
  // The router from the build: importing it here would load a second copy in development.
  const { createRequestHandler, createRequestContexts, documentOf, showingShop } = build.entry
    .module as unknown as typeof EntryServer;
  const handle = createRequestHandler(build, mode);
  const createContext = createRequestContexts({
    backendUrl: backend.browserOrigin ?? "",
    publishableKey: backend.publishableKey,
    siteUrl: settings.siteUrl,
    paysOnline: paysOnline(settings, backend),
    fetch: (input, init) => backend.fetch(requestWithDeadline(input, init), currentClientIp(), "page"),
    nextTurn,
    logError: log.error,
  });
  const policyFor = { backend: backend.browserOrigin, development: mode === "development" };
  return async (request, state) => {
    const shown = await shownShop(state);
    await nextTurn();
    let unmet: UnmetSearch | null = null;
    const context = createContext(state, currentNetwork(), (text, found) => {
      unmet = { text, found };
    });
    const response = await showingShop(shown, () => handle(request, context));
    const headers = new Headers(response.headers);
    const { pathname } = new URL(request.url);
    headers.set("Permissions-Policy", permissionsPolicy(pathname));
    if (response.status === 503 && !headers.has("Retry-After"))
      headers.set("Retry-After", String(RETRY_SECONDS));
    const html = documentOf(response);
    if (!html) {
      const body = response.body ? new Uint8Array(await response.arrayBuffer()) : null;
      return { status: response.status, headers, body, unmet };
    }
    headers.set(
      "Content-Security-Policy",
      contentSecurityPolicy(html, { ...policyFor, allowsWasm: pathname === CAMERA_PAGE }),
    );
    const body = response.status >= 500 ? withReference(html) : html;
    return { status: response.status, headers, body, unmet };
  };
}

/** Puts the request's id on an error page, so that the owner can find its lines in the log when a customer calls. */
function withReference(html: Buffer): Buffer {
  const reference = `Reference: ${currentRequestId() ?? "none"}`;
  return Buffer.from(html.toString().replace(/(?<=<p[^>]* id="error-reference"[^>]*>)/, reference));
}

function requestWithDeadline(input: RequestInfo | URL, init: RequestInit | undefined): Request {
  const own = init?.signal ?? (input instanceof Request ? input.signal : null);
  const signals = [own, currentVisit.getStore()?.deadline].filter((signal) => signal instanceof AbortSignal);
  return new Request(input, { ...init, signal: AbortSignal.any(signals) });
}

const readCatalogueVersion = (backend: Backend) => readAsVisitor(backend, "catalogue_version");
