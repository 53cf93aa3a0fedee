import { Refusal } from "../../lib/refusal.ts";
import type { DataRequest } from "./query.ts";
import type { Callable } from "./schema.ts";
import type { Row } from "./transaction.ts";

const json = "application/json; charset=utf-8";

const numberOf = (value: Buffer | null | undefined) => Number(value?.toString() ?? 0);

/** Whether the number of rows fits the request; otherwise the change is rolled back. */
export const isAccepted = (request: DataRequest) => (row: Row) => !request.single || numberOf(row[1]) === 1;

/** A statement's one row as a response in the format of a hosted project's data API. */
export function rowsResponse(request: DataRequest, row: Row, callable?: Callable): Response {
  const [body, count, found, size] = row;
  const rows = numberOf(count);
  const isWrite = request.target.kind === "table" && request.method !== "GET" && request.method !== "HEAD";
  const isList = !callable || callable.returnsSet;
  if (request.single && isList && rows !== 1)
    throw new Refusal(
      406,
      "PGRST116",
      "Cannot coerce the result to a single JSON object",
      `The result contains ${rows} rows`,
    );
  if (body === null || body === undefined)
    throw new Refusal(
      400,
      "PT400",
      "These are too many rows at once. Please choose fewer.",
      JSON.stringify({ code: "too_many_rows", bytes: numberOf(size) }),
    );
  const total = found ? numberOf(found) : null;
  const headers: Record<string, string> = { "content-range": rangeOf(request, rows, total, isWrite) };
  if (callable?.returns === "nothing") return new Response(null, { status: 204, headers });
  if (isWrite && !request.prefer.representation) {
    if (request.method !== "POST") return new Response(null, { status: 204, headers });
    // Without a Content-Length, Node would send an empty chunked body, and the web process would forward it as a stream.
    headers["content-length"] = "0";
    return new Response(null, { status: 201, headers });
  }
  const status = isWrite
    ? request.method === "POST"
      ? 201
      : 200
    : statusOfRange(request.offset, rows, total);
  headers["content-type"] = request.single ? "application/vnd.pgrst.object+json; charset=utf-8" : json;
  if (request.method === "HEAD") return new Response(null, { status, headers });
  headers["content-length"] = String(body.byteLength);
  return new Response(body as Buffer<ArrayBuffer>, { status, headers });
}

function rangeOf(request: DataRequest, rows: number, total: number | null, isWrite: boolean): string {
  const from = isWrite ? 0 : request.offset;
  const range = rows > 0 && !(isWrite && request.method === "POST") ? `${from}-${from + rows - 1}` : "*";
  return `${range}/${total ?? "*"}`;
}

function statusOfRange(offset: number, rows: number, total: number | null): number {
  if (total === null) return 200;
  if (offset > total)
    throw new Refusal(
      416,
      "PGRST103",
      "Requested range not satisfiable",
      `An offset of ${offset} was requested, but there are only ${total} rows.`,
      { "content-range": `*/${total}` },
    );
  return rows < total ? 206 : 200;
}
