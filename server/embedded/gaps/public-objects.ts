import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import type { Gap } from "./gap.ts";

type Found = { mimetype: string | null; cache_control: string | null; etag: string | null };

/** Bucket and key of a public object's address; names that would need decoding are left to the library. */
const address = /^\/storage\/v1\/object\/public\/([\w.-]+)\/([\w./-]+)$/;

/**
 * Public objects, with ETag and 304. The library answers none, and writes a "last accessed" time at every look,
 * which on PGlite is a flush of the disk for every cover on a page.
 */
export const publicObjects: Gap = async (exchange, next, { sql, files }) => {
  const { request, url } = exchange;
  const [, bucket, key] = address.exec(url.pathname) ?? [];
  if (!bucket || !key || (request.method !== "GET" && request.method !== "HEAD")) return next(exchange);
  const [found] = await sql.query<Found>(
    `select metadata ->> 'mimetype' as mimetype, metadata ->> 'cacheControl' as cache_control,
            metadata ->> 'eTag' as etag
     from storage.objects join storage.buckets on buckets.id = objects.bucket_id and buckets.public
     where objects.bucket_id = $1 and objects.name = $2`,
    [bucket, key],
  );
  const path = files.path(bucket, key);
  const file = found && (await stat(path).catch(() => null));
  if (!found || !file) {
    return Response.json(
      { statusCode: "404", error: "not_found", message: "Object not found" },
      { status: 400 },
    );
  }
  const headers = new Headers({
    "content-type": found.mimetype ?? "application/octet-stream",
    "cache-control": `public, ${found.cache_control ?? "no-cache"}`,
    "last-modified": file.mtime.toUTCString(),
  });
  if (found.etag) headers.set("etag", found.etag);
  const known = request.headers.get("if-none-match")?.split(/\s*,\s*/) ?? [];
  if (found.etag && known.some((tag) => tag.replace(/^W\//, "") === found.etag)) {
    return new Response(null, { status: 304, headers });
  }
  headers.set("content-length", String(file.size));
  if (request.method === "HEAD") return new Response(null, { headers });
  return new Response(Readable.toWeb(createReadStream(path)) as ReadableStream, { headers });
};
