import { loadavg } from "node:os";
import { startShop } from "#tests/support/shop-server.ts";
import { milliseconds, percentile, type Section } from "./report.ts";
import { load } from "./throughput.ts";

const TURNS = 5;
const WORKERS = [1, 2];
const CONNECTIONS = 16;
/** More than are answered in a turn. */
const SEARCHES = 5_000;

/** Pages a second with one web process and with two that share the port, in turns on the same machine. */
export async function measureWorkers(): Promise<Section> {
  const shops = await Promise.all(
    WORKERS.map(async (workers) => ({
      workers,
      shop: await startShop({ WORKERS: String(workers) }),
    })),
  );
  let lastSearch = 0;
  const nextSearch = () => `/shop?q=${(lastSearch++).toString(36)}`;
  const kinds: [name: string, paths: () => string[]][] = [
    ["`/shop`, cached", () => ["/shop"]],
    ["`/shop?q=…`, each search new", () => Array.from({ length: SEARCHES }, nextSearch)],
  ];
  const rows: string[][] = [];
  try {
    for (const [name, paths] of kinds) {
      const turns = shops.map(() => [] as Awaited<ReturnType<typeof load>>[]);
      for (let turn = 0; turn < TURNS; turn += 1)
        for (const [at, { shop }] of shops.entries()) {
          await load({ name, url: shop.url, paths: paths().slice(0, 200) }, CONNECTIONS, 1);
          turns[at]?.push(await load({ name, url: shop.url, paths: paths() }, CONNECTIONS));
        }
      for (const [at, { workers }] of shops.entries())
        rows.push([name, String(workers), ...figures(turns[at] ?? [], turns[0] ?? [])]);
    }
  } finally {
    for (const { shop } of shops) await shop.stop();
  }
  const busy = loadavg()[0]?.toFixed(1);
  return {
    title: "Workers",
    about: `The same shop with one web process and with two (\`WORKERS\`), ${CONNECTIONS} connections; median of ${TURNS} turns. The load generator, the backend and the database share the cores. Load average ${busy} at the end.`,
    header: ["", "Workers", "Pages/s", "Ratio to one", "p50", "p99"],
    rows,
  };
}

type Turns = Awaited<ReturnType<typeof load>>[];

function figures(turns: Turns, single: Turns): string[] {
  const median = (pick: (turn: Turns[number], at: number) => number) => percentile(turns.map(pick), 0.5);
  const rates = turns.map(({ perSecond }) => Math.round(perSecond));
  return [
    `${Math.round(median(({ perSecond }) => perSecond))} (${Math.min(...rates)}–${Math.max(...rates)})`,
    median(({ perSecond }, at) => perSecond / (single[at]?.perSecond ?? Number.NaN)).toFixed(2),
    milliseconds(median(({ p50 }) => p50)),
    milliseconds(median(({ p99 }) => p99)),
  ];
}
