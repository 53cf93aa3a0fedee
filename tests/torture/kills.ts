import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { findProcesses, serverName } from "#server/database/postgres/leftovers.ts";
import { type ShopServer, startShop } from "#tests/support/shop-server.ts";
import { findBroken } from "./balance.ts";
import { chanceFrom } from "./random.ts";
import { type Address, newLedger, publishableKey, signInAdmin } from "./shoppers.ts";
import { addBooks, Gate, type Shopping, shoppingOf } from "./shopping.ts";

export type KillOptions = {
  seed: number;
  /** No fewer than this many, stops included. */
  kills: number;
  /** Milliseconds since 1970 until which it continues beyond that. */
  until?: number;
  shoppers?: number;
  /** Fills the data folder before the first start. */
  prepare?: (dataDir: string) => Promise<void>;
  env?: NodeJS.ProcessEnv;
  tell?: (line: string) => void;
};

/** What is killed: the process that watches the shop, the shop's own, or both; or what is stopped gently: the first, or every process. */
const ways = ["watcher", "shop", "both", "stop", "stop all"] as const;
type Way = (typeof ways)[number];

const isStop = (way: Way) => way === "stop" || way === "stop all";

export type KillFigures = {
  kills: Record<Way, number>;
  /** Orders that were confirmed to their customers; all of them are there. */
  confirmed: number;
  unanswered: number;
  foundPlaced: number;
  /** From the kill until the shop was ready again, in milliseconds. */
  slowestRecoveryMs: number;
};

async function shopPid(dataDir: string): Promise<number | null> {
  const lock = await readFile(join(dataDir, "backend.lock"), "utf8").catch(() => "null");
  return (JSON.parse(lock || "null") as { pid: number } | null)?.pid ?? null;
}

const kill = (pid: number | null | undefined, signal: NodeJS.Signals) => {
  try {
    if (pid) process.kill(pid, signal);
  } catch {
    // It has already ended.
  }
};

/**
 * Customers order over HTTP while processes are killed at random moments. After each kill the customers' pending requests
 * are brought to an end (repeated with the same id, as the checkout does), then the books must balance.
 * @throws Error that names the seed and what was broken
 */
export async function runKills(options: KillOptions): Promise<KillFigures> {
  const { seed, kills, until = 0, shoppers = 4, tell = () => {} } = options;
  const chance = chanceFrom(seed);
  const dataDir = await mkdtemp(join(tmpdir(), "adwene-kills-"));
  // The same after every start, whatever its port: sessions are those of one address.
  const env = { SITE_URL: "http://localhost:3000", ...options.env, DATA_DIR: dataDir, SHOP_DEMO: "0" };
  await options.prepare?.(dataDir);
  let shop: ShopServer = await startShop(env).catch(async (error) => {
    await rm(dataDir, { recursive: true, force: true });
    throw error;
  });
  const address: Address = { url: shop.url, dataDir };
  const ledger = newLedger();
  const gate = new Gate();
  const figures: KillFigures = {
    kills: { watcher: 0, shop: 0, both: 0, stop: 0, "stop all": 0 },
    confirmed: 0,
    unanswered: 0,
    foundPlaced: 0,
    slowestRecoveryMs: 0,
  };
  const fail = (words: string[]) =>
    new Error(`Seed ${seed}, kills ${JSON.stringify(figures.kills)}:\n${words.slice(0, 10).join("\n")}`);

  /** Starts what is missing and waits until the shop is ready. */
  async function recover(way: Way, before: number | null): Promise<void> {
    const startedAt = Date.now();
    if (way !== "shop") {
      if (shop.process.exitCode === null && shop.process.signalCode === null)
        await once(shop.process, "exit");
      if (isStop(way) && shop.process.exitCode !== 0)
        throw fail([`SIGTERM ended with ${shop.process.exitCode ?? shop.process.signalCode}`, shop.output()]);
      if (isStop(way)) {
        const left = await findProcesses(serverName(dataDir));
        if (left.length > 0) throw fail([`${left.length} processes of the database are left`]);
      }
      shop = await startShop(env);
      address.url = shop.url;
    }
    while ((await shopPid(dataDir)) === before && Date.now() - startedAt < 60_000) await pause(20);
    for (;;) {
      const ready = await fetch(`${address.url}/readyz`).catch(() => null);
      if (ready?.ok) break;
      if (Date.now() - startedAt > 90_000) throw fail(["The shop does not recover", shop.output()]);
      await pause(50);
    }
    figures.slowestRecoveryMs = Math.max(figures.slowestRecoveryMs, Date.now() - startedAt);
  }

  /** Lets customers shop until the wanted number of orders came in, then kills, recovers and checks. */
  async function round(way: Way, shops: Shopping[]): Promise<void> {
    const target = ledger.confirmed.size + chance.whole(1, 3 * shoppers);
    const before = await shopPid(dataDir);
    let killed = false;
    const work = Promise.all(shops.map((shopping) => shopping(() => killed)));
    const patience = Date.now() + 120_000;
    while (ledger.confirmed.size < target && Date.now() < patience) await pause(5);
    if (ledger.confirmed.size < target)
      throw fail(["Customers get nowhere", ...ledger.faults, shop.output()]);
    await pause(chance.whole(0, 40));
    gate.close();
    if (isStop(way)) kill(shop.process.pid, "SIGTERM");
    // As systemd does without KillMode=mixed: to the shop and to each of the database's processes.
    if (way === "stop all") {
      kill(before, "SIGTERM");
      for (const { pid } of await findProcesses(serverName(dataDir))) kill(pid, "SIGTERM");
    }
    if (way === "watcher" || way === "both") kill(shop.process.pid, "SIGKILL");
    if (way === "shop" || way === "both") kill(before, "SIGKILL");
    figures.kills[way] += 1;
    killed = true;
    await recover(way, before);
    gate.open();
    await work;
  }

  try {
    const key = await publishableKey(address);
    const admin = await signInAdmin(address, key, chance);
    const books = await addBooks(admin, chance);
    const shops = Array.from({ length: shoppers }, () =>
      shoppingOf(address, key, books, chanceFrom(chance.whole(0, 2 ** 31)), ledger, gate.passed),
    );
    for (let done = 0; done < kills || Date.now() < until; done += 1) {
      await round(chance.pick(ways) ?? "shop", shops);
      const checker = await signInAdmin(address, key, chance);
      const broken = [...(await findBroken(checker, books, ledger)), ...ledger.faults];
      if (broken.length > 0) throw fail(broken);
      tell(`${done + 1} kills, ${ledger.confirmed.size} confirmed orders, all there`);
    }
    const { unanswered, foundPlaced } = ledger;
    return { ...figures, confirmed: ledger.confirmed.size, unanswered, foundPlaced };
  } finally {
    gate.open();
    await shop.stop();
    // After a kill the database shuts itself down, and still writes for a moment.
    await rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}
