import type { Sql } from "../../database/sql.ts";
import { Values } from "../data/sql-text.ts";
import { notFound } from "./refusals.ts";
import type { Exchange } from "./storage-api.ts";
import type { FileName, StoredFiles } from "./stored-files.ts";

type Metadata = { mimetype?: string; cacheControl?: string; eTag?: string };

/** What the database knows about a file. */
type Found = { metadata: Metadata | null; version: string | null };

/** Looks up a file in a public bucket by its URL. Null when there is none. */
export async function findPublicObject(sql: Sql, bucket: string, name: string): Promise<Found | null> {
  const [found] = await sql.query<Found>(
    `select metadata, version from storage.objects join storage.buckets on buckets.id = objects.bucket_id and buckets.public
      where objects.bucket_id = $1::text and objects.name = $2::text`,
    [bucket, name],
  );
  return found ?? null;
}

/** Looks up a file that the policies let the caller read. */
export async function respondWithObject({ request, bucket, name, files, run }: Exchange): Promise<Response> {
  const values = new Values();
  const where = `bucket_id = ${values.add(bucket.id, "text")} and name = ${values.add(name, "text")}`;
  const [row, rows] = await run({
    text: `select json_agg(json_build_object('metadata', metadata, 'version', version)) -> 0, count(*) from storage.objects where ${where}`,
    values: values.list,
  });
  if (Number(rows) === 0) throw notFound();
  const { metadata, version } = JSON.parse(row?.toString() ?? "{}") as Found;
  const file = { bucket: bucket.id, name, version };
  const response = await respondWithFile({ request, files, file, metadata, scope: "private" });
  if (!response) throw notFound();
  return response;
}

type FileExchange = {
  request: Request;
  files: StoredFiles;
  file: FileName;
  metadata: Metadata | null;
  scope: "public" | "private";
};

/** Null when the file is missing: just replaced or deleted. */
export async function respondWithFile({
  request,
  files,
  file,
  metadata,
  scope,
}: FileExchange): Promise<Response | null> {
  const { mimetype, cacheControl, eTag } = metadata ?? {};
  const cached = request.headers.get("if-none-match")?.split(",") ?? [];
  const isCached = eTag && cached.some((tag) => tag.trim().replace(/^W\//, "") === eTag);
  const found = await files.open(file, !isCached && request.method !== "HEAD");
  if (!found) return null;
  const headers = new Headers({
    "content-type": mimetype ?? "application/octet-stream",
    "cache-control": `${scope}, ${cacheControl ?? "no-cache"}`,
    "last-modified": found.modified.toUTCString(),
  });
  if (eTag) headers.set("etag", eTag);
  if (isCached) return new Response(null, { status: 304, headers });
  headers.set("content-length", String(found.size));
  return new Response(found.body, { headers });
}
