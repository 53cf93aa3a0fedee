import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildIfChanged } from "#server/web/build.ts";
import { type ShopServer, startShop } from "#tests/support/shop-server.ts";
import { familyOf } from "#tests/torture/processes.ts";
import { measureInstallation } from "./installation.ts";
import { measureKills, type Recoveries } from "./killed-shop.ts";
import { fullOrQuick } from "./lengths.ts";
import { atMost, inHundredths, inSeconds, percentile, type Section } from "./report.ts";

const STARTS = fullOrQuick(5, 1);
const KILLS = fullOrQuick(5, 1);
const SETTLE_MS = 5_000;

const buildFolder = join(import.meta.dirname, "../../build");

/** Time to ready with and without pages and database, memory of all processes at rest, and the next order after a kill. */
export async function measureStartUp(): Promise<Section> {
  const dataDir = await mkdtemp(join(tmpdir(), "adwene-bench-"));
  const withoutPages = await mkdtemp(join(tmpdir(), "adwene-bench-"));
  try {
    const installation = await measureInstallation();
    await rm(buildFolder, { recursive: true, force: true });
    const building = await timedStart(withoutPages, true);
    await building.shop.stop();
    // What that start would have gone on with.
    await buildIfChanged();
    const first = await timedStart(dataDir);
    await first.shop.stop();
    const later: number[] = [];
    let memory = 0;
    let recoveries: Recoveries | null = null;
    for (let start = 0; start < STARTS; start++) {
      const { shop, seconds } = await timedStart(dataDir);
      later.push(seconds);
      if (start === STARTS - 1) {
        await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
        memory = await proportionalMegabytes(shop);
        recoveries = await measureKills(shop, KILLS);
      }
      await shop.stop();
    }
    const median = percentile(later, 0.5);
    const { seconds, databaseRestarts } = recoveries ?? {
      seconds: [Number.NaN],
      databaseRestarts: Number.NaN,
    };
    const slowest = Math.max(...seconds);
    const inMegabytes = (megabytes: number) => `${Math.round(megabytes)} MB`;
    return {
      title: "Start, memory and recovery",
      about: `Ready means that \`/readyz\` answers 200. The pages are built in this checkout's \`build\` folder, while the backend opens; their brotli forms are made once the shop is open. Median of ${STARTS} later starts; memory is the proportional set size (shared pages counted once) of the shop's processes and those of the database together, ${SETTLE_MS / 1000} s after the start. \`npm ci\` installs the same packages in an empty folder from npm's cache: it says how fast the machine is. After that, the process that serves the shop is killed ${KILLS} times, each time while a customer keeps sending one order: the slowest time until it is confirmed, and how often the database's first process was another one then.`,
      header: [
        "`npm ci`",
        "First start, pages built",
        "First start, pages there (with demo catalogue)",
        "Later start",
        "Memory at rest",
        "Next order after a kill",
        "Database restarts",
      ],
      rows: [
        [
          ...[installation, building.seconds, first.seconds, median].map(inSeconds),
          inMegabytes(memory),
          inSeconds(slowest),
          `${databaseRestarts} of ${KILLS}`,
        ],
      ],
      outcomes: [
        atMost(
          "First start, with the pages still to build, as a share of `npm ci`",
          building.seconds / installation,
          0.4,
          inHundredths,
        ),
        atMost("Later start", median, 0.9, inSeconds),
        atMost("Memory at rest, shop and database", memory, 130, inMegabytes),
        atMost("Next order after the serving process is killed", slowest, 3, inSeconds),
        atMost("Restarts of the database by those kills", databaseRestarts, 0),
      ],
    };
  } finally {
    for (const folder of [dataDir, withoutPages]) await rm(folder, { recursive: true, force: true });
  }
}

/** @throws Error if the pages were built unnecessarily or not built, or if the shop has no books */
async function timedStart(dataDir: string, builds = false): Promise<{ shop: ShopServer; seconds: number }> {
  const startedAt = performance.now();
  const shop = await startShop({ DATA_DIR: dataDir });
  const seconds = (performance.now() - startedAt) / 1000;
  if (shop.output().includes("Building the pages") !== builds)
    throw new Error(`The start has ${builds ? "not " : ""}built the pages`);
  const html = await (await fetch(`${shop.url}/shop`)).text();
  if (!/[1-9]\d* Book\(s\) Found/.test(html)) throw new Error("The shop has started without books");
  return { shop, seconds };
}

/** Proportional memory of a process and all that it started, from /proc (Linux alone). */
async function proportionalMegabytes(shop: ShopServer): Promise<number> {
  const family = await familyOf(shop.process.pid ?? 0);
  let kilobytes = 0;
  for (const pid of family) {
    const sums = await readFile(`/proc/${pid}/smaps_rollup`, "utf8").catch(() => "");
    kilobytes += Number(/^Pss:\s+(\d+)/m.exec(sums)?.[1] ?? 0);
  }
  return kilobytes / 1000;
}
