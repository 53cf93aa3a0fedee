import { accountError, type Exchange, type Gap, type Next } from "./gap.ts";

/*
 * Requests at which the library fails with status 500 although only the asker has made a mistake: names that every
 * JavaScript object has, values of another type than it reckons with, JSON nested without end, files of buckets that are not there.
 * They are answered as a hosted project would: 4xx, in words, with nothing of the program's inside.
 */

const notUnderstood = () =>
  Response.json(
    { code: "PGRST100", message: "The request cannot be understood.", details: null, hint: null },
    { status: 400 },
  );

/** Errors of the library's own code, before anything reached the database: only the request can have caused them. */
const fault =
  /^(TypeError|RangeError|SyntaxError|URIError|Error: Invalid input)\b|^Error: .* at position \d+$/;

async function isFault(answer: Response): Promise<boolean> {
  const { code, message } = (await answer
    .clone()
    .json()
    .catch(() => ({}))) as { code?: unknown; message?: unknown };
  return code === "SUP" && fault.test(String(message));
}

/** A NUL in a body's JSON: no text or name of the database can hold one, and in a name it breaks its protocol. */
const hasNul = (json: string) => /(^|[^\\])(\\\\)*\\u0000/.test(json);

async function bodyOf({ request }: Exchange): Promise<string> {
  return request.body ? request.clone().text() : "";
}

/** The same question with GET: a HEAD that fails tells nothing, and the library takes functions for tables in it. */
async function askWithGet(exchange: Exchange, next: Next): Promise<Response> {
  const { request, url } = exchange;
  const asked = new Request(url, { headers: request.headers, signal: request.signal });
  const { status, headers, body } = await next({ ...exchange, request: asked });
  await body?.cancel();
  return new Response(null, { status, headers });
}

export const plainQuestions: Gap = async (exchange, next, backstage) => {
  const { request, url } = exchange;
  if (!url.pathname.startsWith("/rest/")) return next(exchange);
  if (/%00/.test(url.pathname + url.search) || hasNul(await bodyOf(exchange))) return notUnderstood();
  const answer = await next(exchange);
  if (answer.status !== 500) return answer;
  if (request.method === "HEAD") return askWithGet(exchange, (each) => plainQuestions(each, next, backstage));
  return (await isFault(answer)) ? notUnderstood() : answer;
};

const texts = ["email", "password", "phone", "refresh_token", "token", "token_hash", "type", "nonce"];

/** What accounts are told about themselves must be text, and details a record. */
export const plainAccounts: Gap = async (exchange, next) => {
  const { request, url } = exchange;
  if (!url.pathname.startsWith("/auth/") || !request.body) return next(exchange);
  const text = await bodyOf(exchange);
  const fields = parse(text);
  const isRecord = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);
  const isPlain =
    fields === undefined || // No JSON: the library says so itself.
    (isRecord(fields) &&
      texts.every((name) => ["string", "undefined"].includes(typeof read(fields, name))) &&
      (read(fields, "data") === undefined || isRecord(read(fields, "data"))));
  if (isPlain && !hasNul(text)) return next(exchange);
  return accountError(400, "validation_failed", "A field is not of the right kind.");
};

/** Undefined when it is no JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const read = (fields: unknown, name: string) => (fields as Record<string, unknown>)[name];

const storageError = (status: number, error: string, message: string) =>
  Response.json({ statusCode: String(status), error, message }, { status: 400 });

/** The calls that files know: upload, replace, read, delete one or many, list. */
const objectPath =
  /^\/storage\/v1\/object\/(?:(list|public|authenticated|info\/(?:public|authenticated)|info)\/)?([^/]+)(?:\/(.+))?$/;

/** The library fails where the bucket does not exist, and where a list's or deletion's body is none. */
export const plainFiles: Gap = async (exchange, next, { sql }) => {
  const { request, url } = exchange;
  if (!url.pathname.startsWith("/storage/")) return next(exchange);
  const [, call, bucket = "", key] = objectPath.exec(url.pathname) ?? [];
  const names = [bucket, key ?? ""].map(decode);
  if (!bucket || names.some((name) => name === null || name.includes("\0")))
    return storageError(404, "not_found", "There is nothing at this address.");
  const found = await sql.query("select from storage.buckets where id = $1", [names[0]]);
  if (found.length === 0) return storageError(404, "Bucket not found", "Bucket not found");
  const needsJson = (call === "list" && request.method === "POST") || (request.method === "DELETE" && !key);
  if (needsJson && !isListing(await bodyOf(exchange)))
    return storageError(400, "invalid_request", "The body cannot be read.");
  return next(exchange);
};

function isListing(text: string): boolean {
  const body = parse(text);
  if (typeof body !== "object" || body === null || Array.isArray(body) || hasNul(text)) return false;
  const {
    prefix = "",
    prefixes = [],
    limit = 100,
    offset = 0,
    search = "",
    sortBy = {},
  } = body as Record<string, unknown>;
  const isCount = (value: unknown) => Number.isInteger(value) && (value as number) >= 0;
  return (
    typeof prefix === "string" &&
    typeof search === "string" &&
    Array.isArray(prefixes) &&
    prefixes.every((each) => typeof each === "string") &&
    isCount(limit) &&
    isCount(offset) &&
    typeof sortBy === "object"
  );
}

/** A part of an address as text; null when it is no UTF-8. */
function decode(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}
