import { readFile } from "node:fs/promises";
import { loadavg } from "node:os";
import type { BackendClient } from "#app/lib/backend/client.ts";
import { newDataDir, removeFolder } from "#tests/support/embedded-shop.ts";
import { connect } from "#tests/support/shop-client.ts";
import { ADMIN, type ShopServer, startShop } from "#tests/support/shop-server.ts";
import { familyOf } from "#tests/torture/processes.ts";
import { adminReadings, type Reading, readCounted } from "./admin-readings.ts";
import { fullOrQuick } from "./lengths.ts";
import { fillOrders } from "./million-orders.ts";
import { fillCatalogue, fillShop } from "./million-shop.ts";
import { atMost, milliseconds, type Outcome, percentile, type Section } from "./report.ts";

const BOOKS = Number(process.env.BENCH_BOOKS ?? fullOrQuick(1_000_000, 20_000));
const ORDERS = Number(process.env.BENCH_ORDERS ?? fullOrQuick(1_000_000, 100_000));
const RUNS = fullOrQuick(20, 2);
const BUDGET_MS = 150;

/** The back office's lists with a million books and a million orders, in an embedded database of their own. */
export async function measureMillionAdmin(): Promise<Section> {
  const figure = (value: number) => value.toLocaleString("en-GB");
  const section: Section = {
    title: `The back office's lists with ${figure(BOOKS)} books and ${figure(ORDERS)} orders`,
    about: "",
    header: ["List", "Processor, p50", "Processor, p95", "Wall, p50", "Wall, p95", "Within the budget"],
    rows: [],
  };
  const dataDir = await newDataDir();
  try {
    await fillShop(dataDir, async (sql) => {
      await fillCatalogue(sql, BOOKS);
      await fillOrders(sql, ORDERS);
    });
    const shop = await startShop({ DATA_DIR: dataDir, SHOP_DEMO: "0" });
    try {
      const taken = await measureReadings(shop, { books: BOOKS / 10_000, orders: ORDERS / 100_000 });
      section.rows = taken.map(({ row }) => row);
      section.outcomes = taken.map(({ outcome }) => outcome);
      section.about = `Over HTTP as an admin, embedded PostgreSQL with its own settings, vacuumed and restarted; with the back office's own functions: page of 50 and exact count together, ${RUNS} times each, one after the other. Processor time is that of the database's processes. Budget: ${BUDGET_MS} ms of it at p95. Load average ${loadavg()[0]?.toFixed(1)} on this machine.`;
    } finally {
      await shop.stop();
    }
  } finally {
    await removeFolder(dataDir);
  }
  return section;
}

/** All readings in a running shop; each is printed. */
async function measureReadings(shop: ShopServer, scale: { books: number; orders: number }): Promise<Taken[]> {
  const client = await connect(shop, "2001:db8::50");
  const { error } = await client.auth.signInWithPassword(ADMIN);
  if (error) throw error;
  const all: Taken[] = [];
  for (const reading of adminReadings(scale)) {
    const taken = await take(shop, reading, client);
    console.log(taken.row.join(" | "));
    all.push(taken);
  }
  return all;
}

type Taken = { row: string[]; outcome: Outcome };

async function take(shop: ShopServer, reading: Reading, client: BackendClient): Promise<Taken> {
  const processor: number[] = [];
  const wall: number[] = [];
  const { name } = reading;
  await readCounted(reading, client, shop.url, RUNS, async (read) => {
    const before = await databaseMilliseconds(shop);
    const startedAt = performance.now();
    await read();
    wall.push(performance.now() - startedAt);
    const after = await databaseMilliseconds(shop);
    let spent = 0;
    for (const [pid, milliseconds] of after) spent += milliseconds - (before.get(pid) ?? 0);
    processor.push(spent);
  });
  const p95 = percentile(processor, 0.95);
  const figures = [percentile(processor, 0.5), p95, percentile(wall, 0.5), percentile(wall, 0.95)];
  const outcome = atMost(`Processor time of ${name}, p95`, p95, BUDGET_MS, milliseconds);
  return { row: [name, ...figures.map(milliseconds), outcome.isMissed ? "no" : "yes"], outcome };
}

/** Processor time of each of the database's processes since it started. */
async function databaseMilliseconds(shop: ShopServer): Promise<Map<number, number>> {
  const spent = new Map<number, number>();
  for (const pid of await familyOf(shop.process.pid ?? 0)) {
    const name = await readFile(`/proc/${pid}/comm`, "utf8").catch(() => "");
    if (!name.startsWith("postgres")) continue;
    const stat = await readFile(`/proc/${pid}/schedstat`, "utf8").catch(() => "0");
    spent.set(pid, Number(stat.split(" ")[0]) / 1e6);
  }
  return spent;
}
