import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { join } from "node:path";
import type { ServerBuild } from "react-router";
import type * as EntryServer from "#app/entry.server.tsx";
import type { Backend } from "./backend.ts";
import { contentSecurityPolicy } from "./content-security-policy.ts";
import { createPageCache, type StoredPage } from "./page-cache.ts";
import type { Settings } from "./settings.ts";

export type PageHandler = (request: Request) => Promise<Response>;

export type PageSource = {
  pages: PageHandler;
  /** Sees each request before the site does, and hands on what it does not answer itself. */
  before: (request: IncomingMessage, response: ServerResponse, next: () => void) => void;
};

const buildFile = join(import.meta.dirname, "../build/server/index.js");

/** The pages of the finished build, kept per state of the catalogue. */
export async function servedFromBuild(settings: Settings, backend: Backend): Promise<PageSource> {
  const build: ServerBuild = await import(buildFile);
  const render = pageRenderer(build, "production", settings, backend);
  const pages = createPageCache({ render, catalogueVersion: () => readCatalogueVersion(backend) });
  return { pages, before: (_request, _response, next) => next() };
}

/** The pages straight from their sources, with module reloading; nothing is kept. */
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
  const pages: PageHandler = async (request) => {
    const build = (await vite.ssrLoadModule("virtual:react-router/server-build")) as ServerBuild;
    const { status, headers, body } = await pageRenderer(
      build,
      "development",
      settings,
      backend,
    )(request, null);
    return new Response(body as Uint8Array<ArrayBuffer> | null, { status, headers });
  };
  return { pages, before: vite.middlewares };
}

/** Turns a request into a finished page: its whole body beside the headers that fit it. */
function pageRenderer(build: ServerBuild, mode: string, settings: Settings, backend: Backend) {
  // The router that the pages were made with: one imported here would be another copy while developing.
  const { createRequestHandler, createRequestContexts } = build.entry.module as unknown as typeof EntryServer;
  const handle = createRequestHandler(build, mode);
  const createContext = createRequestContexts({
    backendUrl: backend.browserUrl,
    publishableKey: backend.publishableKey,
    siteUrl: settings.siteUrl,
    fetch: (input, init) => backend.fetch(new Request(input, init)),
  });
  const foreign = new URL(backend.browserUrl).origin;
  const policyFor = {
    backend: foreign === new URL(settings.siteUrl).origin ? null : foreign,
    development: mode === "development",
  };
  return async (request: Request, state: string | null): Promise<StoredPage> => {
    const response = await handle(request, createContext(state));
    const headers = new Headers(response.headers);
    const body = response.body ? new Uint8Array(await response.arrayBuffer()) : null;
    if (body && headers.get("Content-Type")?.startsWith("text/html")) {
      const html = new TextDecoder().decode(body);
      headers.set("Content-Security-Policy", contentSecurityPolicy(html, policyFor));
    }
    return { status: response.status, headers, body };
  };
}

/** A page is made without knowing the version rather than wait for it. */
const versionPatienceMs = 3_000;

async function readCatalogueVersion(backend: Backend): Promise<string> {
  const response = await backend.fetch(
    new Request(`${backend.browserUrl}/rest/v1/rpc/catalogue_version`, {
      method: "POST",
      headers: { apikey: backend.publishableKey, "Content-Type": "application/json" },
      body: "{}",
      signal: AbortSignal.timeout(versionPatienceMs),
    }),
  );
  if (!response.ok) throw new Error(`The backend answered ${response.status}`);
  return response.text();
}
