import { loadavg } from "node:os";
import { newDataDir, removeFolder } from "#tests/support/embedded-shop.ts";
import { startShop } from "#tests/support/shop-server.ts";
import { fullOrQuick } from "./lengths.ts";
import { measureCatalogue } from "./million-catalogue.ts";
import { fillCatalogue, fillShop } from "./million-shop.ts";
import type { Section } from "./report.ts";
import { connectTo } from "./running-shop.ts";

/** How many books; `BENCH_BOOKS=100000 npm run bench -- million` takes a tenth of the time. */
const BOOKS = Number(process.env.BENCH_BOOKS ?? fullOrQuick(1_000_000, 20_000));

/** The catalogue's functions with a million generated books, in an embedded database of their own. Takes about a quarter of an hour. */
export async function measureMillion(): Promise<Section> {
  const section: Section = {
    title: `A catalogue of ${BOOKS.toLocaleString("en-GB")} books`,
    about: "",
    header: ["", "Processor, p50", "Processor, p95", "Wall, p50", "Wall, p95", "Within the budget"],
    rows: [],
  };
  const dataDir = await newDataDir();
  try {
    const startedAt = performance.now();
    await fillShop(dataDir, (sql) => fillCatalogue(sql, BOOKS));
    const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
    const shop = await startShop({ DATA_DIR: dataDir, SHOP_DEMO: "0" });
    const sql = await connectTo(dataDir, 1, "owner");
    try {
      const { slower, others, outcomes } = await measureCatalogue(sql, BOOKS);
      section.rows = slower;
      section.outcomes = outcomes;
      section.about = `Generated from the words of 10,000 school books in ${minutes} minutes, embedded PostgreSQL with its own settings, vacuumed and restarted; as a visitor with policies in force, one call at a time on one connection: each 20 times, counts and facets 5 times, searches once each from the mix of 300 words. Processor time is that of the database's process for one call. ${others} further calls, not listed, take less than 20 ms of it at p95, among them all pages and sort orders with one publisher, course, subject or grade level. Budgets for its p95: a page 50 ms, the first exact count or facet 500 ms. Load average ${loadavg()[0]?.toFixed(1)} on this machine.`;
    } finally {
      await sql.end();
      await shop.stop();
    }
  } finally {
    await removeFolder(dataDir);
  }
  return section;
}
