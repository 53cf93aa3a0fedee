import { connect, createServer, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { type Browser, chromium as browserType } from "@playwright/test";
import { chromium } from "#tests/support/chromium.ts";
import { startShop } from "#tests/support/shop-server.ts";
import { fullOrQuick } from "./lengths.ts";
import { milliseconds, type Section } from "./report.ts";
import { catalogues } from "./uploaded-covers.ts";

/** Slow 3G as WebPageTest defines it. */
const ROUND_TRIP_MS = 400;
const BYTES_PER_SECOND = 50_000;
const SLICE = 1_400;

const BUDGET_MS = 3_000;
const RUNS = fullOrQuick(3, 1);
/** A phone's processor compared with this machine's; the same as Lighthouse's. */
const SLOWDOWN = 4;

/** How long a visitor on slow 3G waits for the first cards, on an empty cache. */
export async function measureSlowLine(): Promise<Section> {
  const shop = await startShop();
  const line = await openSlowLine(Number(new URL(shop.url).port));
  const browser = await browserType.launch(chromium());
  try {
    const rows: string[][] = [];
    for (const { covers, open } of catalogues(shop)) {
      await open();
      for (const [path, name, target] of [
        ["/shop", "`/shop`", "#content article h2"],
        ["/products/cgp", "`/products/cgp`", "#content article h2"],
        [await findBookPath(shop.url), "a book's page", "#content h1"],
      ] as const) {
        const runs: Shown[] = [];
        for (let run = 0; run < RUNS; run++)
          runs.push(await untilShown(browser, `http://localhost:${line.port}${path}`, target));
        const median = (times: number[]) => times.sort((a, b) => a - b)[Math.floor(RUNS / 2)] ?? Number.NaN;
        const readable = median(runs.map((run) => run.readable));
        const largest = median(runs.map((run) => run.largest));
        rows.push([
          name,
          covers,
          milliseconds(readable),
          milliseconds(largest),
          readable <= BUDGET_MS ? "yes" : "no",
        ]);
      }
    }
    return {
      title: "First cards on slow 3G",
      about: `Time until the first card's title (on a book's page, its heading) is painted on a 360 × 740 screen. A relay delays each direction by ${ROUND_TRIP_MS / 2} ms, connecting included, and passes ${BYTES_PER_SECOND / 1000} kB a second in total; the processor is slowed down ${SLOWDOWN} times. No TLS, which would add a round trip. Median of ${RUNS}. Uploaded covers as in the first table. Largest paint: until the page has loaded. Budget: readable after ${milliseconds(BUDGET_MS)}.`,
      header: ["Page", "Covers", "Readable after", "Largest paint", "Within the budget"],
      rows,
    };
  } finally {
    await browser.close();
    line.close();
    await shop.stop();
  }
}

type Shown = { readable: number; largest: number };

async function untilShown(browser: Browser, url: string, target: string): Promise<Shown> {
  const page = await browser.newPage({ viewport: { width: 360, height: 740 } });
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
  await page.addInitScript((selector) => {
    new PerformanceObserver((list) => {
      for (const { startTime } of list.getEntries()) Object.assign(window, { largest: startTime });
    }).observe({ type: "largest-contentful-paint", buffered: true });
    // Frames begin only once the style sheet is loaded. The one after the card's has painted it.
    const look = () =>
      requestAnimationFrame(
        document.querySelector(selector)
          ? () => Object.assign(window, { readable: performance.now() })
          : look,
      );
    requestAnimationFrame(look);
  }, target);
  await page.goto(url, { waitUntil: "commit", timeout: 60_000 });
  const readable = await page.waitForFunction(() => (window as { readable?: number }).readable);
  const time = await readable.jsonValue();
  await page.waitForLoadState("load", { timeout: 60_000 });
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
  const largest = await page.evaluate(() => (window as { largest?: number }).largest);
  await page.close();
  return { readable: time ?? Number.NaN, largest: largest ?? Number.NaN };
}

/** A relay to a port of this machine over a line that all its connections share. */
async function openSlowLine(target: number): Promise<{ port: number; close: () => void }> {
  const sockets = new Set<Socket>();
  const up = { freeAt: 0 };
  const down = { freeAt: 0 };
  const server = createServer(async (client) => {
    const shop = connect(target, "127.0.0.1");
    for (const socket of [client, shop]) {
      sockets.add(socket);
      socket.setNoDelay().on("error", () => undefined);
    }
    // The handshake of a connection.
    const connected = wait(ROUND_TRIP_MS);
    void pass(client, shop, up, connected);
    void pass(shop, client, down, connected);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The relay has no port");
  return {
    port: address.port,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Passes packets in their order, each after its turn on the line and half a round trip. */
async function pass(from: Socket, to: Socket, line: { freeAt: number }, connected: Promise<void>) {
  let sent = connected;
  from.on("data", (bytes) => {
    for (let start = 0; start < bytes.length; start += SLICE) {
      const packet = bytes.subarray(start, start + SLICE);
      const now = performance.now();
      line.freeAt = Math.max(line.freeAt, now) + (packet.length / BYTES_PER_SECOND) * 1000;
      const travel = wait(line.freeAt - now + ROUND_TRIP_MS / 2);
      sent = sent.then(async () => {
        await travel;
        to.write(packet);
      });
    }
  });
  from.on("close", () => void sent.then(() => to.end()));
}

/** The path of the page of a demo book that has reviews and other books of its course. */
export async function findBookPath(siteUrl: string): Promise<string> {
  const siteMap = await (await fetch(`${siteUrl}/sitemap.xml`)).text();
  const path = /\/books\/[^<]+\/cambridge-primary-science-learners-book-2(?=<)/.exec(siteMap)?.[0];
  if (!path) throw new Error("The site map does not list the demo's book");
  return path;
}
