import { randomUUID } from "node:crypto";
import { Refusal } from "../../lib/refusal.ts";
import type { Caller } from "../caller.ts";
import type { Statement } from "../data/sql-text.ts";
import { Values } from "../data/sql-text.ts";
import { cleanJpeg } from "./jpeg.ts";
import { checkPiece, piecesBucket } from "./piece-types.ts";
import { invalid, notFound } from "./refusals.ts";
import type { Bucket, Exchange } from "./storage-api.ts";
import { newVersion } from "./stored-files.ts";

/** `type` is the media type in lower case, without parameters. */
type Upload = { content: Uint8Array; type: string; cacheControl: string };

/**
 * Adds or replaces a file. Its row comes first, so that the policies decide; the file is on the disk before the row is
 * committed, and the one that it replaces is deleted afterwards.
 */
export async function storeUpload(exchange: Exchange): Promise<Response> {
  const { request, bucket, name, caller, files, run } = exchange;
  const upload = await readUpload(exchange);
  checkLimits(bucket, upload);
  if (bucket.id === piecesBucket) checkPiece(name, upload.type, upload.content);
  // A direct API call may claim any content type.
  const content = upload.type === "image/jpeg" ? cleanJpeg(upload.content) : upload.content;
  const metadata = {
    eTag: `"${randomUUID()}"`,
    size: content.byteLength,
    mimetype: upload.type,
    cacheControl: upload.cacheControl,
    lastModified: new Date().toISOString(),
    contentLength: content.byteLength,
    httpStatusCode: 200,
  };
  const isReplacing = request.method === "PUT";
  const id = randomUUID();
  const overwrites = request.headers.get("x-upsert") === "true";
  const object = { id, bucket: bucket.id, name, caller, metadata, version: newVersion(), overwrites };
  const statement = isReplacing ? updateSql(object) : insertSql(object);
  const [replaced] = await run(statement, async ([, rows]) => {
    if (isReplacing && Number(rows) === 0) throw notFound();
    await files.write(object, content);
    return true;
  });
  if (replaced) await files.remove({ ...object, version: replaced.toString().slice(1) });
  return Response.json({ Key: `${bucket.id}/${name}`, Id: id });
}

type NewObject = {
  id?: string;
  bucket: string;
  name: string;
  caller: Caller;
  metadata: object;
  version: string;
  overwrites: boolean;
};

/** The locked row of the file to replace; none when nothing may be replaced. */
const replacedSql = (values: Values, { bucket, name, overwrites }: NewObject) =>
  `o as (select id, version from storage.objects where bucket_id = ${values.add(bucket, "text")} and name = ${values.add(name, "text")} and ${overwrites} for update)`;

/** Null when nothing is replaced; otherwise "v" and the version, which rows of earlier releases don't have. */
const replacedVersionSql = "select (select 'v' || coalesce(version, '') from o) as body, count(*) from r";

/** The row of a new file. */
export function insertSql(object: NewObject): Statement {
  const { id = randomUUID(), bucket, name, caller, metadata, version, overwrites } = object;
  const values = new Values();
  const replaced = replacedSql(values, object);
  const row = [
    values.add(id, "uuid"),
    values.add(bucket, "text"),
    values.add(name, "text"),
    values.add(caller.userId, "uuid"),
    values.add(caller.userId, "text"),
    values.add(JSON.stringify(metadata), "jsonb"),
    values.add(version, "text"),
  ];
  const conflict = overwrites
    ? " on conflict (bucket_id, name) do update set metadata = excluded.metadata, version = excluded.version, updated_at = now()"
    : "";
  return {
    // Counted, so that the row is locked before it is replaced.
    text: `with ${replaced}, r as (insert into storage.objects (id, bucket_id, name, owner, owner_id, metadata, version) select ${row.join(", ")} from (select count(*) from o) as locked${conflict} returning 1) ${replacedVersionSql}`,
    values: values.list,
  };
}

function updateSql(object: NewObject): Statement {
  const values = new Values();
  const replaced = replacedSql(values, { ...object, overwrites: true });
  const set = `metadata = ${values.add(JSON.stringify(object.metadata), "jsonb")}, version = ${values.add(object.version, "text")}, updated_at = now()`;
  return {
    text: `with ${replaced}, r as (update storage.objects t set ${set} from o where t.id = o.id returning 1) ${replacedVersionSql}`,
    values: values.list,
  };
}

/**
 * The file in a request: its body or, as supabase-js sends a Blob, the nameless field of a form that also has its
 * cache time.
 */
async function readUpload({ request, body }: Exchange): Promise<Upload> {
  const contentType = request.headers.get("content-type") ?? "";
  const type = mediaType(contentType);
  if (type !== "multipart/form-data") {
    const header = request.headers.get("cache-control") ?? "";
    const cacheControl = /^[\w=, -]{1,100}$/.test(header) ? header : "no-cache";
    return { content: body ?? new Uint8Array(), type, cacheControl };
  }
  const form = await new Response(body as Uint8Array<ArrayBuffer> | null, {
    headers: { "content-type": contentType },
  })
    .formData()
    .catch(() => null);
  const file = [...(form?.values() ?? [])].find((value) => value instanceof File);
  if (!(file instanceof File)) throw invalid("The form holds no file that can be read.");
  const seconds = form?.get("cacheControl");
  return {
    content: await file.bytes(),
    type: mediaType(file.type),
    cacheControl:
      typeof seconds === "string" && /^\d{1,9}$/.test(seconds) ? `max-age=${seconds}` : "no-cache",
  };
}

/** Without parameters: a picture with a charset could be read as text. */
const mediaType = (text: string) => text.split(";", 1)[0]?.trim().toLowerCase() || "application/octet-stream";

function checkLimits(bucket: Bucket, { content, type }: Upload): void {
  if (bucket.file_size_limit !== null && content.byteLength > bucket.file_size_limit)
    throw new Refusal(413, "Payload too large", "The object exceeded the maximum allowed size");
  const allowed = bucket.allowed_mime_types;
  const family = `${type.split("/")[0]}/*`;
  if (allowed && !allowed.includes(type) && !allowed.includes(family))
    throw new Refusal(415, "invalid_mime_type", `mime type ${type.slice(0, 60)} is not supported`);
}
