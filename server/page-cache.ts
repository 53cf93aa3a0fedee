import { countPage } from "./metrics.ts";
import { createPageForms, type PageForm, type StoredPage, toResponse } from "./page-forms.ts";

type PageCacheOptions = {
  /** Makes the page for a state of the catalogue; null when the state is not known. */
  render: (request: Request, state: string | null) => Promise<StoredPage>;
  /** Changes whenever the books shown on pages change; throws when the backend does not respond. */
  catalogueVersion: () => Promise<string>;
  /** Runs a rendering when it is this visitor's turn; throws when they request too much. */
  inTurn?: <T>(work: () => Promise<T>, signal: AbortSignal) => Promise<T>;
  /** Headers of every page. */
  headers?: [name: string, value: string][];
  now?: () => number;
};

export type PageCache = {
  /** The page, rendered if it is not cached. */
  answer: (request: Request) => Promise<Response>;
  /**
   * A cached page in the form that a browser accepts, without waiting for anything; null when `answer` has to be
   * called.
   * @param url path and query, as in the request line
   */
  kept: (url: string, acceptEncoding: string, ifNoneMatch: string | undefined) => PageForm | null;
};

type Forms = ReturnType<typeof createPageForms>;
type Entry = { version: string | null; storedAt: number; forms: Forms; bytes: number; keepable: boolean };
type Reading = { value: Promise<string | null>; readAt: number };
/** A rendering that several visitors may be waiting for. */
type Rendering = { page: Promise<Entry>; waiting: number; abandoned: AbortController };

const MAX_ENTRIES = 400;
/**
 * The total size of cached pages, uncompressed: the sitemap alone may have several megabytes, once for each query
 * that someone appends.
 */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_KEY_LENGTH = 600;
/** How long one reading of the catalogue's version is used: a burst of visitors causes one request. */
const VERSION_MS = 1_000;
/** Refreshed in the background from this age on while pages are requested, so that no visitor waits for it. */
const VERSION_AGES_MS = 500;
/** How long a request waits for the catalogue's version before it proceeds without it. */
const VERSION_TIMEOUT_MS = 1_000;
/** A change committed between two readings can leave a page one state behind, but no longer than this. */
const PAGE_MS = 30_000;
/** While the backend does not report the version, the last known page is better than none, up to this age. */
const STALE_MS = 600_000;

/**
 * Caches finished pages, compressed, until the catalogue changes. Pages do not depend on the visitor (no cookie, no
 * session), so one copy serves everyone; failures and other methods are never cached.
 */
