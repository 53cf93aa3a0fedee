import { setImmediate as turn } from "node:timers/promises";
import postgres from "postgres";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { readSecrets } from "#server/lib/secrets.ts";
import { eventually } from "#tests/support/eventually.ts";
import { type OwnApi, openOwnApi } from "#tests/support/own-api.ts";
import { newDatabase } from "#tests/support/owners-postgres.ts";
import { START_MS, startShop } from "#tests/support/shop-server.ts";

const also = `
  create function public.dawdle() returns text language plpgsql as $$
  begin
    perform pg_sleep(0.02);
    return coalesce(auth.uid()::text, 'nobody');
  end $$;
  create table public.calls (n int);
  create function public.call_once() returns table (n int) language sql security definer as
    'insert into public.calls values (1) returning n';
  grant execute on function public.dawdle, public.call_once to anon, authenticated;`;

let api: OwnApi;
beforeAll(async () => {
  api = await openOwnApi(also);
});
afterAll(() => api?.close());

test("However many requests are cancelled or fail, each next one runs as its own sender", async () => {
  const people = await Promise.all(Array.from({ length: 6 }, () => api.newPerson()));
  let canceled = 0;
  let own = 0;
  const wrong: string[] = [];

  async function askOnce(n: number): Promise<void> {
    const as = n % 7 === 0 ? undefined : people[n % people.length];
    const call = { ...(as ? { as } : {}), ip: `203.0.113.${n % 200}` };
    if (n % 5 === 0) await api.ask("/rest/v1/books?id=eq.none", call);
    if (n % 3 === 0) {
      const leaving = new AbortController();
      const pending = api.ask("/rest/v1/rpc/dawdle", { ...call, body: {}, signal: leaving.signal });
      for (let turns = 0; turns < n % 40; turns += 1) await turn();
      leaving.abort();
      await pending;
      canceled += 1;
    }
    const response = await api.ask("/rest/v1/rpc/dawdle", { ...call, body: {} });
    const name = await response.json();
    if (response.status === 200 && name === (as ?? "nobody")) own += 1;
    else wrong.push(`${response.status} ${JSON.stringify(name)} instead of ${as ?? "nobody"}`);
  }

  let next = 0;
  const worker = async () => {
    while (next < 600) await askOnce(next++);
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  expect(wrong).toEqual([]);
  expect(canceled).toBe(200);
  expect(own).toBe(600);
  // They are no one's fault, and 200 of them are not worth logging.
  expect(api.log).toEqual([]);
});

test("A function whose rows are also counted is called once", async () => {
  const person = await api.newPerson();
  const headers = { prefer: "count=exact" };
  const response = await api.ask("/rest/v1/rpc/call_once", { as: person, body: {}, headers });
  expect([response.status, response.headers.get("content-range")]).toEqual([200, "0-0/1"]);
  expect(await api.sql.query("select * from public.calls")).toHaveLength(1);
});

test(
  "What a browser no longer waits for ends in the database, through both of the shop's processes",
  async () => {
    const database = await newDatabase();
    onTestFinished(database.drop);
    const shop = await startShop({ DATABASE_URL: database.url, SHOP_DEMO: "0" });
    onTestFinished(shop.stop);
    const sql = postgres(database.url, { max: 2, onnotice: () => {} });
    onTestFinished(() => sql.end());
    // The owner's requests have minutes, so that no timeout ends them.
    const apikey = (await readSecrets(shop.dataDir))?.secretKey ?? "";
    const ask = (signal?: AbortSignal) =>
      fetch(`${shop.url}/rest/v1/books?select=id&limit=1`, { headers: { apikey }, signal: signal ?? null });
    const waiting = () =>
      sql`select pid from pg_stat_activity where datname = current_database()
      and application_name = 'shop api' and wait_event_type = 'Lock'`;
    await sql.begin(async (holder) => {
      await holder`lock table public.books in access exclusive mode`;
      const leaving = new AbortController();
      const pending = Promise.allSettled(Array.from({ length: 5 }, () => ask(leaving.signal)));
      await eventually(async () => expect(await waiting()).toHaveLength(5), { timeout: 20_000 });
      leaving.abort();
      await pending;
      await eventually(async () => expect(await waiting()).toHaveLength(0), { timeout: 20_000 });
    });
    expect((await ask()).status).toBe(200);
    expect(shop.output()).not.toMatch(/"level":"(warn|error)"/);
  },
  2 * START_MS,
);
