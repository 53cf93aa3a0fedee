import type { Gap } from "./gap.ts";

/*
 * PGlite loses its place in the conversation with a statement of 32,768 or more values: from then on every query
 * answers 200 with nothing. So bodies are bounded, and rows times columns too.
 */

const dataBytes = 128 * 1024;
const accountBytes = 16 * 1024;
const objectBytes = 6 * 1024 * 1024;
const mostValues = 20_000;

function limitOf(path: string): number {
  if (path.startsWith("/auth/")) return accountBytes;
  return path.startsWith("/storage/") ? objectBytes : dataBytes;
}

const tooLarge = () =>
  Response.json(
    {
      code: "PT413",
      message: "This is too much at once.",
      msg: "This is too much at once.",
      details: null,
      hint: null,
    },
    { status: 413 },
  );

/** Reads at most `limit` bytes; null when there are more. */
async function readBounded(body: ReadableStream<Uint8Array>, limit: number): Promise<Buffer | null> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body) {
    size += piece.byteLength;
    if (size > limit) return null;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** How many values an insert of these rows binds: each row has every column that any row or the address names. */
function countValues(body: Buffer, columns: string | null): number {
  if (!/^\s*\[/.test(body.toString("latin1", 0, 64))) return 0; // Only a list of rows can be long.
  try {
    const rows = JSON.parse(body.toString("utf8")) as unknown[];
    const named = new Set(columns?.split(",") ?? []);
    for (const row of rows) for (const name of Object.keys(row ?? {})) named.add(name);
    return rows.length * named.size;
  } catch {
    return 0; // The library refuses it in its own words.
  }
}

export const boundedBody: Gap = async (exchange, next) => {
  const { request, url } = exchange;
  if (!request.body) return next(exchange);
  const limit = limitOf(url.pathname);
  if (Number(request.headers.get("content-length") ?? 0) > limit) return tooLarge();
  const body = await readBounded(request.body, limit);
  if (!body) return tooLarge();
  if (url.pathname.startsWith("/rest/")) {
    if (countValues(body, url.searchParams.get("columns")) > mostValues) return tooLarge();
  }
  const { method, headers, signal } = request;
  const whole = new Request(url, { method, headers, body: new Uint8Array(body), signal });
  return next({ ...exchange, request: whole });
};
