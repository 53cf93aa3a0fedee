import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { parseAccept } from "hono/utils/accept";

/** What a page searched for and how few books it found (app/lib/pages/request-context.ts). */
export type UnmetSearch = { text: string; found: number };

export type StoredPage = {
  status: number;
  headers: Headers;
  body: Uint8Array | null;
  unmet?: UnmetSearch | null;
};

/** The response for a page: `head` alternates names and values, as Node's writeHead expects. */
export type PageForm = {
  status: number;
  head: string[];
  body: Buffer | null;
  /** Set if the page is a search that found little. */
  unmet?: UnmetSearch | null;
};

type Encoding = "br" | "gzip" | "plain";

/** The forms in which browsers accept a page, each made when it is first requested: unchanged (304), brotli, gzip or plain. */
export function createPageForms(page: StoredPage, always: [name: string, value: string][]) {
  const { status, unmet } = page;
  const body = page.body && Buffer.from(page.body.buffer, page.body.byteOffset, page.body.byteLength);
  const headers = new Headers([...page.headers, ...always]);
  headers.append("Vary", "Accept-Encoding");
  const tag =
    status === 200 && body
      ? `W/"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`
      : null;
  const bare: PageForm = { status, head: flatten(headers), body: null };
  if (tag) headers.set("ETag", tag);
  if (body && !headers.has("Cache-Control"))
    headers.set("Cache-Control", tag ? "public, max-age=0, must-revalidate" : "no-store");
  const unchanged: PageForm = { status: 304, head: flatten(headers), body: null, unmet };
  const forms = new Map<Encoding, PageForm>();
  const beingMade = new Map<Encoding, Promise<PageForm>>();

  async function pack(content: Buffer, encoding: Encoding): Promise<PageForm> {
    const own = new Headers(headers);
    if (encoding !== "plain") own.set("Content-Encoding", encoding);
    const packed = await packedOnce(content, page.body ?? content, encoding);
    own.set("Content-Length", String(packed.byteLength));
    const form = { status, head: flatten(own), body: packed, unmet };
    forms.set(encoding, form);
    return form;
  }

  return {
    /** A form that has been made, or null. */
    made(acceptEncoding: string, ifNoneMatch: string | undefined): PageForm | null {
      if (tag && ifNoneMatch === tag) return unchanged;
      return forms.get(chooseEncoding(acceptEncoding)) ?? null;
    },
    async make(method: string, acceptEncoding: string, ifNoneMatch: string | undefined): Promise<PageForm> {
      if (!body || method === "HEAD") return bare;
      if (tag && ifNoneMatch === tag) return unchanged;
      const encoding = chooseEncoding(acceptEncoding);
      const form = forms.get(encoding) ?? beingMade.get(encoding);
      if (form) return form;
      const packing = pack(body, encoding).finally(() => beingMade.delete(encoding));
      beingMade.set(encoding, packing);
      return packing;
    },
  };
}

const packedBodies = new WeakMap<Uint8Array, Map<Encoding, Promise<Buffer>>>();

/** Compresses once what several pages share, such as those of unknown books. `shared` is the same object in all of them. */
function packedOnce(content: Buffer, shared: Uint8Array, encoding: Encoding): Promise<Buffer> {
  const its = packedBodies.get(shared) ?? new Map<Encoding, Promise<Buffer>>();
  packedBodies.set(shared, its);
  const packed = its.get(encoding) ?? encode(content, encoding, PAGE_QUALITY);
  its.set(encoding, packed);
  packed.catch(() => its.delete(encoding));
  return packed;
}

export function toResponse({ status, head, body }: PageForm): Response {
  const headers = new Headers();
  for (let at = 0; at < head.length; at += 2) headers.append(head[at] ?? "", head[at + 1] ?? "");
  return new Response(body as Uint8Array<ArrayBuffer> | null, { status, headers });
}

const flatten = (headers: Headers): string[] => [...headers].flat();

const chosen = new Map<string, Encoding>();
const MAX_CHOSEN = 200;

/** The browser's preferred encoding, cached because each browser always sends the same header. */
export function chooseEncoding(header: string): Encoding {
  const known = chosen.get(header);
  if (known) return known;
  if (chosen.size >= MAX_CHOSEN) chosen.clear();
  const encoding = compareEncodings(header);
  chosen.set(header, encoding);
  return encoding;
}

/** RFC 9110, section 12.5.3; brotli when the browser likes both equally. */
function compareEncodings(header: string): Encoding {
  const accepted = parseAccept(header);
  const quality = (name: string) =>
    (accepted.find(({ type }) => type.toLowerCase() === name) ?? accepted.find(({ type }) => type === "*"))
      ?.q ?? 0;
  const [br, gzip] = [quality("br"), quality("gzip")];
  const plain = accepted.find(({ type }) => type.toLowerCase() === "identity")?.q ?? 0;
  if (Math.max(br, gzip) === 0 || plain > Math.max(br, gzip)) return "plain";
  return br >= gzip ? "br" : "gzip";
}

/**
 * Of 100 kB of HTML, a page of /shop, quality 4 leaves 15.0 kB in 1.4 ms of processor time, 5 leaves 13.9 kB in 1.7 ms, 6 and 7 leave
 * 13.8 and 13.7 kB in 1.9 and 2.1 ms, but from 7 on brotli needs a table of 8 MB, which may take longer to get than the rest. The budget of
 * 14 kB is for a page's first visitor too.
 */
export const PAGE_QUALITY = 6;

/** Of brotli's window, in bits: with fewer than the first it works in a way that compresses less; the last is its own choice. */
const [LEAST_WINDOW, MOST_WINDOW] = [17, 22];

/** How far back brotli looks: over all of the content, and no further, because it prepares memory for what it might see. */
const windowFor = ({ length }: Buffer) =>
  Math.min(Math.max(Math.ceil(Math.log2(length + 16)), LEAST_WINDOW), MOST_WINDOW);

export async function encode(body: Buffer, encoding: Encoding, quality: number): Promise<Buffer> {
  if (encoding === "plain") return body;
  if (encoding === "gzip") return promisify(gzip)(body);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    [constants.BROTLI_PARAM_LGWIN]: windowFor(body),
  };
  return promisify(brotliCompress)(body, { params });
}
