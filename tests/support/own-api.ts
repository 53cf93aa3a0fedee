import { createHmac, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createApi } from "#server/embedded/api.ts";
import { ObjectFiles } from "#server/embedded/files.ts";
import type { Purpose } from "#server/embedded/protocol.ts";
import type { Sql } from "#server/embedded/sql.ts";
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

/** The backend's HTTP door in this process, over a database of its own, with a connection that sees behind it. */
export type OwnApi = {
  sql: Sql;
  dataDir: string;
  log: string[];
  ask: (path: string, call?: Call) => Promise<Response>;
  /** A session's token of this person. */
  tokenOf: (id: string) => string;
  /** Whether this person, or a visitor, may add a file, asked before its body is sent. */
  askUploader: (path: string, as?: string) => Promise<Response>;
  /** A customer, or an admin, by their id. */
  newPerson: (role?: "admin") => Promise<string>;
  /** So many books with a long description each. */
  fillShelf: (books: number, words: number) => Promise<void>;
  close: () => Promise<void>;
};

const secrets = { jwtSecret: "a secret", publishableKey: "sb_publishable_test", secretKey: "sb_secret_test" };

/** A session's token, as the accounts API makes them. */
function tokenOf(id: string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claims = { sub: id, role: "authenticated", exp: Math.floor(Date.now() / 1_000) + 3_600 };
  const body = `${part({ alg: "HS256", typ: "JWT" })}.${part(claims)}`;
  return `${body}.${createHmac("sha256", secrets.jwtSecret).update(body).digest("base64url")}`;
}

/** @param also what else is in the database before the API looks at it */
export async function openOwnApi(also = ""): Promise<OwnApi> {
  const { sql, connections, close } = await openSql("migrated");
  const dataDir = await mkdtemp(join(tmpdir(), "own-api-"));
  await sql.exec(also);
  const log: string[] = [];
  const api = await createApi({
    sql,
    connections,
    secrets,
    files: new ObjectFiles(join(dataDir, "objects")),
    accounts: async () => new Response(null, { status: 404 }),
    log: (line) => log.push(line),
  });
  return {
    sql,
    dataDir,
    log,
    tokenOf,
    ask: (path, call = {}) => {
      const { method, as, key = "publishable", ip = "203.0.113.1", purpose, body, headers, signal } = call;
      const request = new Request(new URL(path, "http://shop.example"), {
        method: method ?? (body === undefined ? "GET" : "POST"),
        headers: {
          apikey: key === "secret" ? secrets.secretKey : secrets.publishableKey,
          "content-type": "application/json",
          ...(as ? { authorization: `Bearer ${tokenOf(as)}` } : {}),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
        ...(signal ? { signal } : {}),
      });
      return api.answer(request, ip, purpose);
    },
    askUploader: (path, as) => {
      const address = `http://shop.example/_shop/uploader?path=${encodeURIComponent(path)}`;
      const headers = {
        apikey: secrets.publishableKey,
        ...(as ? { authorization: `Bearer ${tokenOf(as)}` } : {}),
      };
      return api.answerUploader(new Request(address, { headers }), "203.0.113.1");
    },
    newPerson: async (role) => {
      const id = randomUUID();
      await sql.query(
        "insert into auth.users (id, email, email_confirmed_at) values ($1::text::uuid, $2::text, now())",
        [id, `${id}@example.com`],
      );
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
