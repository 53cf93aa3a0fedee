import { Refusal, unreadable, unsupported } from "../../lib/refusal.ts";
import { checkConditions, readFilter, readLogic } from "./filter.ts";
import { bounds, type Condition, type DataRequest } from "./query.ts";
import { readColumns, readOrder, readSelect } from "./select.ts";

const methods = ["GET", "HEAD", "POST", "PATCH", "DELETE"] as const;

/**
 * Parses a request to the data API, without checking anything against the database.
 * @throws Refusal
 */
export function readRequest(
  request: { method: string; headers: Headers },
  url: URL,
  body: string | null,
): DataRequest {
  const target = readTarget(url.pathname);
  const method = methods.find((each) => each === request.method);
  if (!method || (target.kind === "function" && (method === "PATCH" || method === "DELETE")))
    throw new Refusal(405, "PGRST117", "This method is not offered here.", null, {
      allow: methods.join(", "),
    });
  if (url.search.length > bounds.queryCharacters)
    throw new Refusal(414, "PGRST100", "The address is too long.");
  const isWrite = method === "PATCH" || (method === "POST" && target.kind === "table");
  if (isWrite || (method === "POST" && body !== null)) checkType(request.headers);
  const parsed: DataRequest = {
    method,
    target,
    select: [{ kind: "all" }],
    filter: [],
    order: [],
    limit: null,
    offset: 0,
    columns: null,
    args: new Map(),
    body,
    ...readPreferences(request.headers),
    single: readAccept(request.headers),
  };
  checkProfile(request.headers);
  for (const [name, value] of readParameters(url.search)) readParameter(parsed, name, value);
  readRange(parsed, request.headers.get("range"));
  checkConditions(parsed.filter);
  if (isWrite && parsed.method !== "PATCH" && parsed.filter.length > 0)
    throw unreadable("A filter on new rows");
  return parsed;
}

function readTarget(path: string): DataRequest["target"] {
  const [, call, raw = ""] = /^\/rest\/v1\/(rpc\/)?([^/]+)$/.exec(path) ?? [];
  const name = decode(raw);
  if (!name) throw new Refusal(404, "PGRST125", "There is nothing at this address.");
  return { kind: call ? "function" : "table", name };
}

/** Percent-decoded text; null if it is malformed or contains a NUL, which text in the database cannot. */
function decode(text: string): string | null {
  try {
    const decoded = decodeURIComponent(text.replaceAll("+", " "));
    return decoded.includes("\0") ? null : decoded;
  } catch {
    return null;
  }
}

function* readParameters(search: string): Generator<[name: string, value: string]> {
  for (const pair of search.slice(1).split("&")) {
    if (pair === "") continue;
    const at = pair.indexOf("=");
    const name = decode(at < 0 ? pair : pair.slice(0, at));
    const value = decode(at < 0 ? "" : pair.slice(at + 1));
    if (name === null || value === null) throw unreadable("The address");
    yield [name, value];
  }
}

function readParameter(parsed: DataRequest, name: string, value: string): void {
  switch (name) {
    case "apikey":
      return;
    case "select":
      parsed.select = readSelect(value);
      return;
    case "order":
      parsed.order = readOrder(value);
      return;
    case "columns":
      parsed.columns = readColumns(value);
      return;
    case "limit":
      parsed.limit = readCount("limit", value);
      return;
    case "offset":
      parsed.offset = readCount("offset", value);
      return;
    case "on_conflict":
      throw unsupported("Inserting or updating in one call");
    case "and":
    case "or":
      parsed.filter.push(readLogic(name, value, false));
      return;
    case "not.and":
    case "not.or":
      parsed.filter.push(readLogic(name === "not.or" ? "or" : "and", value, true));
      return;
  }
  if (parsed.target.kind === "function" && (parsed.method === "GET" || parsed.method === "HEAD")) {
    // Which of them are arguments and which are filters only the function knows.
    parsed.args.set(name, value);
    return;
  }
  parsed.filter.push(readColumnFilter(name, value));
}

export function readColumnFilter(name: string, value: string): Condition {
  if (/->|\./.test(name)) throw unsupported("A filter inside JSON or on an embedded table");
  return readFilter(name, value);
}

function readCount(what: string, value: string): number {
  if (!/^\d{1,15}$/.test(value)) throw unreadable(`The parameter "${what}"`);
  return Number(value);
}

/** `Range: 0-23`, as older clients page. Query parameters take precedence. */
function readRange(parsed: DataRequest, header: string | null): void {
  const [, from, to] = /^(\d{1,15})-(\d{1,15})?$/.exec(header ?? "") ?? [];
  if (from !== undefined && parsed.method !== "POST" && parsed.limit === null && parsed.offset === 0) {
    parsed.offset = Number(from);
    if (to !== undefined) parsed.limit = Math.max(0, Number(to) - Number(from) + 1);
  }
  if (parsed.offset > bounds.offset)
    throw new Refusal(416, "PGRST103", "Requested range not satisfiable", "The offset is too large.");
}

function readPreferences(headers: Headers): Pick<DataRequest, "prefer"> {
  const words = (headers.get("prefer") ?? "").split(",").map((word) => word.trim());
  const refused = words.find((word) => /^(resolution|missing|max-affected|count=(?!exact$))/.test(word));
  if (refused) throw unsupported(`Prefer: ${refused.slice(0, 40)}`);
  return {
    prefer: { count: words.includes("count=exact"), representation: words.includes("return=representation") },
  };
}

/** Whether a single object is requested. */
function readAccept(headers: Headers): boolean {
  const accept = headers.get("accept") ?? "*/*";
  if (/application\/vnd\.pgrst\.object\+json(?!;nulls)/.test(accept)) return true;
  if (/application\/(json|\*)|\*\/\*/.test(accept)) return false;
  throw new Refusal(406, "PGRST107", "Only JSON is offered here.");
}

function checkProfile(headers: Headers): void {
  for (const name of ["accept-profile", "content-profile"])
    if ((headers.get(name) ?? "public") !== "public")
      throw new Refusal(406, "PGRST106", "Only the schema public is offered here.");
}

function checkType(headers: Headers): void {
  const type = headers.get("content-type") ?? "application/json";
  if (!/^(application\/json|application\/vnd\.pgrst\.object\+json)\s*(;|$)/i.test(type))
    throw new Refusal(415, "PGRST102", "Only JSON is read here.");
}
