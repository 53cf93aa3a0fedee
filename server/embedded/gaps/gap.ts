import type { ObjectFiles } from "../files.ts";
import type { Secrets } from "../secrets.ts";
import type { Sql } from "../sql.ts";

/** What the pieces that close the library's gaps work with. */
export type Backstage = {
  sql: Sql;
  secrets: Secrets;
  files: ObjectFiles;
  /** Sends a new confirmation mail for a token's hash. */
  sendConfirmation: (email: string, tokenHash: string) => Promise<void>;
  /** Milliseconds, as Date.now(). */
  now: () => number;
};

/** One request on its way. */
export type Exchange = {
  request: Request;
  url: URL;
  /** The browser's address, or "unknown" for the shop's own server. */
  peer: string;
};

export type Next = (exchange: Exchange) => Promise<Response>;

/**
 * One small piece that closes one gap: it answers itself, passes the request on (changed or not), or changes the
 * answer.
 */
export type Gap = (exchange: Exchange, next: Next, backstage: Backstage) => Promise<Response>;

/** An answer in the form of the hosted accounts API. */
export function accountError(status: number, code: string, message: string, headers?: HeadersInit): Response {
  return Response.json({ code: status, error_code: code, msg: message }, { status, headers });
}

/** The fields of a JSON body; empty when it is none. The request stays readable. */
export async function readFields(request: Request): Promise<Record<string, unknown>> {
  const fields: unknown = await request
    .clone()
    .json()
    .catch(() => null);
  return typeof fields === "object" && fields !== null ? (fields as Record<string, unknown>) : {};
}

/** The e-mail address of a body, as accounts are known by it. */
export function emailOf(fields: Record<string, unknown>): string {
  return typeof fields.email === "string" ? fields.email.trim().toLowerCase().slice(0, 320) : "";
}
