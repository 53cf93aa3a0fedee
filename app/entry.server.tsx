import { AsyncLocalStorage } from "node:async_hooks";
import {
  createStaticHandler,
  type EntryContext,
  isRouteErrorResponse,
  type LoaderFunctionArgs,
  type RouteObject,
  type RouterContextProvider,
  type ServerBuild,
  ServerRouter,
} from "react-router";
import { markedPage } from "#app/features/site/frame-part.tsx";
import type { ShownShop } from "#shared/owner/shown-shop.ts";
import { createAnonymousBackend } from "./lib/backend/client.ts";
import { createCatalogueCache } from "./lib/pages/catalogue-cache.ts";
import { compactData } from "./lib/pages/compact-data.ts";
import { currentShop, provideShop } from "./lib/pages/current-shop.ts";
import { cutDocument, setScriptsAside } from "./lib/pages/late-scripts.ts";
import { logText } from "./lib/pages/log-text.ts";
import { createMissingPages } from "./lib/pages/missing-pages.ts";
import { renderDocument } from "./lib/pages/render-document.ts";
import { createPageContext, type PageContext, pageContext } from "./lib/pages/request-context.ts";
import { createSharedParts, SharedParts } from "./lib/pages/shared-parts.ts";

export { createRequestHandler } from "react-router";

/** Whether an address has a page of its own, found or not: all others show the page of the route `*`. */
export function createAddressCheck({ routes }: ServerBuild): (pathname: string) => boolean {
  const all = Object.values(routes).filter((route) => route !== undefined);
  const below = (parent?: string): RouteObject[] =>
    all
      .filter(({ parentId }) => parentId === parent)
      .map(({ id, path, index }) =>
        index ? { id, path, index } : { id, path, children: below(id) },
      ) as RouteObject[];
  // It ranks the routes once; 'matchRoutes' would do so for each address.
  const { match } = createStaticHandler(below());
  return (pathname) => match(pathname)?.at(-1)?.route.path !== "*";
}

const documents = new WeakMap<Response, Buffer<ArrayBuffer>>();

/** The HTML of a response from here, without the cost of a stream; undefined for any other response. */
export const documentOf = (response: Response): Buffer<ArrayBuffer> | undefined => documents.get(response);

const startPage = createSharedParts();
const missingPages = createMissingPages();

/** On each link, for a mode of the router that the shop doesn't use (react-router.config.ts). */
const DISCOVERED = ' data-discover="true"';

const shownShop = new AsyncLocalStorage<ShownShop>();
provideShop(() => {
  const shown = shownShop.getStore();
  if (!shown) throw new Error("No page is being rendered");
  return shown;
});

/** Runs a request's handler, whose page shows these values of the shop's settings. */
export const showingShop = <T,>(shown: ShownShop, handle: () => T): T => shownShop.run(shown, handle);

/** What a page's header and footer depend on, besides what is in its data. */
const frames = new WeakMap<RouterContextProvider, string>();
/** As long as a finished page is cached (page-cache.ts): a change may be committed between two reads. */
const FRAME_MS = 30_000;

