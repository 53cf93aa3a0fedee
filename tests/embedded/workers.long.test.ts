import cluster from "node:cluster";
import { once } from "node:events";
import { readdir, readFile, readlink } from "node:fs/promises";
import { createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import type { Backend } from "#server/api/backend.ts";
import { findProcesses, serverName } from "#server/database/postgres/leftovers.ts";
import { log } from "#server/lib/log.ts";
import { readSecrets } from "#server/lib/secrets.ts";
import { readSettings } from "#server/lib/settings.ts";
import { maxMisses } from "#server/shop/code-guesses.ts";
import { createWorkers } from "#server/workers.ts";
import { asOwner, connectTo } from "#tests/load/running-shop.ts";
import { newDataDir, removeFolder } from "#tests/support/embedded-shop.ts";
import { eventually } from "#tests/support/eventually.ts";
import { findMail, followLink } from "#tests/support/outbox.ts";
import { copyPreparedFolder, startPreparedShop } from "#tests/support/prepared-folder.ts";
import { freePort, type ShopServer, START_MS, startShop } from "#tests/support/shop-server.ts";

/* One shop in several processes that share its port and its database (`npm start -- --workers 2`). */

vi.setConfig({ testTimeout: 2 * START_MS });

/** The processes of this program that a process has started. */
async function shopsBelow(parent: number): Promise<number[]> {
  const children = await readFile(`/proc/${parent}/task/${parent}/children`, "utf8").catch(() => "");
  const pids = children.trim().split(" ").filter(Boolean).map(Number);
  const lines = pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => ""));
  const isShop = (await Promise.all(lines)).map((line) => line.includes("server/main.ts"));
  return pids.filter((_, at) => isShop[at]);
}

/** The shop's first process, which does what is done once, and its workers. */
async function processesOf(watcher: number) {
  const [first = 0] = await shopsBelow(watcher);
  return { first, workers: first ? await shopsBelow(first) : [] };
}

/** Ready as soon as one worker listens; if a worker exits before all listen, startup fails. */
async function untilOpen(shop: ShopServer) {
  await eventually(() => shop.output().includes(" is open ("), { timeout: START_MS });
  return { ...shop, processes: () => processesOf(shop.process.pid ?? 0) };
}
type Shop = Awaited<ReturnType<typeof untilOpen>>;

const REQUEST_MS = 60_000;

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

const metricsOf = async (url: string) => (await fetch(`${url}/metrics`)).text();

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

