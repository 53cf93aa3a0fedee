/**
 * The shop's service worker, built into /service-worker.js (decision 36). Pages are network-first: a stored copy is shown only when no
 * response arrives. Files whose names change with their content are cache-first.
 */
import { asNewDocument, pageOfData } from "#shared/calls/router-data.ts";
import { cacheFallback, cacheFiles, cachePage, putLast } from "./cached-pages.ts";
import { CACHES, FALLBACK_PATH, isStorable, type Visit } from "./stored.ts";
import type { FetchEvent, WorkerScope } from "./worker-scope.ts";

declare const self: WorkerScope;

const MAX_PICTURES = 150;

const FILES = /^\/(?:assets|fonts)\//;
/** Our own drawings, and covers that staff uploaded: their content never changes under the same name. */
const PICTURES = /^\/(?:pictures\/|covers\/|storage\/v1\/object\/public\/)/;

self.addEventListener("install", (event) => {
  event.waitUntil(cacheFallback().then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const known: string[] = Object.values(CACHES);
  const dropUnknown = async () => {
    for (const name of await caches.keys()) if (!known.includes(name)) await caches.delete(name);
  };
  event.waitUntil(dropUnknown().then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  // A file of any size: the browser's own downloads continue it.
  if (pathname.startsWith("/downloads/")) return;
  if (request.mode === "navigate") event.respondWith(answerPage(event));
  else if (FILES.test(pathname)) event.respondWith(answerFile(event));
  else if (PICTURES.test(pathname)) event.respondWith(answerPicture(event));
  else if (pathname.endsWith(".data")) event.respondWith(answerData(request));
});

self.addEventListener("message", (event) => {
  const { page, files } = event.data as Visit;
  // Without a connection nothing can be stored, and nothing needs to be.
  event.waitUntil(Promise.allSettled([cacheFiles(files), page && fetchPage(page)]));
});

async function fetchPage(page: string): Promise<void> {
  const url = new URL(page, self.location.origin).href;
  await cachePage(url, await fetch(url, { priority: "low" }));
}

async function answerPage(event: FetchEvent): Promise<Response> {
  const { request } = event;
  const { pathname, search } = new URL(request.url);
  try {
    const response = await fetch(request);
    if (isStorable(pathname)) event.waitUntil(cachePage(request.url, response.clone()));
    return response;
  } catch {
    const stored = await storedPage(pathname + search);
    if (stored) return stored;
    const fallback = pathname === FALLBACK_PATH && (await caches.match(FALLBACK_PATH));
    return fallback || Response.redirect(`${FALLBACK_PATH}#${pathname}${search}`);
  }
}

/** The router asks for the data of a page. If the page is stored, the router is told to open it as a document. */
async function answerData(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const page = pageOfData(new URL(request.url));
    if (page === null || !(await storedPage(page))) throw error;
    return new Response(null, { status: 204, headers: asNewDocument(page) });
  }
}

async function storedPage(path: string): Promise<Response | undefined> {
  return (await caches.open(CACHES.pages)).match(path);
}

async function answerFile(event: FetchEvent): Promise<Response> {
  const cache = await caches.open(CACHES.files);
  const stored = await cache.match(event.request);
  if (stored) return stored;
  const response = await fetch(event.request);
  if (response.ok) event.waitUntil(cache.put(event.request, response.clone()));
  return response;
}

async function answerPicture(event: FetchEvent): Promise<Response> {
  const cache = await caches.open(CACHES.pictures);
  const stored = await cache.match(event.request);
  if (stored) return stored;
  const response = await fetch(event.request);
  if (response.status === 200) event.waitUntil(keepPicture(cache, event.request, response.clone()));
  return response;
}

async function keepPicture(cache: Cache, request: Request, response: Response): Promise<void> {
  await putLast(cache, request, response);
  const stored = await cache.keys();
  for (const oldest of stored.slice(0, -MAX_PICTURES)) await cache.delete(oldest);
}
