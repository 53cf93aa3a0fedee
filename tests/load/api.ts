import { createHmac, randomUUID } from "node:crypto";
import postgres from "postgres";
import { openBackend } from "#server/backend.ts";
import { readSecrets } from "#server/embedded/secrets.ts";
import { readSettings } from "#server/shared/settings.ts";
import { newDatabase, newDataDir, removeFolder } from "#tests/support/embedded-shop.ts";
import { milliseconds, percentile, type Section } from "./report.ts";

const CONNECTIONS = 10;
const READS = 3_000;
const PAIRS = 500;
/** Enough that none of them reaches the limit of orders an hour. */
const PEOPLE = 100;

type Load = { perSecond: number; p50: number; p95: number };

/** The data API's cost a request, as a ratio to the same SQL sent straight through postgres.js. */
export async function measureApi(): Promise<Section> {
  const database = await newDatabase();
  const dataDir = await newDataDir();
  const sql = postgres(database.url, { max: CONNECTIONS, onnotice: () => {} });
  const settings = readSettings({
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    SITE_URL: "http://shop.example",
  });
  const backend = await openBackend(settings);
  try {
    const secrets = await readSecrets(dataDir);
    if (!secrets) throw new Error("The backend has made no keys");
    const people = await makePeople(sql, secrets.jwtSecret);
    // Asked as the shop's own pages ask: one visitor's browser has two statements at a time.
    const send = sender((request) => backend.fetch(request), secrets.publishableKey);
    const [book] = await sql`select id, price::float8 from public.books where stock_quantity > 0 limit 1`;
    if (!book) throw new Error("There is no book");
    await sql`update public.books set stock_quantity = 1000000 where id = ${book.id}`;

    const list = "select=id,title,publisher,price,stock_quantity,image_url&order=title_key,id&limit=24";
    const listSql =
      "select coalesce(json_agg(t), '[]')::text from (select id,title,publisher,price,stock_quantity,image_url from public.books order by title_key, id limit 24) t";
    const searchSql =
      "select coalesce(json_agg(t), '[]')::text from public.search_books(_q => 'science', _page_size => 24) t";
    const rows: string[][] = [];
    const compare = async (name: string, floor: Load, own: Load) =>
      rows.push(row(`${name}: straight`, floor, floor), row(`${name}: data API`, own, floor));

    await compare(
      "24 books",
      await load(READS, (n) => inTransaction(sql, "anon", people[n % PEOPLE]?.id ?? "", [[listSql, []]])),
      await load(READS, () => send(`/rest/v1/books?${list}`)),
    );
    await compare(
      "search_books",
      await load(READS, (n) => inTransaction(sql, "anon", people[n % PEOPLE]?.id ?? "", [[searchSql, []]])),
      await load(READS, () => send("/rest/v1/rpc/search_books", { _q: "science", _page_size: 24 })),
    );
    await compare(
      "add to cart and order, in pairs",
      await load(PAIRS, async (n) => {
        const id = people[n % PEOPLE]?.id ?? "";
        await inTransaction(sql, "authenticated", id, [
          ["select to_json(t)::text from public.add_to_cart($1::uuid, 1) t", [String(book.id)]],
        ]);
        await inTransaction(sql, "authenticated", id, [
          [
            "with o as (insert into public.orders (id, user_id, total_amount, status, shipping_address) values ($1::uuid, $2::uuid, $3::text::numeric, 'pending', 'Accra') returning id) select json_agg(o)::text from o",
            [randomUUID(), id, String(book.price)],
          ],
        ]);
      }),
      await load(PAIRS, async (n) => {
        const { id = "", token } = people[n % PEOPLE] ?? {};
        await send("/rest/v1/rpc/add_to_cart", { _book_id: book.id, _quantity: 1 }, token);
        const order = {
          id: randomUUID(),
          user_id: id,
          total_amount: book.price,
          status: "pending",
          shipping_address: "Accra",
        };
        await send("/rest/v1/orders?select=id", order, token);
      }),
    );
    return {
      title: "The data API",
      about: `${CONNECTIONS} connections through the backend's socket, over PostgreSQL, with policies in force. The floor is the same SQL in the same kind of transaction, straight through postgres.js.`,
      header: ["", "A second", "Ratio to floor", "p50", "p95"],
      rows,
    };
  } finally {
    await backend.stop();
    await sql.end();
    await database.drop();
    await removeFolder(dataDir);
  }
}

const row = (name: string, { perSecond, p50, p95 }: Load, floor: Load) => [
  name,
  perSecond.toFixed(0),
  (perSecond / floor.perSecond).toFixed(2),
  milliseconds(p50),
  milliseconds(p95),
];

/** Customers, each with a token of their own. */
async function makePeople(sql: postgres.Sql, jwtSecret: string) {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return Promise.all(
    Array.from({ length: PEOPLE }, async () => {
      const id = randomUUID();
      await sql`insert into auth.users (id, email, raw_user_meta_data) values (${id}, ${`${id}@example.com`}, '{}')`;
      const exp = Math.floor(Date.now() / 1_000) + 3_600;
      const body = `${part({ alg: "HS256", typ: "JWT" })}.${part({ sub: id, role: "authenticated", exp })}`;
      return { id, token: `${body}.${createHmac("sha256", jwtSecret).update(body).digest("base64url")}` };
    }),
  );
}

function sender(fetch: (request: Request) => Promise<Response>, key: string) {
  return async (path: string, body?: object, token?: string): Promise<void> => {
    const request = new Request(new URL(path, "http://shop.example"), {
      method: body ? "POST" : "GET",
      headers: {
        apikey: key,
        "content-type": "application/json",
        prefer: "return=representation",
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const answer = await fetch(request);
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    await answer.arrayBuffer();
  };
}

/** One request's work as every data API must do it: role and claims for this transaction, then the statement. */
async function inTransaction(
  sql: postgres.Sql,
  role: string,
  id: string,
  statements: [text: string, values: string[]][],
): Promise<void> {
  const claims = JSON.stringify({ sub: id, role });
  await sql.begin(async (transaction) => {
    await transaction`select set_config('request.jwt.claims', ${claims}, true),
      set_config('request.jwt.claim.sub', ${id}, true), set_config('role', ${role}, true)`;
    for (const [text, values] of statements) await transaction.unsafe(text, values, { prepare: true });
  });
}

async function load(count: number, work: (number: number) => Promise<void>): Promise<Load> {
  const warmUp = Math.min(100, count);
  for (let at = 0; at < warmUp; at += 1) await work(at);
  const times: number[] = [];
  let next = 0;
  const startedAt = performance.now();
  const worker = async () => {
    for (let at = next++; at < count; at = next++) {
      const began = performance.now();
      await work(at);
      times.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  const perSecond = count / ((performance.now() - startedAt) / 1_000);
  return { perSecond, p50: percentile(times, 0.5), p95: percentile(times, 0.95) };
}