describe("A shop with two workers", () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await untilOpen(await startPreparedShop("empty", { WORKERS: "2" }));
  }, START_MS);
  afterAll(() => shop?.stop());

  test("has a listening socket in each worker with a higher number than its connections, so that it is closed first after a kill", async () => {
    const visitors = sendVisitors(shop.url, 12);
    const { workers } = await shop.processes();
    expect(workers).toHaveLength(2);
    for (const worker of workers) {
      const { listening, connections } = await eventually(
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

  test("loses at most the requests under way of a worker that is killed under load, and replaces it", async () => {
    const visitors = sendVisitors(shop.url, 12);
    const goOn = async () => {
      const before = visitors.answered();
      await eventually(() => expect(visitors.answered()).toBeGreaterThan(before + 60), {
        timeout: REQUEST_MS,
      });
    };
    await goOn();
    for (const which of [0, 1]) {
      const { workers } = await shop.processes();
      expect(workers).toHaveLength(2);
      const killed = workers[which] ?? 0;
      process.kill(killed, "SIGKILL");
      await eventually(
        async () => {
          const now = await shop.processes();
          expect(now.workers).toHaveLength(2);
          expect(now.workers).not.toContain(killed);
          // Only a worker that listens has metrics. The next kill must leave one that does.
          const metrics = await metricsOf(shop.url);
          for (const name of ["1", "2"])
            expect(metrics).toContain(`process_resident_memory_bytes{process="${name}"}`);
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

    const metrics = await metricsOf(shop.url);
    expect(metrics).toContain('shop_worker_restarts_total{process="first"} 2');
    for (const name of ["first", "1", "2"])
      expect(metrics).toContain(`process_resident_memory_bytes{process="${name}"}`);
    // What one process would have in all.
    for (const name of ["1", "2"])
      expect(metrics).toContain(`shop_database_connections_max{pool="requests",process="${name}"} 6`);
    expect(metrics.match(/^# TYPE shop_http_request_duration_seconds /gm)).toHaveLength(1);
  });

  test("every worker responds again after its database was killed and restarted", async () => {
    const database = (await findProcesses(serverName(shop.dataDir))).find(({ first }) => first)?.pid ?? 0;
    process.kill(database, "SIGKILL");
    await eventually(() => expect(shop.output()).toContain("the database ended unexpectedly"), 10_000);
    await eventually(
      async () => {
        const statuses = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => ask(`${shop.url}/shop?q=anew${n}`)));
        expect(statuses).toEqual([200, 200, 200, 200, 200, 200]);
      },
      { timeout: REQUEST_MS },
    );
  });

  test("counts each visitor's statements, and all connections, in total", async () => {
    const sql = await connectTo(shop.dataDir, 2);
    onTestFinished(() => sql.end());
    const { publishableKey = "" } = (await readSecrets(shop.dataDir)) ?? {};
    const visit = (visitor: number, number: number) => {
      const headers = { apikey: publishableKey, "x-forwarded-for": `203.0.113.${visitor}` };
      const url = `${shop.url}/rest/v1/books?select=id&limit=${number + 1}`;
      return new Promise<number>((resolve) => {
        get(url, { agent: false, headers }, (response) => {
          response.resume().once("close", () => resolve(response.statusCode ?? 0));
        });
      });
    };
    const counts = async (visitors: number) => {
      let most = { visitor: 0, connections: 0 };
      let visits: Promise<number>[] = [];
      await asOwner(sql, async (owner) => {
        // Every statement waits until this transaction is over, or 3 seconds.
        await owner`lock table public.books in access exclusive mode`;
        visits = Array.from({ length: 60 }, (_, n) => visit(n % visitors, n));
        await pause(1_500);
        const [row] = await owner<{ waiting: number; connections: number }[]>`
          select count(*) filter (where wait_event_type = 'Lock')::int as waiting, count(*)::int as connections
            from pg_stat_activity where application_name = 'shop api'`;
        most = { visitor: row?.waiting ?? 0, connections: row?.connections ?? 0 };
      });
      // None is still under way when a later test kills their worker.
      await Promise.all(visits);
      return most;
    };
    // As in one process: four while a client is alone, eight connections for all visitors, twelve in all.
    expect((await counts(1)).visitor).toBeLessThanOrEqual(4);
    const many = await counts(40);
    expect(many.visitor).toBeGreaterThan(2);
    expect(many.visitor).toBeLessThanOrEqual(8);
    expect(many.connections).toBeLessThanOrEqual(12);
  });

  test("counts wrong codes of booklists in total, and closes accounts and sends their emails from any worker", async () => {
    const { publishableKey = "" } = (await readSecrets(shop.dataDir)) ?? {};
    const headers = { apikey: publishableKey, "content-type": "application/json" };
    const call = (path: string, body: object, from: string, more = {}) =>
      fetch(shop.url + path, {
        method: "POST",
        headers: { ...headers, connection: "close", "x-forwarded-for": from, ...more },
        body: JSON.stringify(body),
      });
    const guess = () => call("/rest/v1/rpc/find_booklist", { _code: "33333-33333" }, "203.0.113.77");
    for (let n = 0; n < maxMisses; n += 20)
      expect((await Promise.all(Array.from({ length: 20 }, guess))).map(({ status }) => status)).toEqual(
        Array(20).fill(200),
      );
    const after = await Promise.all(Array.from({ length: 8 }, guess));
    expect(after.map(({ status }) => status)).toEqual(Array(8).fill(429));

    for (let n = 0; n < 4; n += 1) {
      const [email, password] = [`worker-${n}@example.com`, "a long password"];
      await call("/auth/v1/signup", { email, password }, "203.0.113.78");
      const { links } = await findMail(shop.dataDir, email);
      const link = new URL(links[0] ?? "");
      await followLink(new URL(link.pathname + link.search, shop.url).href);
      const answer = await call("/auth/v1/token?grant_type=password", { email, password }, "203.0.113.78");
      const { access_token } = (await answer.json()) as { access_token: string };
      const authorization = `Bearer ${access_token}`;
      const closed = await call("/account/close", { password }, "203.0.113.78", { authorization });
      expect([n, closed.status, await closed.json()]).toEqual([n, 200, {}]);
    }
  });

  test("starts again as a whole when its first process is killed", async () => {
    const before = await shop.processes();
    process.kill(before.first, "SIGKILL");
    await eventually(
      async () => {
        const now = await shop.processes();
        expect([now.first === before.first, now.workers.length]).toEqual([false, 2]);
        expect(await ask(`${shop.url}/shop?q=after`)).toBe(200);
      },
      { timeout: REQUEST_MS, interval: 100 },
    );
    // The old workers finish their requests while the new ones are already open.
    await eventually(
      () => {
        for (const pid of before.workers) expect(() => process.kill(pid, 0)).toThrow("ESRCH");
      },
      { timeout: REQUEST_MS },
    );
    await eventually(() => expect(shop.output().match(/ is open \(/g)).toHaveLength(2), {
      timeout: REQUEST_MS,
    });
  });

  test("lets every worker finish its requests after SIGTERM to the process that watches them, and leaves no process", () =>
    expectCleanEnd(shop, "watcher"));
});

async function expectCleanEnd(shop: Shop, target: "watcher" | "all") {
  const { workers, first } = await shop.processes();
  const before = shop.output().length;
  const visitors = sendVisitors(shop.url, 4);
  await eventually(() => expect(visitors.answered()).toBeGreaterThan(20), { timeout: REQUEST_MS });
  const ended = once(shop.process, "exit");
  const others = target === "all" ? [...workers, first] : [];
  for (const pid of [...others, shop.process.pid ?? 0]) process.kill(pid, "SIGTERM");
  const stopped = visitors.stop();
  expect(await ended).toEqual([0, null]);
  await stopped;
  expect(visitors.tallies.map(({ other }) => other)).toEqual([0, 0, 0, 0]);
  for (const pid of [...workers, first]) expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  expect(shop.output().slice(before)).not.toContain("ended unexpectedly");
}

test("When the process that watches them is killed, all others end; the next start takes over, and SIGTERM to all its processes lets every worker finish", async () => {
  const shop = await untilOpen(await startPreparedShop("empty", { WORKERS: "2" }));
  onTestFinished(shop.stop);
  const { workers, first } = await shop.processes();
  shop.process.kill("SIGKILL");
  await eventually(
    () => {
      for (const pid of [...workers, first]) expect(() => process.kill(pid, 0)).toThrow("ESRCH");
    },
    { timeout: REQUEST_MS },
  );
  const next = await startShop({ DATA_DIR: shop.dataDir, SHOP_DEMO: "0", WORKERS: "2" });
  onTestFinished(next.stop);
  await expectCleanEnd(await untilOpen(next), "all");
});

test("Workers that stop responding, while they run or while they start, are ended and replaced", async () => {
  // With limits of seconds, and a hosted project that nobody asks: only these processes matter here.
  cluster.setupPrimary({
    exec: join(import.meta.dirname, "../../server/main.ts"),
    execArgv: [],
    silent: true,
  });
  const warnings = vi.spyOn(log, "warn").mockImplementation(() => {});
  onTestFinished(() => void warnings.mockRestore());
  const port = await freePort();
  const dataDir = await newDataDir();
  onTestFinished(() => removeFolder(dataDir));
  const settings = readSettings({
    PORT: String(port),
    HOST: "127.0.0.1",
    WORKERS: "2",
    DATA_DIR: dataDir,
    ...{ SUPABASE_URL: "http://127.0.0.1:9", SUPABASE_PUBLISHABLE_KEY: "sb_publishable_key" },
  });
  const limits = { startTimeoutMs: REQUEST_MS, checkEveryMs: 1_000 };
  const workers = createWorkers(settings, limits);
  onTestFinished(workers.stop);
  await workers.start({} as Backend);
  limits.startTimeoutMs = 8_000;

  const pids = () =>
    Object.values(cluster.workers ?? {}).flatMap((worker) =>
      worker?.isDead() ? [] : (worker?.process.pid ?? []),
    );
  const first = pids();
  const [frozen = 0, killed = 0] = first;
  process.kill(frozen, "SIGSTOP");
  process.kill(killed, "SIGKILL");
  const started = await eventually(() => pids().find((pid) => !first.includes(pid)) ?? false, {
    timeout: REQUEST_MS,
    interval: 10,
  });
  process.kill(started, "SIGSTOP");
  const lines = () => warnings.mock.calls.map(([line]) => line);
  for (const line of ["has not answered for 3 s; ending it", "A worker has not started within 8 s"])
    await eventually(() => expect(lines()).toContainEqual(expect.stringContaining(line)), REQUEST_MS);
  // Their replacements have as long as a busy machine needs.
  Object.assign(limits, { startTimeoutMs: REQUEST_MS, checkEveryMs: 10_000 });
  const stopped = [frozen, killed, started];
  await eventually(
    async () => {
      expect(pids().filter((pid) => !stopped.includes(pid))).toHaveLength(2);
      expect(await ask(`http://127.0.0.1:${port}/favicon.svg`)).toBe(200);
    },
    { timeout: REQUEST_MS, interval: 100 },
  );
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
  expect(message.match(/(?<="message":")[^"]*/g)).toEqual([
    `Port ${port} is in use. Set PORT to a free one.`,
  ]);
});
