import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import postgres from "postgres";
import type { BackendClient } from "#app/lib/backend-client.ts";
import { findPostgresProblem } from "#tests/support/database.ts";
import { ADMIN, startShop } from "#tests/support/shop-server.ts";
import { connect } from "#tests/support/test.ts";
import { adminReadings, type Reading } from "./admin-readings.ts";
import { milliseconds, percentile, type Section } from "./report.ts";

const RUNS = 40;
const BUDGET_MS = 150;
const server = process.env.TEST_DATABASE_URL ?? "postgres://postgres@127.0.0.1:5432/postgres";

/** The back office's lists at the API of a shop on PostgreSQL, rows and exact count together. */
export async function measureAdminLists(): Promise<Section> {
  const section: Section = {
    title: "The back office's lists",
    about: `10,000 books, 100,000 orders, 20,000 accounts, 15,000 reviews on PostgreSQL; over HTTP as an admin, with the back office's own functions: page of 50 and exact count together, ${RUNS} times each, one after the other. Budget: p95 at most ${BUDGET_MS} ms.`,
    header: ["List", "p50", "p95", "Within the budget"],
    rows: [],
  };
  const problem = await findPostgresProblem();
  if (problem) return { ...section, about: `Not measured: ${problem}.` };

  const name = `adwene_bench_${randomUUID().replaceAll("-", "")}`;
  const owner = postgres(server, { max: 1, onnotice: () => {} });
  await owner.unsafe(`create database ${name}`);
  const address = new URL(server);
  address.pathname = `/${name}`;
  const shop = await startShop({ DATABASE_URL: address.href, SHOP_DEMO: "0" });
  try {
    const database = postgres(address.href, { max: 1, onnotice: () => {} });
    await database.unsafe(await readFile(new URL("big-shop.sql", import.meta.url), "utf8"));
    // As autovacuum does sooner or later: rows written in bulk have not been vacuumed yet.
    await database.unsafe("vacuum analyze");
    await database.end();
    const client = await connect(shop, "2001:db8::50");
    const { error } = await client.auth.signInWithPassword(ADMIN);
    if (error) throw error;
    for (const reading of adminReadings({ books: 1, orders: 1 }))
      section.rows.push(await take(reading, client));
    return section;
  } finally {
    await shop.stop();
    await owner.unsafe(`drop database ${name} with (force)`);
    await owner.end();
  }
}

async function take({ name, read }: Reading, client: BackendClient): Promise<string[]> {
  const times: number[] = [];
  await read(client);
  for (let run = 0; run < RUNS; run++) {
    const startedAt = performance.now();
    await read(client);
    times.push(performance.now() - startedAt);
  }
  const p95 = percentile(times, 0.95);
  return [name, milliseconds(percentile(times, 0.5)), milliseconds(p95), p95 <= BUDGET_MS ? "yes" : "no"];
}