export function createPageCache({
  render,
  catalogueVersion,
  inTurn = (work) => work(),
  headers = [],
  now = Date.now,
}: PageCacheOptions): PageCache {
  const entries = new Map<string, Entry>();
  const renderings = new Map<string, Rendering>();
  let keptBytes = 0;
  const version = createVersion(catalogueVersion, now);

  /** Marks an entry as used: many different searches must not evict the pages that all visitors open. */
  function use(key: string, entry: Entry): Entry {
    countPage("hit");
    entries.delete(key);
    entries.set(key, entry);
    return entry;
  }

  const isCurrent = (entry: Entry, state: string) =>
    entry.version === state && now() - entry.storedAt < PAGE_MS;

  function find(key: string, state: string | null): Entry | null {
    const entry = entries.get(key);
    if (!entry) return null;
    const serves = state === null ? now() - entry.storedAt < STALE_MS : isCurrent(entry, state);
    return serves ? use(key, entry) : null;
  }

  function drop(key: string): void {
    keptBytes -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
  }

  function keep(key: string, entry: Entry): void {
    drop(key);
    if (!entry.keepable || entry.version === null || entry.bytes > MAX_BYTES) return;
    entries.set(key, entry);
    keptBytes += entry.bytes;
    for (const oldest of entries.keys()) {
      if (entries.size <= MAX_ENTRIES && keptBytes <= MAX_BYTES) break;
      drop(oldest);
    }
  }

  async function renderEntry(request: Request, state: string | null): Promise<Entry> {
    countPage("miss");
    const page = await render(request, state);
    const keepable = page.status === 200 && page.body !== null && !page.headers.has("Set-Cookie");
    const bytes = page.body?.byteLength ?? 0;
    return { version: state, storedAt: now(), forms: createPageForms(page, headers), bytes, keepable };
  }

  /** One rendering per page and state, however many wait for it; it is aborted once all of them have disconnected. */
  function renderOnce(key: string, state: string | null, request: Request): Promise<Entry> {
    const name = renderingName(key, state);
    let rendering = renderings.get(name);
    if (rendering) countPage("hit");
    else {
      const abandoned = new AbortController();
      const page = renderEntry(new Request(request, { signal: abandoned.signal }), state);
      rendering = { page, waiting: 0, abandoned };
      renderings.set(name, rendering);
      const isOver = () => {
        if (renderings.get(name)?.page === page) renderings.delete(name);
      };
      page
        .then(
          (entry) => keep(key, entry),
          () => {},
        )
        .finally(isOver);
    }
    const joined = rendering;
    joined.waiting += 1;
    request.signal.addEventListener(
      "abort",
      () => {
        joined.waiting -= 1;
        if (joined.waiting > 0) return;
        renderings.delete(name);
        joined.abandoned.abort();
      },
      { once: true },
    );
    return joined.page;
  }

  async function findOrRender(request: Request): Promise<Entry> {
    const url = new URL(request.url);
    const key = url.pathname + url.search;
    if (request.method !== "GET" || key.length > MAX_KEY_LENGTH)
      return inTurn(() => renderEntry(request, null), request.signal);
    const state = await version.current();
    const found = find(key, state);
    if (found) return found;
    // Waiting for a rendering under way costs nothing, whoever started it.
    if (renderings.has(renderingName(key, state))) return renderOnce(key, state, request);
    // By the time it is this visitor's turn, another one may have had it rendered.
    return inTurn(async () => (state && find(key, state)) || renderOnce(key, state, request), request.signal);
  }

  return {
    answer: async (request) => {
      const { forms } = await findOrRender(request);
      const form = await forms.make(
        request.method,
        request.headers.get("Accept-Encoding") ?? "",
        request.headers.get("If-None-Match") ?? undefined,
      );
      return toResponse(form);
    },
    kept: (url, acceptEncoding, ifNoneMatch) => {
      const entry = entries.get(url);
      const state = entry && version.known();
      if (!entry || !state || !isCurrent(entry, state)) return null;
      const form = entry.forms.made(acceptEncoding, ifNoneMatch);
      if (form) use(url, entry);
      return form;
    },
  };
}

const renderingName = (key: string, state: string | null) => `${state} ${key}`;

/** The catalogue's version, at most a second old. */
function createVersion(catalogueVersion: () => Promise<string>, now: () => number) {
  let reading: Reading | null = null;
  let known: { value: string; readAt: number } | null = null;
  let isSilent = false;

  function read(): Reading {
    const begun: Reading = { value: catalogueVersion().catch(() => null), readAt: now() };
    reading = begun;
    void begun.value.then((found) => {
      isSilent = found === null;
      if (found === null) {
        if (reading === begun) reading = null;
      } else if (!known || known.readAt <= begun.readAt) known = { value: found, readAt: begun.readAt };
    });
    return begun;
  }

  return {
    /** Null when it is not known in time; a backend that did not respond before is not waited for. */
    async current(): Promise<string | null> {
      const { value } = reading && now() - reading.readAt <= VERSION_MS ? reading : read();
      let timer: NodeJS.Timeout | undefined;
      const tooLate = new Promise<null>((resolve) => {
        timer = setTimeout(resolve, isSilent ? 0 : VERSION_TIMEOUT_MS, null).unref();
      });
      return Promise.race([value, tooLate]).finally(() => clearTimeout(timer));
    },
    /** Null when getting it would mean waiting. */
    known(): string | null {
      if (!known) return null;
      const age = now() - known.readAt;
      if (age > VERSION_MS) return null;
      if (age > VERSION_AGES_MS && (!reading || reading.readAt === known.readAt)) read();
      return known.value;
    },
  };
}
