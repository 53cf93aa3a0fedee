import { CACHES, FALLBACK_PATH } from "./stored.ts";

/** How many of the last visited pages are stored. */
const MAX_PAGES = 40;
/** About twice the number of files of one release for visitors and customers. */
const MAX_FILES = 250;
const MAX_PAGE_CHARACTERS = 1_000_000;

const FILE_PATHS = /\/(?:assets|fonts)\/[\w./-]+\.\w+/g;

/** Stores a page's HTML with the time, so that the page can show how old it is. */
export async function cachePage(url: string, response: Response): Promise<void> {
  const { pathname, search } = new URL(url);
  const isPage = response.headers.get("Content-Type")?.startsWith("text/html");
  if (response.status !== 200 || response.redirected || !isPage) return;
  const html = await response.text();
  if (html.length > MAX_PAGE_CHARACTERS) return;
  const cache = await caches.open(CACHES.pages);
  await putLast(cache, pathname + search, marked(html, response.headers));
  const stored = await cache.keys();
  for (const oldest of stored.slice(0, -MAX_PAGES)) await cache.delete(oldest);
  await dropFiles();
}

/** Stores the fallback page, and all that it needs. @throws when it cannot be fetched */
export async function cacheFallback(): Promise<void> {
  const response = await fetch(FALLBACK_PATH, { cache: "no-cache" });
  if (!response.ok) throw new Error(`${FALLBACK_PATH} answered ${response.status}`);
  const html = await response.text();
  await cacheFiles(filesOf(html));
  await (await caches.open(CACHES.fallback)).put(FALLBACK_PATH, marked(html, response.headers));
}

/** Stores missing files, most of which are in the browser's HTTP cache. @throws when one cannot be fetched */
export async function cacheFiles(paths: string[]): Promise<void> {
  const cache = await caches.open(CACHES.files);
  for (const path of paths) if (!(await cache.match(path))) await cache.add(path);
}

/** Moves an entry to the end: the cache's order is its age. */
export async function putLast(cache: Cache, key: string | Request, response: Response): Promise<void> {
  await cache.delete(key);
  await cache.put(key, response);
}

function marked(html: string, headers: Headers): Response {
  const copied = new Headers(headers);
  // So that they match what came from the network.
  for (const name of ["Content-Encoding", "Content-Length", "ETag"]) copied.delete(name);
  const now = new Date().toISOString();
  return new Response(html.replace("<html", `<html data-stored="${now}"`), { headers: copied });
}

const filesOf = (html: string) => [...new Set(html.match(FILE_PATHS) ?? [])];

/**
 * Once there are too many files, those that no stored page uses are deleted: they belong to earlier releases, or can
 * be fetched again.
 */
async function dropFiles(): Promise<void> {
  const cache = await caches.open(CACHES.files);
  const files = await cache.keys();
  if (files.length <= MAX_FILES) return;
  const requested = new Set<string>();
  for (const name of [CACHES.pages, CACHES.fallback])
    for (const page of await (await caches.open(name)).matchAll())
      for (const path of filesOf(await page.text())) requested.add(path);
  for (const file of files) if (!requested.has(new URL(file.url).pathname)) await cache.delete(file);
}
