import { afterAll, beforeAll, expect, it } from "vitest";
import { type OwnApi, openOwnApi } from "#tests/support/own-api.ts";

/* Concurrent changes of many rows, which meet in the database. */

let api: OwnApi;
let admin: string;

beforeAll(async () => {
  api = await openOwnApi();
  admin = await api.newPerson("admin");
  // On the disk they lie against the order of their ids, so that two plans go through them in opposite directions.
  await api.sql.query(
    `insert into public.books (id, title, publisher, price, stock_quantity)
     select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'Book ' || n, 'Publisher ' || n % 1000, 10, 5
       from generate_series(20000, 1, -1) as n`,
  );
  await api.sql.exec("analyze public.books");
});
afterAll(() => api?.close());

const deadlocks = async () => {
  const [row] = await api.sql.query<{ deadlocks: number }>(
    "select deadlocks::int from pg_stat_database where datname = current_database()",
  );
  return row?.deadlocks;
};

it("40 concurrent changes of the same books, in opposite orders, all succeed without a deadlock", {
  tags: "long",
}, async () => {
  const ids = Array.from(
    { length: 20 },
    (_, n) => `00000000-0000-4000-8000-${String(n * 1000 + 7).padStart(12, "0")}`,
  );
  const byPublisher = "/rest/v1/books?publisher=eq.Publisher%207";
  const byIds = `/rest/v1/books?id=in.(${ids.join(",")})&price=gt.0`;
  const before = await deadlocks();
  const statuses = await Promise.all(
    Array.from({ length: 40 }, async (_, n) => {
      const answer = await api.ask(n % 2 ? byPublisher : byIds, {
        method: "PATCH",
        as: admin,
        ip: `203.0.113.${n}`,
        body: { stock_quantity: n },
      });
      return answer.status;
    }),
  );
  expect(statuses).toEqual(Array(40).fill(204));
  await api.sql.query("select pg_stat_force_next_flush()");
  expect(await deadlocks()).toBe(before);
});

it("A concurrent change and deletion of the same books neither fail nor take partial effect", async () => {
  const where = "/rest/v1/books?publisher=eq.Publisher%208";
  const answers = await Promise.all([
    api.ask(where, {
      method: "PATCH",
      as: admin,
      body: { price: 20 },
      headers: { prefer: "return=representation" },
    }),
    api.ask(where, { method: "DELETE", as: admin }),
    api.ask(where, { method: "PATCH", as: admin, body: { price: 30 } }),
  ]);
  expect(answers.map(({ status }) => status < 300)).toEqual([true, true, true]);
  expect(await (await api.ask(where)).json()).toEqual([]);
});

it("Only rows that still match the filter after the wait are changed", async () => {
  const where = "/rest/v1/books?publisher=eq.Publisher%209&stock_quantity=eq.5";
  const counts = await Promise.all(
    Array.from({ length: 6 }, async (_, n) => {
      const call = {
        method: "PATCH",
        as: admin,
        body: { stock_quantity: 100 + n },
        headers: { prefer: "return=representation" },
      };
      return ((await (await api.ask(where, call)).json()) as unknown[]).length;
    }),
  );
  expect(counts.toSorted((a, b) => a - b)).toEqual([0, 0, 0, 0, 0, 20]);
});
