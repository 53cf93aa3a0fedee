import { parseJson } from "../../lib/json.ts";
import { Refusal } from "../../lib/refusal.ts";
import { invalid } from "./refusals.ts";

const maxBytes = 16 * 1024;
/** Metadata travels in every token, and a token in a header. */
const maxDataBytes = 4 * 1024;

const tooLarge = () => new Refusal(413, "request_too_large", "The request is too large.");

async function readText(request: Request): Promise<string> {
  if (!request.body) return "";
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw tooLarge();
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of request.body) {
    size += piece.byteLength;
    if (size > maxBytes) throw tooLarge();
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Text in the database cannot contain a NUL or half of a surrogate pair; JSON can, as escapes. */
const isUnstorable = (value: unknown): boolean => /\\u(0000|d[89a-f])/.test(JSON.stringify(value));

/** @throws Refusal when a parameter contains such a character */
export function checkParameters({ searchParams }: URL): void {
  if (isUnstorable([...searchParams])) throw invalid("A parameter contains an invalid character.");
}

/** Whether a body comes from our own page's form rather than from an API client. */
export const isForm = (request: Request) =>
  request.headers.get("content-type")?.startsWith("application/x-www-form-urlencoded") ?? false;

/**
 * The fields of a request's JSON body; none for an empty one or a form.
 * @throws Refusal when it is too large or not a JSON object
 */
export async function readBody(request: Request): Promise<Record<string, unknown>> {
  const text = await readText(request);
  if (text.trim() === "" || isForm(request)) return {};
  let fields: unknown;
  try {
    fields = parseJson(text);
  } catch {
    throw new Refusal(400, "bad_json", "The body is not valid JSON, or nested too deep.");
  }
  if (!isRecord(fields)) throw new Refusal(400, "bad_json", "The body must be a JSON object.");
  if (isUnstorable(fields)) throw invalid("A field contains an invalid character.");
  return fields;
}

/** A text of a body; undefined when it is absent. */
export function textOf(fields: Record<string, unknown>, name: string): string | undefined {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "string") throw invalid(`${name} must be a string.`);
  return value;
}

/** The metadata of a sign-up or change; undefined when it is absent. */
export function dataOf(fields: Record<string, unknown>): Record<string, unknown> | undefined {
  const value = Object.hasOwn(fields, "data") ? fields.data : undefined;
  if (value === undefined || value === null) return undefined;
  if (!isRecord(value)) throw invalid("data must be an object.");
  if (Buffer.byteLength(JSON.stringify(value)) > maxDataBytes) throw invalid("data is too large.");
  return value;
}
