import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { newDataDir, removeFolder } from "#tests/support/embedded-shop.ts";
import { copyPreparedFolder, startPreparedShop } from "#tests/support/prepared-folder.ts";
import { START_MS, startShop } from "#tests/support/shop-server.ts";

/* One shop in several web processes that share its port and its backend (`npm start -- --workers 2`). */

vi.setConfig({ testTimeout: 2 * START_MS });

/** The processes that a shop's first process has started: workers and the backend. */
async function childrenOf(first: number) {
  const children = await readFile(`/proc/${first}/task/${first}/children`, "utf8").catch(() => "");
  const pids = children.trim().split(" ").filter(Boolean).map(Number);
  const named = await Promise.all(
    pids.map(async (pid) => ({ pid, line: await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "") })),
  );
  const whose = (file: string) => named.filter(({ line }) => line.includes(file)).map(({ pid }) => pid);
  return { workers: whose("server/start.js"), backend: whose("server/embedded/main.ts") };
}

async function start(env: NodeJS.ProcessEnv = {}) {
  const shop = await startPreparedShop("empty", { WORKERS: "2", ...env });
  onTestFinished(shop.stop);
  return { ...shop, children: () => childrenOf(shop.process.pid ?? 0) };
}

const REQUEST_MS = 30_000;

/** Requests on a connection of its own. @returns the status, or why there is none: the connection was cut, or stayed silent */
const ask = (url: string) =>
  new Promise<number | "cut" | "silent">((resolve) => {
    const request = get(url, { agent: false, timeout: REQUEST_MS }, (response) => {
      response.resume().once("end", () => resolve(response.statusCode ?? 0));
      response.once("error", () => resolve("cut"));
    });
    request.once("timeout", () => {
      resolve("silent");
      request.destroy();
    });
    request.once("error", () => resolve("cut"));
  });

/** Visitors who each request one page after another, until `stop` is called. */
function sendVisitors(url: string, count: number) {
  let isOver = false;
  const tallies = Array.from({ length: count }, () => ({ answered: 0, cut: 0, other: 0 }));
  const visits = tallies.map(async (tally, visitor) => {
    for (let number = 0; !isOver; number += 1) {
      const status = await ask(`${url}${number % 2 ? "/shop" : `/shop?q=${visitor}x${number}`}`);
      if (status === 200) tally.answered += 1;
      else if (status === "cut") tally.cut += 1;
      else tally.other += 1;
    }
  });
  return {
    tallies,
    answered: () => tallies.reduce((sum, each) => sum + each.answered, 0),
    async stop() {
      isOver = true;
      await Promise.all(visits);
    },
  };
}

const figuresOf = async (url: string) => (await fetch(`${url}/metrics`)).text();

test("A worker killed under load loses at most its requests under way, and is replaced", async () => {
  const shop = await start();
  const visitors = sendVisitors(shop.url, 12);
  const goOn = async () => {
    const before = visitors.answered();
    await vi.waitFor(() => expect(visitors.answered()).toBeGreaterThan(before + 60), { timeout: REQUEST_MS });
  };
  await goOn();
  for (const which of [0, 1]) {
    const { workers } = await shop.children();
    expect(workers).toHaveLength(2);
    const killed = workers[which] ?? 0;
    process.kill(killed, "SIGKILL");
    await vi.waitFor(
      async () => {
        const now = await shop.children();
        expect(now.workers).toHaveLength(2);
        expect(now.workers).not.toContain(killed);
        expect(await figuresOf(shop.url)).toMatch(/^shop_page_cache_total.*process="2"/m);
      },
      { timeout: REQUEST_MS, interval: 100 },
    );
    await goOn();
  }
  await visitors.stop();
  // A visitor has one request under way when a worker is killed, and two were.
  const cuts = visitors.tallies.map(({ cut }) => cut);
  expect(Math.max(...cuts)).toBeLessThanOrEqual(2);
  expect(cuts.reduce((sum, cut) => sum + cut, 0)).toBeLessThan(2 * cuts.length);
  expect(visitors.tallies.map(({ other }) => other)).toEqual(cuts.map(() => 0));
  expect(shop.output().match(/ended unexpectedly \(SIGKILL\); starting it again/g)).toHaveLength(2);

  const figures = await figuresOf(shop.url);
  expect(figures).toContain('shop_worker_restarts_total{process="first"} 2');
  for (const name of ["first", "1", "2"])
    expect(figures).toContain(`process_resident_memory_bytes{process="${name}"}`);
  expect(figures).toContain('shop_database_connections_max{pool="requests",process="first"}');
  expect(figures.match(/^# TYPE shop_http_request_duration_seconds /gm)).toHaveLength(1);
});

test("All workers wait for a backend that is restarted", async () => {
  const shop = await start();
  const [backend = 0] = (await shop.children()).backend;
  process.kill(backend, "SIGKILL");
  await vi.waitFor(() => expect(shop.output()).toContain("backend: ended unexpectedly (SIGKILL)"), 10_000);
  const statuses = await Promise.all([1, 2, 3, 4].map((n) => ask(`${shop.url}/shop?q=anew${n}`)));
  expect(statuses).toEqual([200, 200, 200, 200]);
});

test("SIGTERM, to the first process or to all of them, lets every worker finish its requests, and leaves no process", async () => {
  for (const target of ["first", "all"]) {
    const shop = await start();
    const { workers, backend } = await shop.children();
    const visitors = sendVisitors(shop.url, 4);
    await vi.waitFor(() => expect(visitors.answered()).toBeGreaterThan(20), { timeout: REQUEST_MS });
    const ended = once(shop.process, "exit");
    const others = target === "all" ? [...workers, ...backend] : [];
    for (const pid of [...others, shop.process.pid ?? 0]) process.kill(pid, "SIGTERM");
    const stopped = visitors.stop();
    expect(await ended).toEqual([0, null]);
    await stopped;
    expect(visitors.tallies.map(({ other }) => other)).toEqual([0, 0, 0, 0]);
    for (const pid of [...workers, ...backend]) expect(() => process.kill(pid, 0)).toThrow("ESRCH");
    expect(shop.output()).not.toContain("ended unexpectedly");
  }
});

test("When the first process is killed, the workers and the backend end, and the next start takes over", async () => {
  const shop = await start();
  const { workers, backend } = await shop.children();
  shop.process.kill("SIGKILL");
  await vi.waitFor(
    () => {
      for (const pid of [...workers, ...backend]) expect(() => process.kill(pid, 0)).toThrow("ESRCH");
    },
    { timeout: REQUEST_MS },
  );
  const next = await startShop({ DATA_DIR: shop.dataDir, SHOP_DEMO: "0", WORKERS: "2" });
  onTestFinished(next.stop);
  expect(await ask(`${next.url}/shop`)).toBe(200);
});

test("A port in use is reported in one line, and no process stays", async () => {
  const blocker = createServer();
  await new Promise<void>((resolve) => blocker.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void blocker.close());
  const { port } = blocker.address() as AddressInfo;
  const dataDir = await newDataDir();
  onTestFinished(() => removeFolder(dataDir));
  await copyPreparedFolder(dataDir);
  const refused = startShop({ DATA_DIR: dataDir, PORT: String(port), WORKERS: "2" });
  const message = await refused.then(String, (error: Error) => error.message);
  expect(message.match(/"message"/g)).toHaveLength(1);
  expect(message).toContain(`Port ${port} is in use. Set PORT to a free one.`);
});
