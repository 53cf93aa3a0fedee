import type postgres from "postgres";

/** As on hosted projects, extensions are found without naming their schema. */
const searchPath = "public,extensions";

/** timestamptz as the hosted data API writes it: `2026-01-31T08:30:00+00:00`. */
function toIso(text: string): string {
  return text.replace(" ", "T").replace(/([+-]\d\d)$/, "$1:00");
}

/** postgres.js would encode text that already is JSON a second time. */
const asJson = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

/** The statement timeout for the shop's own work; requests have less time (see the data API). */
export const ownerMs = 60_000;

/** For the owner's own work: accounts, housekeeping, commands. Requests have others (see the data API). */
export const ownerConnections = 6;

/**
 * How many statements run at a time. A client's two are enough for its pages, and leave room for others; alone, a school may have a
 * third. Each of several workers has its part, but at least three connections, one of them for the shop's staff and one for
 * customers, and in it each client has at least one.
 */
export function statementLimits(workers: number) {
  const part = (total: number, least: number) => Math.max(least, Math.ceil(total / workers));
  const reserved = part(2, 1);
  return {
    running: part(12, 3),
    each: part(2, 1),
    alone: part(4, 1),
    reserved: { shop: reserved, customer: reserved },
    slow: { ms: 100, running: part(3, 1) },
  };
}
/** Values arrive as the data API writes them. */
export const connectionOptions = {
  connect_timeout: 10,
  onnotice: () => {},
  connection: {
    search_path: searchPath,
    application_name: "shop",
    // Migrations and restoring have no limit.
    statement_timeout: ownerMs,
    idle_in_transaction_session_timeout: ownerMs,
  },
  types: {
    numeric: { to: 1700, from: [1700], serialize: String, parse: Number },
    timestamptz: { to: 1184, from: [1184], serialize: (value: unknown) => value, parse: toIso },
    json: { to: 114, from: [114], serialize: asJson, parse: JSON.parse },
    jsonb: { to: 3802, from: [3802], serialize: asJson, parse: JSON.parse },
  },
} satisfies postgres.Options<Record<string, postgres.PostgresType>>;

/** The same for one transaction: a pooler hands each to another connection, which has no settings of ours. */
export const ownersSettings = `
  set local search_path = ${searchPath};
  set local statement_timeout = ${ownerMs};
  set local idle_in_transaction_session_timeout = ${ownerMs};`;

/** For work of the owner's that may take as long as it needs, in its transaction. */
export const withoutTimeouts = `
  set local statement_timeout = 0;
  set local idle_in_transaction_session_timeout = 0;`;
