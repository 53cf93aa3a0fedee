import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

export type StoredPage = { status: number; headers: Headers; body: Uint8Array | null };

type PageCacheOptions = {
  /** Makes the page for a state of the catalogue; null when the state is not known. */
  render: (request: Request, state: string | null) => Promise<StoredPage>;
  /** Changes whenever any book changes; throws when the backend does not answer. */
  catalogueVersion: () => Promise<string>;
  now?: () => number;
};

type Entry = { version: string; storedAt: number; page: StoredPage; packed: Map<string, Uint8Array> };

const MAX_ENTRIES = 400;
const MAX_KEY_LENGTH = 600;
/** How long one reading of the catalogue's version serves: a burst of visitors asks once. */
const VERSION_MS = 1_000;
/** A change that commits between two readings can leave a page one state behind, no longer than this. */
const PAGE_MS = 30_000;

/**
 * Keeps finished pages, compressed, as long as the catalogue stands still. Pages do not depend on who asks
 * (no cookie, no session), so one copy serves everybody; failures and other methods are never kept.
 */
export function createPageCache({ render, catalogueVersion, now = Date.now }: PageCacheOptions) {
  const entries = new Map<string, Entry>();
  let version: { value: Promise<string>; readAt: number } | null = null;

  async function currentVersion(): Promise<string | null> {
    if (!version || now() - version.readAt > VERSION_MS)
      version = { value: catalogueVersion(), readAt: now() };
    return version.value.catch(() => {
      version = null;
      return null;
    });
  }

  return async (request: Request): Promise<Response> => {
    const url = new URL(request.url);
    const key = url.pathname + url.search;
    const keepable = request.method === "GET" && key.length <= MAX_KEY_LENGTH;
    const state = keepable ? await currentVersion() : null;
    const kept = state === null ? undefined : entries.get(key);
    if (kept && kept.version === state && now() - kept.storedAt < PAGE_MS) return answer(request, kept);

    const page = await render(request, state);
    const entry = { version: state ?? "", storedAt: now(), page, packed: new Map<string, Uint8Array>() };
    entries.delete(key);
    if (state !== null && page.status === 200 && page.body && !page.headers.has("Set-Cookie")) {
      entries.set(key, entry);
      for (const oldest of entries.keys()) {
        if (entries.size <= MAX_ENTRIES) break;
        entries.delete(oldest);
      }
    }
    return answer(request, entry);
  };
}

/** The page as this browser can take it: unchanged (304), brotli, gzip or plain. */
async function answer(request: Request, { page, packed }: Entry): Promise<Response> {
  const headers = new Headers(page.headers);
  if (!page.body || request.method === "HEAD") return new Response(null, { status: page.status, headers });
  headers.set("Vary", "Accept-Encoding");
  if (page.status === 200) {
    const tag = `W/"${createHash("sha256").update(page.body).digest("base64url").slice(0, 22)}"`;
    headers.set("ETag", tag);
    if (!headers.has("Cache-Control")) headers.set("Cache-Control", "public, max-age=0, must-revalidate");
    if (request.headers.get("If-None-Match") === tag) return new Response(null, { status: 304, headers });
  } else if (!headers.has("Cache-Control")) {
    headers.set("Cache-Control", "no-store");
  }
  const encoding = chooseEncoding(request.headers.get("Accept-Encoding") ?? "");
  let body = page.body;
  if (encoding) {
    headers.set("Content-Encoding", encoding);
    body = packed.get(encoding) ?? (await pack(page.body, encoding));
    packed.set(encoding, body);
  }
  headers.set("Content-Length", String(body.byteLength));
  return new Response(body as Uint8Array<ArrayBuffer>, { status: page.status, headers });
}

function chooseEncoding(accepted: string): "br" | "gzip" | null {
  if (/\bbr\b/.test(accepted)) return "br";
  return /\bgzip\b/.test(accepted) ? "gzip" : null;
}

function pack(body: Uint8Array, encoding: "br" | "gzip"): Promise<Uint8Array> {
  if (encoding === "gzip") return promisify(gzip)(body);
  return promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } });
}