/**
 * Renders the whole document before anything is sent, because the content security policy header has a hash of each
 * inline script in it.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  loadContext: RouterContextProvider,
): Promise<Response> {
  headers.set("Content-Type", "text/html; charset=utf-8");
  // The router drops a loader's headers, and crawlers and proxies should know when a failed page is worth a retry.
  for (const loaderHeaders of Object.values(routerContext.staticHandlerContext.loaderHeaders)) {
    const retryAfter = loaderHeaders.get("Retry-After");
    if (retryAfter) headers.set("Retry-After", retryAfter);
  }
  if (request.method === "HEAD") return new Response(null, { status, headers });
  await loadContext.get(pageContext).nextTurn();
  const frame = (import.meta.env.PROD && frames.get(loadContext)) || null;
  const missing = status === 404 && frame ? missingPage(request, routerContext, frame) : null;
  const cached = missing && missingPages.find(missing.key);
  if (cached) {
    if (cached.link) headers.set("Link", cached.link);
    const response = new Response(null, { status, headers });
    documents.set(response, cached.bytes);
    return response;
  }
  const router = <ServerRouter context={routerContext} url={request.url} />;
  const { find, fill } = startPage();
  const parts = import.meta.env.PROD ? { find, frame } : null;
  const html = await renderDocument(<SharedParts value={parts}>{router}</SharedParts>);
  const { head, body, scripts } = cutDocument(html);
  announceStyles(head, headers);
  const response = new Response(null, { status, headers });
  if (import.meta.env.PROD) {
    const late = setScriptsAside(head, compactData(scripts, routerContext.staticHandlerContext));
    const bytes = toBytes([late.head, ...fill(body.replaceAll(DISCOVERED, "")), late.scripts]);
    documents.set(response, bytes);
    if (missing) missingPages.store(missing.key, { bytes, link: headers.get("Link") }, missing.addressParts);
  } else documents.set(response, toBytes([html]));
  return response;
}

/** The key of a 404 page in the cache, and the parameters in its address; null if it depends on more of the address. */
function missingPage(
  { url }: Request,
  { staticHandlerContext: { matches, loaderData, errors } }: EntryContext,
  frame: string,
): { key: string; addressParts: string[] } | null {
  const { pathname, search } = new URL(url);
  const { params = {} } = matches.at(-1) ?? {};
  // Menus may mark the address as that of the current page.
  if (search || errors || markedPage(pathname, params) !== "") return null;
  const routes = matches.map(({ route }) => route.id);
  return {
    key: JSON.stringify([frame, routes, loaderData, currentShop()]),
    addressParts: Object.values(params).filter((text) => text !== undefined),
  };
}

/** One copy of the whole page, because each takes longer than what is changed in it. */
function toBytes(pieces: string[]): Buffer<ArrayBuffer> {
  const bytes = Buffer.allocUnsafeSlow(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) at += bytes.write(piece, at, "latin1");
  return bytes;
}

/**
 * Names the style sheets in a header, which arrives before the HTML: their connection is opened first, and on a slow line they
 * are ahead of the display font and the first picture.
 */
function announceStyles(head: string, headers: Headers): void {
  for (const [, path] of head.matchAll(/<link rel="stylesheet" href="([^"#]+)/g))
    headers.append("Link", `<${path}>; rel=preload; as=style`);
}

/** Logs one line without the request's values; the customer sees the error boundary's page. */
export function handleError(error: unknown, { request, context }: LoaderFunctionArgs): void {
  if (request.signal.aborted || (isRouteErrorResponse(error) && error.status < 500)) return;
  const cause = error instanceof Error ? `${error.name}: ${error.message}` : "an unknown cause";
  context
    .get(pageContext)
    .logError(`Page ${logText(new URL(request.url).pathname)} failed: ${logText(cause)}`);
}

export type PageSettings = {
  /** Empty for the embedded backend, which is at the page's own origin. */
  backendUrl: string;
  publishableKey: string;
  siteUrl: string;
  paysOnline: boolean;
  fetch: typeof globalThis.fetch;
  nextTurn: PageContext["nextTurn"];
  logError: PageContext["logError"];
};

/**
 * The server calls the returned function for each request, with the current state of the catalogue (null: unknown), the
 * client, and what counts searches. The backend client and the cache are created once.
 */
export function createRequestContexts(settings: PageSettings) {
  const { backendUrl, publishableKey, siteUrl, paysOnline, fetch, nextTurn, logError } = settings;
  const backend = createAnonymousBackend(backendUrl || siteUrl, publishableKey, fetch);
  const cache = createCatalogueCache();
  return (state: string | null, client: string, noteUnmet: PageContext["noteUnmet"]) => {
    const cached = cache(state, client);
    const context = createPageContext({
      backend,
      backendUrl,
      publishableKey,
      siteUrl,
      paysOnline,
      nextTurn,
      logError,
      noteUnmet,
      cached,
    });
    if (state !== null) frames.set(context, `${state} ${Math.floor(Date.now() / FRAME_MS)}`);
    return context;
  };
}
