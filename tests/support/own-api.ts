import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { signToken } from "#server/api/accounts/tokens.ts";
import { type ApiParts, createApi, type Purpose } from "#server/api/api.ts";
import type { ReadPiece } from "#server/api/backend.ts";
import { audience, issuerOf } from "#server/api/caller.ts";
import type { FindCover } from "#server/api/storage/stored-cover.ts";
import { ObjectFiles } from "#server/api/storage/stored-files.ts";
import type { Sql } from "#server/database/sql.ts";
import { guardBooklistCodes } from "#server/shop/code-guesses.ts";
import { guardForms } from "#server/shop/form-floods.ts";
import { openSql } from "./test-server.ts";

type Call = {
  method?: string;
  /** A person's id; a visitor's without one. */
  as?: string;
  key?: "publishable" | "secret";
  /** null is the shop itself. */
  ip?: string | null;
  purpose?: Purpose;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
};

/** Text and bytes are sent as they are, anything else as JSON. */
const isSent = (body: unknown): body is string | Uint8Array<ArrayBuffer> =>
  typeof body === "string" || body instanceof Uint8Array;

/** The backend's HTTP API in this process over its own database, with a connection that bypasses its policies. */
export type OwnApi = {
  sql: Sql;
  dataDir: string;
  log: string[];
  ask: (path: string, call?: Call) => Promise<Response>;
  /** A session's token of this person. */
  tokenOf: (id: string) => string;
  /** The refusal if this person, or a visitor, may not add a file, before its body is sent. */
  refuseUpload: (path: string, as?: string) => Promise<Response | null>;
  findCover: FindCover;
  readPiece: ReadPiece;
  /** A customer, or an admin, by their id. */
  newPerson: (role?: "admin") => Promise<string>;
  /** So many books with a long description each. */
  fillShelf: (books: number, words: number) => Promise<void>;
  close: () => Promise<void>;
};

const secrets = { jwtSecret: "a secret", publishableKey: "sb_publishable_test", secretKey: "sb_secret_test" };

const siteUrl = "http://shop.example";

/** A session's token, as the accounts API makes them. A person's session has the id of the person. */
function tokenOf(id: string): string {
  const exp = Math.floor(Date.now() / 1_000) + 3_600;
  const claims = {
    iss: issuerOf(siteUrl),
    sub: id,
    aud: audience,
    exp,
    role: "authenticated",
    session_id: id,
  };
  return signToken(claims, secrets.jwtSecret);
}

/** Longer than any test: what is waited for then depends on the order of the work, not on the machine's speed. */
const hour = 3_600_000;
export const unhurried: Limits = {
  waitMs: hour,
  timeouts: { anon: hour, authenticated: hour, service_role: hour },
};

type Limits = Pick<ApiParts, "waitMs" | "timeouts">;

/** @param also what else is in the database before the API looks at it */
export async function openOwnApi(also = "", limits: Limits = {}): Promise<OwnApi> {
  const { sql, connections, close } = await openSql("migrated");
  const dataDir = await mkdtemp(join(tmpdir(), "own-api-"));
  await sql.exec(also);
  const log: string[] = [];
  const api = await createApi({
    sql,
    connections,
    secrets,
    siteUrl,
    files: new ObjectFiles(join(dataDir, "objects")),
    accounts: async () => new Response(null, { status: 404 }),
    guards: new Map([...guardBooklistCodes(sql, secrets.jwtSecret), ...guardForms(sql, secrets.jwtSecret)]),
    log: (line) => log.push(line),
    ...limits,
  });
  return {
    sql,
    dataDir,
    log,
    tokenOf,
    ask: (path, call = {}) => {
      const { method, as, key = "publishable", ip = "203.0.113.1", purpose, body, headers, signal } = call;
      const request = new Request(new URL(path, siteUrl), {
        method: method ?? (body === undefined ? "GET" : "POST"),
        headers: {
          apikey: key === "secret" ? secrets.secretKey : secrets.publishableKey,
          "content-type": "application/json",
          ...(as ? { authorization: `Bearer ${tokenOf(as)}` } : {}),
          ...headers,
        },
        ...(body === undefined ? {} : { body: isSent(body) ? body : JSON.stringify(body) }),
        ...(signal ? { signal } : {}),
      });
      return api.handle(request, ip, purpose);
    },
    refuseUpload: (path, as) => {
      const headers = {
        apikey: secrets.publishableKey,
        ...(as ? { authorization: `Bearer ${tokenOf(as)}` } : {}),
      };
      return api.refuseUpload(new Request(new URL(path, "http://shop.example"), { headers }), "203.0.113.1");
    },
    findCover: api.findCover,
    readPiece: api.readPiece,
    newPerson: async (role) => {
      const id = randomUUID();
      await sql.query(
        "insert into auth.users (id, email, email_confirmed_at) values ($1::text::uuid, $2::text, now())",
        [id, `${id}@example.com`],
      );
      await sql.query("insert into auth.sessions (id, user_id) values ($1::text::uuid, $1::text::uuid)", [
        id,
      ]);
      if (role)
        await sql.query("insert into public.user_roles (user_id, role) values ($1::text::uuid, $2::text)", [
          id,
          role,
        ]);
      return id;
    },
    fillShelf: async (books, words) => {
      await sql.query(
        `insert into public.books (title, publisher, price, stock_quantity, description)
         select 'Book ' || n, 'Publisher ' || n % 10, 10, 100, repeat('plants and forces ' || n || ' ', $2::text::int)
           from generate_series(1, $1::text::int) as n`,
        [String(books), String(words)],
      );
      await sql.exec("analyze public.books");
    },
    close: async () => {
      await api.close();
      await close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
