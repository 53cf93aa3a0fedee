import { startShop } from "#tests/support/shop-server.ts";
import { fetchCompressed, openBareServer } from "./bare-server.ts";
import { secondsOr, turnsOr } from "./lengths.ts";
import { loadPages, type PageRate } from "./page-load.ts";
import { kilobytes, milliseconds, percentile, type Section, spread } from "./report.ts";

const SECONDS = secondsOr(4);
const TURNS = turnsOr(3);

type Turn = { floor: PageRate; cached: PageRate };

/** Cached pages per second, compared with a bare Node server that sends the same bytes in the same run. */
export async function measureThroughput(): Promise<Section> {
  const shop = await startShop();
  try {
    const sitemap = await (await fetch(`${shop.url}/sitemap.xml`)).text();
    const bookPath = new URL(/<loc>([^<]+\/books\/[^<]+)<\/loc>/.exec(sitemap)?.[1] ?? "", shop.url).pathname;
    const pages = [
      ["`/`", "/"],
      ["`/shop`", "/shop"],
      ["`/shop?publisher=Collins`", "/shop?publisher=Collins"],
      ["`/products/cambridge`", "/products/cambridge"],
      ["a book's page", bookPath],
    ] as const;
    const rows: string[][] = [];
    for (const connections of [16, 200])
      for (const [name, path] of pages) {
        const page = await fetchCompressed(shop.url + path);
        const floor = await openBareServer(page);
        const turns: Turn[] = [];
        for (let turn = 0; turn < TURNS; turn += 1)
          turns.push({
            floor: await loadPages({ url: floor.url, path: "/", connections, seconds: SECONDS }),
            cached: await loadPages({ url: shop.url, path, connections, seconds: SECONDS, work: "cached" }),
          });
        floor.stop();
        rows.push([name, kilobytes(page.body.byteLength), String(connections), ...cells(turns)]);
      }
    return {
      title: "Cached pages a second",
      about: `Compressed as a browser asks for them; demo catalogue, embedded backend; median of ${TURNS} turns of ${SECONDS} s (lowest and highest in brackets). The floor is a bare Node server that sends the same bytes from memory, measured in the same turn by the same load generator (autocannon), which shares the cores with both: its rate is also the most that the generator can measure. The shop's own counters confirm that every page came from its cache.`,
      header: ["Page", "Bytes sent", "Connections", "Floor/s", "Pages/s", "Ratio to floor", "p50", "p99"],
      rows,
    };
  } finally {
    await shop.stop();
  }
}

function cells(turns: Turn[]): string[] {
  const median = (pick: (turn: Turn) => number) => percentile(turns.map(pick), 0.5);
  return [
    median(({ floor }) => floor.perSecond).toFixed(0),
    spread(
      turns.map(({ cached }) => cached.perSecond),
      0,
    ),
    median(({ floor, cached }) => cached.perSecond / floor.perSecond).toFixed(2),
    milliseconds(median(({ cached }) => cached.p50)),
    milliseconds(median(({ cached }) => cached.p99)),
  ];
}
