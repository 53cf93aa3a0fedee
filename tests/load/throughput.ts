import { Agent, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { startShop } from "#tests/support/shop-server.ts";
import { milliseconds, percentile, type Section } from "./report.ts";

const CONNECTIONS = 16;
const REQUESTS = 3_000;
const FRESH_REQUESTS = 300;

/** Pages a second, as a ratio to a bare Node server that answers the same number of bytes from memory. */
export async function measureThroughput(): Promise<Section> {
  const shop = await startShop();
  try {
    const page = Buffer.from(
      await (await fetch(`${shop.url}/shop`, { headers: { "Accept-Encoding": "identity" } })).arrayBuffer(),
    );
    const floor = await bareServer(page);
    const bare = await load(floor.url, REQUESTS, () => "/");
    floor.stop();
    await load(shop.url, 200, () => "/shop");
    const kept = await load(shop.url, REQUESTS, () => "/shop");
    const fresh = await load(shop.url, FRESH_REQUESTS, (number) => `/shop?q=${number.toString(36)}`);
    const row = (name: string, { perSecond, p50, p95 }: Load) => [
      name,
      perSecond.toFixed(0),
      (perSecond / bare.perSecond).toFixed(3),
      milliseconds(p50),
      milliseconds(p95),
    ];
    return {
      title: "Pages a second",
      about: `${CONNECTIONS} connections on the loopback, embedded backend on PGlite, uncompressed. The floor is a bare Node server that answers as many bytes as \`/shop\` from memory.`,
      header: ["", "Pages/s", "Ratio to floor", "p50", "p95"],
      rows: [
        row("Floor: bare Node server", bare),
        row("`/shop`, kept for this state of the catalogue", kept),
        row("`/shop?q=…`, each search new: queried and rendered", fresh),
      ],
    };
  } finally {
    await shop.stop();
  }
}

type Load = { perSecond: number; p50: number; p95: number };

async function load(origin: string, requests: number, path: (number: number) => string): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const times: number[] = [];
  let sent = 0;
  const startedAt = performance.now();
  const worker = async () => {
    while (sent < requests) {
      const began = performance.now();
      await get(new URL(path(sent++), origin), agent);
      times.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  const seconds = (performance.now() - startedAt) / 1000;
  agent.destroy();
  return { perSecond: requests / seconds, p50: percentile(times, 0.5), p95: percentile(times, 0.95) };
}

function get(url: URL, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    request(url, { agent }, (response) => {
      response.resume();
      response.once("end", () =>
        response.statusCode === 200
          ? resolve()
          : reject(new Error(`${url.pathname}: ${response.statusCode}`)),
      );
    })
      .once("error", reject)
      .end();
  });
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
