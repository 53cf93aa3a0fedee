import { once } from "node:events";
import { readdir, readFile, readlink } from "node:fs/promises";
import { createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
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
  // Ready as soon as one worker listens; a worker that ends before all do ends the start.
  await vi.waitUntil(() => shop.output().includes(" is open ("), { timeout: START_MS });
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

/** Short enough to keep requests in flight at every worker, long enough to leave processor time for what the tests wait for. */
const PAUSE_MS = 25;

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
      // A visitor who was cut off reconnects at once, while the killed worker may still be closing its sockets.
      if (status !== "cut") await pause(PAUSE_MS);
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

/** The numbers of a process's sockets: of the one that listens on the port, and of the connections that it accepted. */
async function socketsOf(pid: number, port: number) {
  const lines = (await readFile(`/proc/${pid}/net/tcp`, "utf8")).trim().split("\n").slice(1);
  const atPort = lines
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local = ""]) => Number.parseInt(local.split(":")[1] ?? "", 16) === port)
    .map(([, , , state, , , , , , inode]) => ({ link: `socket:[${inode}]`, listens: state === "0A" }));
  const files = await Promise.all(
    (await readdir(`/proc/${pid}/fd`)).map(async (name) => ({
      number: Number(name),
      link: await readlink(`/proc/${pid}/fd/${name}`).catch(() => ""),
    })),
  );
  const numbersOf = (listens: boolean) =>
    files
      .filter(({ link }) => atPort.some((socket) => socket.listens === listens && socket.link === link))
      .map(({ number }) => number);
  return { listening: numbersOf(true), connections: numbersOf(false) };
}

test("A worker's listening socket has a higher number than its connections, so that it is closed first after a kill", async () => {
  const shop = await start();
  const visitors = sendVisitors(shop.url, 12);
  const { workers } = await shop.children();
  for (const worker of workers) {
    const { listening, connections } = await vi.waitUntil(
      async () => {
        const sockets = await socketsOf(worker, Number(new URL(shop.url).port));
        return sockets.connections.length > 1 && sockets;
      },
      { timeout: REQUEST_MS, interval: 20 },
    );
    expect(listening).toHaveLength(1);
    expect(Math.min(...listening)).toBeGreaterThan(Math.max(...connections));
  }
  await visitors.stop();
});

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
        // Only a worker that listens has figures. The next kill must leave one that does.
        const figures = await figuresOf(shop.url);
        for (const name of ["1", "2"])
          expect(figures).toContain(`process_resident_memory_bytes{process="${name}"}`);
      },
      { timeout: REQUEST_MS, interval: 100 },
    );
    await goOn();
  }
  await visitors.stop();
  // A visitor has one request under way when a worker is killed, and two were killed.
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

test("Workers that stop responding, while they run or while they start, are ended and replaced", async () => {
  const shop = await start();
  const { workers } = await shop.children();
  const [frozen = 0, killed = 0] = workers;
  process.kill(frozen, "SIGSTOP");
  process.kill(killed, "SIGKILL");
  const started = await vi.waitFor(
    async () => {
      const [pid] = (await shop.children()).workers.filter((worker) => !workers.includes(worker));
      // Until it runs its own program, the first process waits for it.
      if (!pid || !(await readFile(`/proc/${pid}/environ`, "utf8")).includes("NODE_UNIQUE_ID"))
        throw new Error("no new worker yet");
      return pid;
    },
    { timeout: REQUEST_MS, interval: 10 },
  );
  process.kill(started, "SIGSTOP");
  const stopped = [frozen, killed, started];
  await vi.waitFor(
    async () => {
      const now = await shop.children();
      expect(now.workers.filter((pid) => !stopped.includes(pid))).toHaveLength(2);
      expect(await ask(`${shop.url}/shop`)).toBe(200);
    },
    { timeout: 120_000, interval: 1_000 },
  );
  expect(shop.output()).toContain("has not answered for 30 s; ending it");
  expect(shop.output()).toContain("A worker has not started within 60 s");
}, 180_000);

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
