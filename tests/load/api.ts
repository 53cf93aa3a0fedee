import { loadavg } from "node:os";
import { issuerOf } from "#server/api/caller.ts";
import { readSecrets } from "#server/lib/secrets.ts";
import { newDataDir, openEmbeddedShop, removeFolder } from "#tests/support/embedded-shop.ts";
import { startShop } from "#tests/support/shop-server.ts";
import { familyOf } from "#tests/torture/processes.ts";
import {
  CONNECTIONS,
  compareWithFloor,
  loadOverHttp,
  loadStraight,
  type Shop,
  type Turn,
} from "./api-loads.ts";
import { makeTargets } from "./api-targets.ts";
import { importSchoolBooks } from "./import-school-books.ts";
import { secondsOr, turnsOr } from "./lengths.ts";
import { atLeast, inHundredths, milliseconds, type Outcome, percentile, type Section } from "./report.ts";
import { connectTo } from "./running-shop.ts";

const SECONDS = secondsOr(4);
/** Under load, Node compiles what a call runs within some seconds; in a shop that runs all day it has done so. */
const WARM_UP_SECONDS = 2 * SECONDS;
const TURNS = turnsOr(3);

/**
 * The data API over HTTP, with 10,000 books, as an owner runs it: shop and database on one machine with the load.
 * The floor is the same SQL, one statement after the other on as many connections, straight from that database.
 */
export async function measureApi(): Promise<Section> {
  const section: Section = {
    title: "The data API",
    about: `10,000 school books, right after their import; ${CONNECTIONS} connections over HTTP through the whole shop, embedded PostgreSQL, policies in force; median of ${TURNS} turns of ${SECONDS} s, each beside its floor: the same SQL straight from that database with a driver. Before their turns both have ${WARM_UP_SECONDS} s of the same load. The searches are the mix of 300 words in tests/load/search-mix.ts. Reads return the same rows as their floor, and the shop's and the database's counts of calls, orders, lines, stock movements and emails match the load, or the measurement fails. Milliseconds of processor time are those of user and system together, in the shop's Node processes and in PostgreSQL; the driver's own are not in the floor.`,
    header: [
      "",
      "A second",
      "Ratio to floor",
      "p99",
      "Node, ms each",
      "PostgreSQL, ms each",
      "Floor a second",
      "Floor's PostgreSQL, ms each",
    ],
    rows: [],
  };
  const outcomes: Outcome[] = [];
  const dataDir = process.env.BENCH_DATA_DIR ?? (await newDataDir());
  if (!process.env.BENCH_DATA_DIR) await fill(dataDir);
  const shop = await startShop({ DATA_DIR: dataDir, SHOP_DEMO: "0" });
  const sql = await connectTo(dataDir, CONNECTIONS);
  try {
    const secrets = await readSecrets(dataDir);
    if (!secrets) throw new Error("The backend has made no keys");
    const pids = await familyOf(shop.process.pid ?? 0);
    const running: Shop = { url: shop.url, key: secrets.publishableKey, pids, sql };
    const targets = await makeTargets(sql, { ...secrets, issuer: issuerOf(shop.url) }, WARM_UP_SECONDS);
    const selected = process.env.BENCH_TARGETS?.split(",");
    for (const target of targets) {
      if (selected && !selected.some((name) => target.name.includes(name))) continue;
      const own: Turn[] = [];
      const floors: Turn[] = [];
      if (!target.rows) await compareWithFloor(running, target);
      for (const load of [loadStraight, loadOverHttp]) {
        await target.prepare?.();
        await load(running, target, WARM_UP_SECONDS);
      }
      for (let turn = 0; turn < TURNS; turn += 1) {
        await target.prepare?.();
        floors.push(await loadStraight(running, target, SECONDS));
        await target.prepare?.();
        own.push(await loadOverHttp(running, target, SECONDS));
      }
      section.rows.push(row(target.name, own, floors));
      const { name, leastRatio } = target;
      if (leastRatio)
        outcomes.push(
          atLeast(
            `Rate of ${name}, as a share of the same SQL's`,
            ratio(own, floors),
            leastRatio,
            inHundredths,
          ),
        );
      console.log(section.rows.at(-1)?.join(" | "));
    }
    section.about += ` Load average ${(loadavg()[0] ?? 0).toFixed(1)} on this machine at the end, the bench's own load included.`;
    return { ...section, outcomes };
  } finally {
    await sql.end();
    await shop.stop();
    if (!process.env.BENCH_DATA_DIR) await removeFolder(dataDir);
  }
}

async function fill(dataDir: string): Promise<void> {
  const shop = await openEmbeddedShop({ DATA_DIR: dataDir, SHOP_DEMO: "0" });
  await importSchoolBooks(shop).finally(shop.stop);
}

/** The median of each turn's rate as a share of its floor's. */
const ratio = (own: Turn[], floors: Turn[]) =>
  percentile(
    own.map(({ perSecond }, turn) => perSecond / (floors[turn]?.perSecond ?? Number.NaN)),
    0.5,
  );

function row(name: string, own: Turn[], floors: Turn[]): string[] {
  const median = (all: number[]) => percentile(all, 0.5);
  const rates = own.map(({ perSecond }) => perSecond);
  return [
    name,
    `${median(rates).toFixed(0)} (${Math.min(...rates).toFixed(0)}–${Math.max(...rates).toFixed(0)})`,
    inHundredths(ratio(own, floors)),
    milliseconds(median(own.map(({ p99 }) => p99))),
    median(own.map(({ node }) => node)).toFixed(2),
    median(own.map((turn) => turn.postgres)).toFixed(2),
    median(floors.map(({ perSecond }) => perSecond)).toFixed(0),
    median(floors.map((turn) => turn.postgres)).toFixed(2),
  ];
}
