import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { renderToPipeableStream } from "react-dom/server";
import { type EntryContext, ServerRouter } from "react-router";
import { createAnonymousBackend } from "./lib/backend-client.ts";
import { createCatalogueMemory } from "./lib/catalogue-memory.ts";
import { createPageContext } from "./lib/request-context.ts";

export { createRequestHandler } from "react-router";

/**
 * Renders a document to its end before anything is sent, because the content security policy in the header
 * carries a hash of each inline script in it.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
): Promise<Response> {
  headers.set("Content-Type", "text/html; charset=utf-8");
  if (request.method === "HEAD") return new Response(null, { status, headers });
  const html = await new Promise<string>((resolve, reject) => {
    const { pipe } = renderToPipeableStream(<ServerRouter context={routerContext} url={request.url} />, {
      // Finished boundaries stay where they are in the page instead of being moved there by a script.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onAllReady: () => text(pipe(new PassThrough())).then(resolve, reject),
      onShellError: reject,
      onError: (error) => reject(error),
    });
  });
  return new Response(scriptsAfterPaint(html), { status, headers });
}

/**
 * A page is readable before its scripts run: on a slow line they must not share it with the style sheet, the display
 * face and the first picture. The router offers no setting for the priority of what it announces.
 */
function scriptsAfterPaint(html: string): string {
  return html.replaceAll('<link rel="modulepreload" ', '<link rel="modulepreload" fetchpriority="low" ');
}

/** One line without the request's values; the customer sees the page of the error boundary. */
export function handleError(error: unknown, { request }: { request: Request }): void {
  if (request.signal.aborted) return;
  const cause = error instanceof Error ? `${error.name}: ${error.message}` : "an unknown cause";
  console.error(`Page ${new URL(request.url).pathname} failed: ${cause}`);
}

export type PageSettings = {
  backendUrl: string;
  publishableKey: string;
  siteUrl: string;
  fetch: typeof globalThis.fetch;
};

/**
 * What the server calls for each request, with the state of the catalogue that the answer is for (null: unknown).
 * The client and the memory are made once.
 */
export function createRequestContexts(settings: PageSettings) {
  const { backendUrl, publishableKey, siteUrl, fetch } = settings;
  const backend = createAnonymousBackend(backendUrl, publishableKey, fetch);
  const memory = createCatalogueMemory();
  return (state: string | null) =>
    createPageContext({ backend, backendUrl, publishableKey, siteUrl, remember: memory(state) });
}
