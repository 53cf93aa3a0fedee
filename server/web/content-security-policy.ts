import { createHash } from "node:crypto";

type Origins = {
  /** Origin of the backend as the browser sees it; null when it is the site's own. */
  backend: string | null;
  /** Development only: Vite's module reloading talks over a web socket. */
  development: boolean;
  /** Only for the page that scans (decision 53). */
  allowsWasm?: boolean;
};

const inlineScript = /^<script(?![^>]*\ssrc=)[^>]*>([\s\S]*)$/;
/** One character per byte is enough to find tags, and decoding UTF-8 would take longer than everything else here. */
const bytes = "latin1";

/** The texts of a page's inline scripts. Only these are decoded: they are a small part of it. */
function inlineScripts(html: Buffer): string[] {
  const texts: string[] = [];
  for (let start = html.indexOf("<script"); start >= 0; ) {
    const end = html.indexOf("</script>", start);
    const [, text] = inlineScript.exec(html.toString(bytes, start, end < 0 ? html.length : end)) ?? [];
    if (text !== undefined) texts.push(text);
    start = end < 0 ? -1 : html.indexOf("<script", end);
  }
  return texts;
}

/** A 404 page is sent at several addresses. */
const hashesByPage = new WeakMap<Buffer, string[]>();

/** The policy's sources for a page's inline scripts. */
function hashesOf(html: Buffer): string[] {
  const cached = hashesByPage.get(html);
  if (cached) return cached;
  const hashes = [...new Set(inlineScripts(html).map((script) => `'sha256-${sha256(script)}'`))];
  hashesByPage.set(html, hashes);
  return hashes;
}

/**
 * The policy for one finished page: each inline script in it is allowed by its hash, and no other runs. Styles may be
 * inline: React writes style attributes, and no data ever reaches them unescaped.
 */
export function contentSecurityPolicy(
  html: Buffer,
  { backend, development, allowsWasm = false }: Origins,
): string {
  const own = backend ? ` ${backend}` : "";
  const socket = backend?.replace(/^http/, "ws") ?? "";
  return [
    "default-src 'self'",
    `script-src 'self' ${allowsWasm ? "'wasm-unsafe-eval' " : ""}${hashesOf(html).join(" ")}`,
    "style-src 'self' 'unsafe-inline'",
    // A cover's address may be any https address that staff typed.
    `img-src 'self' data: blob: https:${own}`,
    "font-src 'self'",
    `connect-src 'self'${own}${socket && ` ${socket}`}${development ? " ws: wss:" : ""}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "worker-src 'self' blob:",
  ].join("; ");
}

function sha256(text: string): string {
  return createHash("sha256").update(text, bytes).digest("base64");
}
