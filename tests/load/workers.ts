import { loadavg } from "node:os";
import { startShop } from "#tests/support/shop-server.ts";
import { secondsOr, turnsOr } from "./lengths.ts";
import { loadPages, type PageRate } from "./page-load.ts";
import { milliseconds, percentile, type Section, spread } from "./report.ts";
import { absentText } from "./search-mix.ts";

const TURNS = turnsOr(5);
const WORKERS = [1, 2];
const SECONDS = secondsOr(4);
const CONNECTIONS = 16;

/** Pages a second with one web process and with two that share the port, in turns on the same machine. */
export async function measureWorkers(): Promise<Section> {
  const shops = await Promise.all(
    WORKERS.map(async (workers) => ({
      workers,
      shop: await startShop({ WORKERS: String(workers) }),
    })),
  );
  let lastSearch = 0;
  const nextSearch = () => `/shop?q=${absentText(lastSearch++)}`;
  const kinds = [
    { name: "`/shop`, cached", path: "/shop", work: "cached" },
    { name: "`/shop?q=…`, a new search that finds nothing", path: nextSearch, work: "rendered" },
  ] as const;
  const rows: string[][] = [];
  try {
    for (const { name, path, work } of kinds) {
      const turns = shops.map(() => [] as PageRate[]);
      for (let turn = 0; turn < TURNS; turn += 1)
        for (const [at, { shop, workers }] of shops.entries()) {
          const load = { url: shop.url, connections: CONNECTIONS, path, work, workers };
          await loadPages({ ...load, seconds: 1 });
          turns[at]?.push(await loadPages({ ...load, seconds: SECONDS }));
        }
      for (const [at, { workers }] of shops.entries())
        rows.push([name, String(workers), ...cells(turns[at] ?? [], turns[0] ?? [])]);
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

function cells(turns: PageRate[], single: PageRate[]): string[] {
  const median = (pick: (turn: PageRate, at: number) => number) => percentile(turns.map(pick), 0.5);
  return [
    spread(
      turns.map(({ perSecond }) => perSecond),
      0,
    ),
    median(({ perSecond }, at) => perSecond / (single[at]?.perSecond ?? Number.NaN)).toFixed(2),
    milliseconds(median(({ p50 }) => p50)),
    milliseconds(median(({ p99 }) => p99)),
  ];
}
