import type { Refusal } from "./scope.ts";

type DatabaseError = {
  code?: unknown;
  message?: unknown;
  detail?: unknown;
  hint?: unknown;
};

/** Statuses of the hosted data API for SQLSTATE classes and codes; see "Errors" in PostgREST's documentation. */
const statusOfClass: Record<string, number> = {
  "08": 503,
  "09": 500,
  "0L": 403,
  "0P": 403,
  "24": 503,
  "25": 500,
  "28": 403,
  "2D": 500,
  "38": 500,
  "39": 500,
  "3B": 500,
  "40": 500,
  "53": 503,
  "54": 500,
  "55": 500,
  "57": 500,
  "58": 500,
  F0: 500,
  HV: 500,
  P0: 500,
  XX: 500,
};

/** Whether an error is one that our own rules have raised: a status, a sentence for people, facts as JSON. */
export function isRefusal(error: unknown): error is Refusal {
  const { code, message, detail } = (error ?? {}) as DatabaseError;
  return /^PT4\d\d$/.test(String(code)) && typeof message === "string" && typeof detail === "string";
}

/** Codes that the library answers as the hosted data API does, by itself. */
function isAnsweredRightly(code: string): boolean {
  return (
    /^(PT...|PGRST.*|42501|42P01|23505|23503|25006|42883|42P17|23502)$/.test(code) || /^(42|22|21)/.test(code)
  );
}

/** The status of the hosted data API for an SQLSTATE. */
export function statusOf(code: string): number {
  if (code === "P0001") return 400;
  if (code.startsWith("57P")) return 503;
  return statusOfClass[code.slice(0, 2)] ?? 400;
}

/**
 * Connection lost, disk full, shutting down, files damaged, PGlite out of step: what the database says of these names
 * files and machines, and nobody who reads it can do anything about it.
 */
const isOurs = (code: string) => /^(08|24|53|57P|58|XX)/.test(code);

/** The driver's own words for a server that is gone; the SQLSTATE for it is 08006. */
const lostConnection =
  /^(CONNECTION_(CLOSED|ENDED|DESTROYED)|CONNECT_TIMEOUT|ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|ETIMEDOUT)$/;

const outOfOrder = "The shop's database is out of order at the moment. Please try again in a few minutes.";

/** A refused row's values stay in the database, whatever columns the caller may not read. */
function detailOf(error: DatabaseError): string | null {
  const detail = typeof error.detail === "string" ? error.detail : null;
  return detail?.startsWith("Failing row contains") ? null : detail;
}

/** The library writes no SQL that the database cannot read unless the request has named no column. */
const notUnderstood = {
  code: "PGRST",
  message: JSON.stringify({
    code: "PGRST102",
    message: "The body names no column that could be written.",
    details: null,
    hint: null,
  }),
  detail: JSON.stringify({ status: 400, headers: {} }),
};

/** PGlite refuses some values before the database sees them, with an error that has no code. */
function isUnfit(error: DatabaseError): boolean {
  return /^(Error: )?Invalid input for \w+ type$/.test(String(error.message ?? ""));
}

/**
 * The library answers most database errors with status 500 and the code "SUP". It does pass on errors raised with
 * SQLSTATE PGRST, whose message and detail are JSON that state the answer; so every other error is put in that form.
 */
export function toAnswerableError(thrown: unknown): unknown {
  const error = thrown as DatabaseError | null;
  if (typeof error !== "object" || error === null) return thrown;
  if (isUnfit(error)) {
    return { code: "22P02", message: "A value does not fit the type of its column or argument." };
  }
  if (typeof error.code !== "string") return thrown;
  if (lostConnection.test(error.code)) return toAnswerableError({ code: "08006" });
  if (error.code === "42601") return notUnderstood;
  if (!/^[0-9A-Z]{5}$/.test(error.code) || isAnsweredRightly(error.code)) return thrown;
  const body = isOurs(error.code)
    ? { code: error.code, message: outOfOrder, details: null, hint: null }
    : {
        code: error.code,
        message: String(error.message ?? ""),
        details: detailOf(error),
        hint: typeof error.hint === "string" ? error.hint : null,
      };
  return {
    code: "PGRST",
    message: JSON.stringify(body),
    detail: JSON.stringify({ status: statusOf(error.code), headers: {} }),
  };
}
