import { Refusal } from "../lib/refusal.ts";

const dataBytes = 128 * 1024;
const accountBytes = 16 * 1024;
const objectBytes = 6 * 1024 * 1024;

function limitOf(path: string): number {
  if (path.startsWith("/auth/")) return accountBytes;
  return path.startsWith("/storage/") ? objectBytes : dataBytes;
}

const utf8 = new TextDecoder();

const tooLarge = () => new Refusal(413, "PT413", "The request is too large.");

/** A request's body, here in full. */
export type Body = {
  bytes: Uint8Array | null;
  /** As UTF-8; null when there is no body. */
  text: () => string | null;
  /** The request with its body, to be read again. */
  restored: (request: Request) => Request;
};

/** @throws Refusal 413 above the limit of the path's API */
export async function readBody(request: Request, path: string): Promise<Body> {
  const limit = limitOf(path);
  const stated = request.headers.get("content-length");
  if (Number(stated ?? 0) > limit) throw tooLarge();
  const bytes = await readBytes(request, limit);
  return {
    bytes,
    text: () => bytes && utf8.decode(bytes),
    restored: ({ url, method, headers, signal }) =>
      new Request(url, { method, headers, signal, body: bytes as Uint8Array<ArrayBuffer> | null }),
  };
}

async function readBytes(request: Request, limit: number): Promise<Uint8Array | null> {
  if (request.method === "GET" || request.method === "HEAD") return null;
  // The HTTP server holds every other body to its Content-Length, and the shop's own requests have theirs in memory.
  if (request.headers.has("transfer-encoding")) return request.body && readBounded(request.body, limit);
  // In one piece: accessing `body` would create a stream.
  const bytes = new Uint8Array(await request.arrayBuffer());
  if (bytes.byteLength > limit) throw tooLarge();
  return bytes.byteLength > 0 || request.headers.has("content-length") ? bytes : null;
}

async function readBounded(body: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body) {
    size += piece.byteLength;
    if (size > limit) throw tooLarge();
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
