import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ShopServer, startShop } from "#tests/support/shop-server.ts";
import type { Section } from "./report.ts";

const STARTS = 5;
const SETTLE_MS = 5_000;

/** Time to ready with the pages built and the database there, and memory of both processes at rest. */
export async function measureStartUp(): Promise<Section> {
  const dataDir = await mkdtemp(join(tmpdir(), "adwene-bench-"));
  try {
    const first = await timedStart(dataDir);
    await first.shop.stop();
    const later: number[] = [];
    let memory = 0;
    for (let start = 0; start < STARTS; start++) {
      const { shop, seconds } = await timedStart(dataDir);
      later.push(seconds);
      if (start === STARTS - 1) {
        await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
        memory = await residentMegabytes(shop);
      }
      await shop.stop();
    }
    const median = later.sort((a, b) => a - b)[Math.floor(STARTS / 2)] ?? Number.NaN;
    return {
      title: "Start and memory",
      about: `Ready means that \`/readyz\` answers 200. Median of ${STARTS} later starts; memory is the resident set of web process and embedded backend together, ${SETTLE_MS / 1000} s after the start. Budgets: 3 s and 350 MB.`,
      header: ["First start (with demo catalogue)", "Later start", "Memory at rest"],
      rows: [[`${first.seconds.toFixed(2)} s`, `${median.toFixed(2)} s`, `${Math.round(memory)} MB`]],
    };
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function timedStart(dataDir: string): Promise<{ shop: ShopServer; seconds: number }> {
  const startedAt = performance.now();
  const shop = await startShop({ DATA_DIR: dataDir });
  return { shop, seconds: (performance.now() - startedAt) / 1000 };
}

/** Resident memory of a process and all that it started, from /proc (Linux alone). */
async function residentMegabytes(shop: ShopServer): Promise<number> {
  const parents = new Map<number, number>();
  for (const entry of await readdir("/proc")) {
    const pid = Number(entry);
    if (!Number.isInteger(pid)) continue;
    const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
    const parent = /^\d+ \(.*\) \S (\d+)/s.exec(stat)?.[1];
    if (parent) parents.set(pid, Number(parent));
  }
  const root = shop.process.pid ?? 0;
  const family = [...parents.keys()].filter((pid) => {
    for (let at: number | undefined = pid; at; at = parents.get(at)) if (at === root) return true;
    return false;
  });
  let kilobytes = 0;
  for (const pid of family) {
    const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
    kilobytes += Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0);
  }
  return kilobytes / 1000;
}
