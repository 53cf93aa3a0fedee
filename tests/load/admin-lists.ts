import { readFile } from "node:fs/promises";
import postgres from "postgres";
import type { BackendClient } from "#app/lib/backend-client.ts";
import { newDatabase } from "#tests/support/owners-postgres.ts";
import { connect } from "#tests/support/shop-client.ts";
import { ADMIN, startShop } from "#tests/support/shop-server.ts";
import { adminReadings, type Reading, readCounted } from "./admin-readings.ts";
import { fullOrQuick } from "./lengths.ts";
import { milliseconds, percentile, type Section } from "./report.ts";

const RUNS = fullOrQuick(40, 2);
const BUDGET_MS = 150;

/** The back office's lists at the API of a shop on PostgreSQL, rows and exact count together. */
export async function measureAdminLists(): Promise<Section> {
  const section: Section = {
    title: "The back office's lists",
    about: `10,000 books, 100,000 orders, 20,000 accounts, 15,000 reviews on PostgreSQL; over HTTP as an admin, with the back office's own functions: page of 50 and exact count together, ${RUNS} times each, one after the other. Budget: p95 at most ${BUDGET_MS} ms.`,
    header: ["List", "p50", "p95", "Within the budget"],
    rows: [],
  };
  const { url, drop } = await newDatabase();
  const shop = await startShop({ DATABASE_URL: url, SHOP_DEMO: "0" });
  try {
    const database = postgres(url, { max: 1, onnotice: () => {} });
    await database.unsafe(await readFile(new URL("big-shop.sql", import.meta.url), "utf8"));
    // As autovacuum does sooner or later: rows written in bulk have not been vacuumed yet.
    await database.unsafe("vacuum analyze");
    await database.end();
    const client = await connect(shop, "2001:db8::50");
    const { error } = await client.auth.signInWithPassword(ADMIN);
    if (error) throw error;
    for (const reading of adminReadings({ books: 1, orders: 1 }))
      section.rows.push(await take(reading, client, shop.url));
    return section;
  } finally {
    await shop.stop();
    await drop();
  }
}

async function take(reading: Reading, client: BackendClient, url: string): Promise<string[]> {
  const times: number[] = [];
  const { name } = reading;
  await readCounted(reading, client, url, RUNS, async (read) => {
    const startedAt = performance.now();
    await read();
    times.push(performance.now() - startedAt);
  });
  const p95 = percentile(times, 0.95);
  return [name, milliseconds(percentile(times, 0.5)), milliseconds(p95), p95 <= BUDGET_MS ? "yes" : "no"];
}
