import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ShopServer, startShop } from "#tests/support/shop-server.ts";
import { familyOf } from "#tests/torture/processes.ts";
import { fullOrQuick } from "./lengths.ts";
import type { Section } from "./report.ts";

const STARTS = fullOrQuick(5, 1);
const SETTLE_MS = 5_000;

const buildFolder = join(import.meta.dirname, "../../build");

/** Time to ready with and without pages and database, and memory of all processes at rest. */
export async function measureStartUp(): Promise<Section> {
  const dataDir = await mkdtemp(join(tmpdir(), "adwene-bench-"));
  const withoutPages = await mkdtemp(join(tmpdir(), "adwene-bench-"));
  try {
    await rm(buildFolder, { recursive: true, force: true });
    const building = await timedStart(withoutPages, true);
    await building.shop.stop();
    const first = await timedStart(dataDir);
    await first.shop.stop();
    const later: number[] = [];
    let memory = 0;
    for (let start = 0; start < STARTS; start++) {
      const { shop, seconds } = await timedStart(dataDir);
      later.push(seconds);
      if (start === STARTS - 1) {
        await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
        memory = await proportionalMegabytes(shop);
      }
      await shop.stop();
    }
    const median = later.sort((a, b) => a - b)[Math.floor(STARTS / 2)] ?? Number.NaN;
    return {
      title: "Start and memory",
      about: `Ready means that \`/readyz\` answers 200. The pages are built in this checkout's \`build\` folder, while the backend opens. Median of ${STARTS} later starts; memory is the proportional set size (shared pages counted once) of the shop's processes and those of the database together, ${SETTLE_MS / 1000} s after the start. Budgets: 10 s including the build, 0.9 s and 130 MB.`,
      header: [
        "First start, pages built",
        "First start, pages there (with demo catalogue)",
        "Later start",
        "Memory at rest",
      ],
      rows: [[...[building.seconds, first.seconds, median].map(inSeconds), `${Math.round(memory)} MB`]],
    };
  } finally {
    for (const folder of [dataDir, withoutPages]) await rm(folder, { recursive: true, force: true });
  }
}

const inSeconds = (seconds: number) => `${seconds.toFixed(2)} s`;

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
