import { readRefusalFacts } from "#shared/calls/refusal-facts.ts";
import { reasonOf } from "../lib/disk-full.ts";
import { Refusal } from "../lib/refusal.ts";
import { isStandby } from "./connections.ts";

type DatabaseError = {
  code?: unknown;
  message?: unknown;
  detail?: unknown;
  hint?: unknown;
};

/** Statuses of a hosted data API for SQLSTATE codes and classes; see "Errors" in PostgREST's documentation. */
const statusOfCode: Record<string, number> = {
  "23503": 409,
  "23505": 409,
  "25006": 405,
  "42883": 404,
  "42P01": 404,
  "42P17": 500,
  P0001: 400,
};
const statusOfClass: Record<string, number> = {
  "09": 500,
  "0L": 403,
  "0P": 403,
  "25": 500,
  "28": 403,
  "2D": 500,
  "38": 500,
  "39": 500,
  "3B": 500,
  "55": 500,
  F0: 500,
  HV: 500,
  P0: 500,
};

/**
 * Connection lost, disk full, shutting down, files damaged: the database's own messages for these name files and
 * machines.
 */
const isOurs = (code: string) => /^(08|24|53|57P|58|XX)/.test(code);

/** The driver's own error codes for a lost server. */
const lostConnection =
  /^(CONNECTION_(CLOSED|ENDED|DESTROYED)|CONNECT_TIMEOUT|ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|ENOENT|ETIMEDOUT)$/;

const outOfOrder = "The shop is temporarily unavailable. Please try again in a few minutes.";

/** Whether an error was raised by our own rules: a status, a sentence for people, facts as JSON. */
function isOwnRule({ code, message, detail }: DatabaseError): boolean {
  return /^PT4\d\d$/.test(String(code)) && typeof message === "string" && typeof detail === "string";
}

/** A refused row's values stay in the database, whatever columns the caller may not read. */
function detailOf(error: DatabaseError): string | null {
  const detail = typeof error.detail === "string" ? error.detail : null;
  return detail?.startsWith("Failing row contains") ? null : detail;
}

/**
 * The response to an error that the database raised.
 *
 * Three responses differ from a hosted project's 500, because only the request, or another one beside it, has caused
 * them: a statement that ran out of time (57014) and one that is too deep (54) are 400, which clients do not repeat
 * by themselves, as they would a 503; a deadlock that recurs on every retry is 409, without the process ids in its
 * message.
 * @returns null when the error is not from the database
 */
export function refusalOf(thrown: unknown, role: string): Refusal | null {
  const error = (thrown ?? {}) as DatabaseError;
  if (thrown instanceof Refusal) return thrown;
  if (typeof error.code !== "string") return null;
  const { code } = error;
  if (lostConnection.test(code) || isStandby(error))
    return new Refusal(503, "08006", outOfOrder, null, { "retry-after": "5" });
  if (!/^[0-9A-Z]{5}$/.test(code)) return null;
  if (isOurs(code)) return new Refusal(503, code, outOfOrder, null, { "retry-after": "5" });
  if (code === "57014") return new Refusal(400, code, "This request takes too long. Ask for less at a time.");
  if (code.startsWith("54")) return new Refusal(400, code, "This request is too complex.");
  if (code.startsWith("40"))
    return new Refusal(409, code, "Another change to the same rows came first. Please try again.");
  const message = String(error.message ?? "");
  if (isOwnRule(error))
    return new Refusal(Number(code.slice(2)), code, message, detailOf(error), waitOf(error));
  const status = code === "42501" ? (role === "anon" ? 401 : 403) : statusOf(code);
  return new Refusal(status, code, message, detailOf(error));
}

export const statusOf = (code: string): number =>
  statusOfCode[code] ?? statusOfClass[code.slice(0, 2)] ?? 400;

function waitOf({ detail }: DatabaseError): Record<string, string> {
  const { retry_after_seconds: seconds } = readRefusalFacts(String(detail));
  return typeof seconds === "number" ? { "retry-after": String(seconds) } : {};
}

type LoggedError = { code?: unknown; constraint_name?: unknown; name?: unknown };

const word = (value: unknown) =>
  typeof value === "string" && /^[A-Za-z0-9_]{1,63}$/.test(value) ? value : null;

/** Rules, rights and constraints refuse requests all day; only unexpected failures are logged. */
const expected =
  /^(PT\d\d\d|PGRST\w*|42P01|42883|42703|42804|23\d\d\d|25006|42501|428C9|22\w{3}|P0001|40\w{3})$/;

/** One line for the log, without any data of the request; null when there is nothing to log. */
export function logLineOf(thrown: unknown): string | null {
  if (thrown instanceof Refusal) return null;
  const { code, constraint_name: constraint, name } = (thrown ?? {}) as LoggedError;
  if (word(code) && expected.test(String(code))) return null;
  return [
    "a request failed:",
    (word(code) && reasonOf({ code })) ?? word(name) ?? "unknown",
    word(constraint),
  ]
    .filter(Boolean)
    .join(" ");
}
