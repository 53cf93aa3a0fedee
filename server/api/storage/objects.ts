import { parseJson } from "../../lib/json.ts";
import { toArray, Values } from "../data/sql-text.ts";
import { invalid, notFound } from "./refusals.ts";
import type { Exchange } from "./storage-api.ts";

const maxListed = 1_000;

/**
 * Removes one file by its URL, or those named in the body. Files are deleted once the deletion of their rows has
 * committed.
 */
export async function removeObjects({ body, bucket, name, files, run }: Exchange): Promise<Response> {
  const names = name === "" ? readNames(body) : [name];
  const values = new Values();
  const where = `bucket_id = ${values.add(bucket.id, "text")} and name = any (${values.add(toArray(names), "text[]")})`;
  const [removed] = await run({
    text: `with r as (delete from storage.objects where ${where} returning *) select coalesce(json_agg(r), '[]')::text, count(*) from r`,
    values: values.list,
  });
  const rows = JSON.parse(removed?.toString() ?? "[]") as { name: string; version: string | null }[];
  for (const { name, version } of rows) await files.remove({ bucket: bucket.id, name, version });
  if (name === "") return Response.json(rows);
  if (rows.length === 0) throw notFound();
  return Response.json({ message: "Successfully deleted" });
}

function readJson(body: Uint8Array | null): Record<string, unknown> {
  try {
    const value = parseJson(new TextDecoder().decode(body ?? new Uint8Array()));
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // Refused below, as any body that is not an object.
  }
  throw invalid("The body cannot be read.");
}

function readNames(body: Uint8Array | null): string[] {
  const { prefixes } = readJson(body);
  const isName = (value: unknown) => typeof value === "string" && !value.includes("\0");
  if (!Array.isArray(prefixes) || prefixes.length > maxListed || !prefixes.every(isName))
    throw invalid("The body cannot be read.");
  return prefixes as string[];
}

const sorts = new Map([
  ["name", "name"],
  ["created_at", "created_at"],
  ["updated_at", "updated_at"],
  ["last_accessed_at", "last_accessed_at"],
]);

/** The files and folders directly under a prefix. */
export async function listObjects({ body, bucket, run }: Exchange): Promise<Response> {
  const { prefix = "", limit = 100, offset = 0, search = "", sortBy } = readJson(body);
  const isCount = (value: unknown): value is number =>
    Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 1_000_000;
  const isText = (value: unknown): value is string => typeof value === "string" && !value.includes("\0");
  if (!isText(prefix) || !isText(search) || !isCount(limit) || !isCount(offset))
    throw invalid("The body cannot be read.");
  const { column = "name", order = "asc" } = (sortBy ?? {}) as Record<string, unknown>;
  const sort = typeof column === "string" ? sorts.get(column) : undefined;
  if (!sort) throw invalid("The order cannot be read.");
  const folder = prefix === "" || prefix.endsWith("/") ? prefix : `${prefix}/`;
  const values = new Values();
  const start = values.add(folder, "text");
  const text = `
    with found as (
      select substr(name, length(${start}) + 1) as rest, id, created_at, updated_at, last_accessed_at, metadata
        from storage.objects where bucket_id = ${values.add(bucket.id, "text")} and starts_with(name, ${start})
    ), entries as (
      select rest as name, id, created_at, updated_at, last_accessed_at, metadata from found where rest not like '%/%'
      union all
      select distinct split_part(rest, '/', 1), null::uuid, null::timestamptz, null::timestamptz, null::timestamptz, null::jsonb
        from found where rest like '%/%'
    ), page as (
      select * from entries where name <> '' and starts_with(name, ${values.add(search, "text")})
       order by ${sort} ${order === "desc" ? "desc" : "asc"}, name limit ${Math.min(limit, maxListed)} offset ${offset}
    )
    select coalesce(json_agg(page), '[]')::text, count(*) from page`;
  const [listed] = await run({ text, values: values.list });
  return new Response(new Uint8Array(listed ?? Buffer.from("[]")), {
    headers: { "content-type": "application/json; charset=utf-8" },
  });
}
