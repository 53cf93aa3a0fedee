import { countPage } from "./metrics.ts";
import {
  createPageForms,
  type PageForm,
  type StoredPage,
  toResponse,
  type UnmetSearch,
} from "./page-forms.ts";

type PageCacheOptions = {
  /** Renders the page for a state of the catalogue; null when the state is unknown. */
  render: (request: Request, state: string | null) => Promise<StoredPage>;
  /** Changes whenever the books shown on pages change; throws when the backend does not respond. */
  catalogueVersion: () => Promise<string>;
  /** Runs a rendering when it is this visitor's turn; throws when they send too many requests. */
  inTurn?: <T>(work: () => Promise<T>, signal: AbortSignal) => Promise<T>;
  /** Whether a page exists at an address: all others show the same one, which is cached once. */
  isKnown?: (url: URL) => boolean;
  /** Called when `respond` shows a search that found little, cached or not. */
  onUnmet?: (search: UnmetSearch, request: Request) => void;
  /** Headers of every page. */
  headers?: [name: string, value: string][];
  maxBytes?: number;
  now?: () => number;
};

export type PageCache = {
  /** The page, rendered if it is not cached. */
  respond: (request: Request) => Promise<Response>;
  /**
   * A cached page in the form that a browser accepts, without waiting for anything; null when only `respond`
   * can make it.
   * @param url path and query, as in the request line
   */
  cached: (url: string, acceptEncoding: string, ifNoneMatch: string | undefined) => PageForm | null;
};

type Forms = ReturnType<typeof createPageForms>;
type Entry = { version: string | null; storedAt: number; forms: Forms; bytes: number; cacheable: boolean };
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
/** The key of the page at all addresses where there is none. */
const UNKNOWN = "unknown";
/** How long the catalogue's version is cached: a burst of visitors causes one request. */
const VERSION_MS = 1_000;
/** Refreshed in the background from this age on while pages are requested, so that no visitor waits for it. */
const VERSION_AGES_MS = 500;
/** How long a request waits for the catalogue's version before it proceeds without it. */
const VERSION_TIMEOUT_MS = 1_000;
/** A change committed between two reads can leave a page out of date, but no longer than this. */
const PAGE_MS = 30_000;
/** While the backend does not report the version, an older page is better than none, up to this age. */
const STALE_MS = 600_000;

/**
 * Caches finished pages, compressed, until the catalogue changes. Pages do not depend on the visitor (no cookie, no
 * session), so one copy serves everyone, also of the page at all addresses that no page has; failures and other methods are
 * never cached.
 */
export function createPageCache({
  render,
  catalogueVersion,
  inTurn = (work) => work(),
  isKnown = () => true,
  onUnmet,
  headers = [],
  maxBytes = MAX_BYTES,
  now = Date.now,
}: PageCacheOptions): PageCache {
  const entries = new Map<string, Entry>();
  const renderings = new Map<string, Rendering>();
  let cachedBytes = 0;
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
    cachedBytes -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
  }

  function store(key: string, entry: Entry): void {
    drop(key);
    if (!entry.cacheable || entry.version === null || entry.bytes > maxBytes) return;
    entries.set(key, entry);
    cachedBytes += entry.bytes;
    for (const oldest of entries.keys()) {
      if (entries.size <= MAX_ENTRIES && cachedBytes <= maxBytes) break;
      drop(oldest);
    }
  }

  async function renderEntry(request: Request, state: string | null, key: string | null): Promise<Entry> {
    countPage("miss");
    const page = await render(request, state);
    // A page of a book that doesn't exist is one of endlessly many, and would displace those that do.
    const isKept = page.status === 200 || (page.status === 404 && key === UNKNOWN);
    const cacheable = isKept && page.body !== null && !page.headers.has("Set-Cookie");
    const bytes = page.body?.byteLength ?? 0;
    return { version: state, storedAt: now(), forms: createPageForms(page, headers), bytes, cacheable };
  }

  /** One rendering per page and state, however many wait for it; it is aborted once all of them have disconnected. */
  function renderOnce(key: string, state: string | null, request: Request): Promise<Entry> {
    const name = renderingName(key, state);
    let rendering = renderings.get(name);
    if (rendering) countPage("hit");
    else {
      const abandoned = new AbortController();
      const page = renderEntry(new Request(request, { signal: abandoned.signal }), state, key);
      rendering = { page, waiting: 0, abandoned };
      renderings.set(name, rendering);
      const isOver = () => {
        if (renderings.get(name)?.page === page) renderings.delete(name);
      };
      page
        .then(
          (entry) => store(key, entry),
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
    const key = isKnown(url) ? url.pathname + url.search : UNKNOWN;
    if (request.method !== "GET" || key.length > MAX_KEY_LENGTH)
      return inTurn(() => renderEntry(request, null, null), request.signal);
    const state = await version.current();
    const found = find(key, state);
    if (found) return found;
    // Waiting for a rendering under way costs nothing, whoever started it.
    if (renderings.has(renderingName(key, state))) return renderOnce(key, state, request);
    // By the time it is this visitor's turn, another one may have had it rendered.
    return inTurn(async () => (state && find(key, state)) || renderOnce(key, state, request), request.signal);
  }

  return {
    respond: async (request) => {
      const { forms } = await findOrRender(request);
      const form = await forms.make(
        request.method,
        request.headers.get("Accept-Encoding") ?? "",
        request.headers.get("If-None-Match") ?? undefined,
      );
      if (form.unmet) onUnmet?.(form.unmet, request);
      return toResponse(form);
    },
    cached: (url, acceptEncoding, ifNoneMatch) => {
      const entry = entries.get(url);
      const state = entry && version.cached();
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
  let latest: { value: string; readAt: number } | null = null;
  let isSilent = false;

  function read(): Reading {
    const started: Reading = { value: catalogueVersion().catch(() => null), readAt: now() };
    reading = started;
    void started.value.then((found) => {
      isSilent = found === null;
      if (found === null) {
        if (reading === started) reading = null;
      } else if (!latest || latest.readAt <= started.readAt)
        latest = { value: found, readAt: started.readAt };
    });
    return started;
  }

  return {
    /** Null when the backend doesn't respond in time. After a failure it is read without waiting until it succeeds again. */
    async current(): Promise<string | null> {
      const { value } = reading && now() - reading.readAt <= VERSION_MS ? reading : read();
      let timer: NodeJS.Timeout | undefined;
      const timeout = new Promise<null>((resolve) => {
        timer = setTimeout(resolve, isSilent ? 0 : VERSION_TIMEOUT_MS, null).unref();
      });
      return Promise.race([value, timeout]).finally(() => clearTimeout(timer));
    },
    /** The version without waiting; null when it has to be read first. */
    cached(): string | null {
      if (!latest) return null;
      const age = now() - latest.readAt;
      if (age > VERSION_MS) return null;
      if (age > VERSION_AGES_MS && (!reading || reading.readAt === latest.readAt)) read();
      return latest.value;
    },
  };
}
