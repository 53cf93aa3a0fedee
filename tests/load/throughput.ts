import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import autocannon from "autocannon";
import { startShop } from "#tests/support/shop-server.ts";
import { milliseconds, percentile, type Section } from "./report.ts";

const SECONDS = 4;
const TURNS = 3;

type Target = { name: string; url: string; paths: string[] };
type Turn = { perSecond: number; ratio: number; p50: number; p99: number };

/**
 * Pages a second, as a ratio to a bare Node server that answers the bytes of `/shop` from memory; the floor is taken again in
 * each turn, right before the pages.
 */
export async function measureThroughput(): Promise<Section> {
  const shop = await startShop();
  const page = Buffer.from(await (await fetch(`${shop.url}/shop`)).arrayBuffer());
  const floor = await bareServer(page);
  try {
    const sitemap = await (await fetch(`${shop.url}/sitemap.xml`)).text();
    const bookPath = new URL(/<loc>([^<]+\/books\/[^<]+)<\/loc>/.exec(sitemap)?.[1] ?? "", shop.url).pathname;
    const target = (name: string, ...paths: string[]) => ({ name, url: shop.url, paths });
    const searches = Array.from({ length: 2_000 }, (_, number) => `/shop?q=${number.toString(36)}`);
    const targets = [
      target("`/`, cached", "/"),
      target("`/shop`, cached", "/shop"),
      target("`/shop?publisher=Collins`, cached", "/shop?publisher=Collins"),
      target("`/products/cambridge`, cached", "/products/cambridge"),
      target("a book's page, cached", bookPath),
    ];
    const bare = { name: "Floor: bare Node server", url: floor.url, paths: ["/"] };
    const fresh = target("`/shop?q=…`, each search new: queried and rendered", ...searches);
    const rows: string[][] = [];
    for (const connections of [16, 200]) {
      const floors: Turn[] = [];
      const turns = new Map<string, Turn[]>();
      for (let turn = 0; turn < TURNS; turn += 1) {
        const lowest = await load(bare, connections);
        floors.push({ ...lowest, ratio: 1 });
        for (const one of targets) {
          await load(one, 1, 1);
          const measured = await load(one, connections);
          turns.set(one.name, [
            ...(turns.get(one.name) ?? []),
            { ...measured, ratio: measured.perSecond / lowest.perSecond },
          ]);
        }
      }
      rows.push(row(bare.name, connections, floors));
      for (const [name, all] of turns) rows.push(row(name, connections, all));
    }
    const once = await load(fresh, 16);
    rows.push(row(fresh.name, 16, [{ ...once, ratio: Number.NaN }]));
    return {
      title: "Pages a second",
      about: `autocannon on the loopback shares the cores with the shop. Demo catalogue, embedded backend, uncompressed; median of ${TURNS} turns of ${SECONDS} s (lowest and highest in brackets). The floor is a bare Node server that answers the bytes of \`/shop\` from memory.`,
      header: ["", "Connections", "Pages/s", "Ratio to floor", "p50", "p99"],
      rows,
    };
  } finally {
    floor.stop();
    await shop.stop();
  }
}

function row(name: string, connections: number, turns: Turn[]): string[] {
  const median = (pick: (turn: Turn) => number) => percentile(turns.map(pick), 0.5);
  const rates = turns.map(({ perSecond }) => Math.round(perSecond));
  const spread = turns.length > 1 ? ` (${Math.min(...rates)}–${Math.max(...rates)})` : "";
  const ratio = median((turn) => turn.ratio);
  return [
    name,
    String(connections),
    `${Math.round(median((turn) => turn.perSecond))}${spread}`,
    Number.isNaN(ratio) ? "" : ratio.toFixed(2),
    milliseconds(median((turn) => turn.p50)),
    milliseconds(median((turn) => turn.p99)),
  ];
}

/**
 * As many requests as are answered in the time.
 * @throws Error if one is not answered with 200
 */
export async function load({ url, paths }: Target, connections: number, seconds = SECONDS) {
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    requests: paths.map((path) => ({ path })),
  });
  if (result.non2xx + result.errors > 0)
    throw new Error(`${paths[0]}: ${result.non2xx} refused, ${result.errors} unanswered`);
  return {
    perSecond: result.requests.average,
    p50: result.latency.p50,
    p99: result.latency.p99,
  };
}

async function bareServer(body: Buffer): Promise<{ url: string; stop: () => void }> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { "Content-Type": "text/html", "Content-Length": body.byteLength });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
