import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type ShopServer, startShop } from "#tests/support/shop-server.ts";
import { findBroken } from "./balance.ts";
import { type Chance, chanceFrom } from "./random.ts";
import {
  type Address,
  type Book,
  type Client,
  type Ledger,
  newLedger,
  newShopper,
  publishableKey,
  type Shopper,
  shopOnce,
  signInAdmin,
} from "./shoppers.ts";

export type KillOptions = {
  seed: number;
  /** No fewer than so many, stops included. */
  kills: number;
  /** Milliseconds since 1970 until which it goes on beyond that. */
  until?: number;
  shoppers?: number;
  /** Fills the data folder before the first start. */
  prepare?: (dataDir: string) => Promise<void>;
  env?: NodeJS.ProcessEnv;
  tell?: (line: string) => void;
};

/** Who is ended: the web process, the backend, both at once, or the web process gently. */
const ways = ["web", "backend", "both", "stop"] as const;
type Way = (typeof ways)[number];

export type KillFigures = {
  kills: Record<Way, number>;
  /** Orders that were confirmed to their customers; all of them are there. */
  confirmed: number;
  unanswered: number;
  foundPlaced: number;
  /** From the kill until the shop was ready again, in milliseconds. */
  slowestRecoveryMs: number;
};

/** A gate that is open while the shop is up: customers wait at it rather than knock. */
class Gate {
  #open: Promise<void> = Promise.resolve();
  #release = () => {};
  close(): void {
    this.#open = new Promise((resolve) => {
      this.#release = resolve;
    });
  }
  open(): void {
    this.#release();
  }
  passed = () => this.#open;
}

async function backendPid(dataDir: string): Promise<number | null> {
  const lock = await readFile(join(dataDir, "backend.lock"), "utf8").catch(() => "null");
  return (JSON.parse(lock || "null") as { pid: number } | null)?.pid ?? null;
}

const kill = (pid: number | null | undefined, signal: NodeJS.Signals) => {
  try {
    if (pid) process.kill(pid, signal);
  } catch {
    // Gone already.
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
  const env = { ...options.env, DATA_DIR: dataDir, SHOP_DEMO: "0" };
  await options.prepare?.(dataDir);
  let shop: ShopServer = await startShop(env).catch(async (error) => {
    await rm(dataDir, { recursive: true, force: true });
    throw error;
  });
  const address: Address = { url: shop.url, dataDir };
  const ledger = newLedger();
  const gate = new Gate();
  const figures: KillFigures = {
    kills: { web: 0, backend: 0, both: 0, stop: 0 },
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
    if (way !== "backend") {
      if (shop.process.exitCode === null && shop.process.signalCode === null)
        await once(shop.process, "exit");
      if (way === "stop" && shop.process.exitCode !== 0)
        throw fail([`SIGTERM ended with ${shop.process.exitCode ?? shop.process.signalCode}`, shop.output()]);
      shop = await startShop(env);
      address.url = shop.url;
    }
    while ((await backendPid(dataDir)) === before && Date.now() - startedAt < 60_000) await pause(20);
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
    const wanted = ledger.confirmed.size + chance.whole(1, 3 * shoppers);
    const before = await backendPid(dataDir);
    let killed = false;
    const work = Promise.all(shops.map((shopping) => shopping(() => killed)));
    const patience = Date.now() + 120_000;
    while (ledger.confirmed.size < wanted && Date.now() < patience) await pause(5);
    if (ledger.confirmed.size < wanted)
      throw fail(["Customers get nowhere", ...ledger.faults, shop.output()]);
    await pause(chance.whole(0, 40));
    gate.close();
    if (way === "stop") kill(shop.process.pid, "SIGTERM");
    if (way === "web" || way === "both") kill(shop.process.pid, "SIGKILL");
    if (way === "backend" || way === "both") kill(before, "SIGKILL");
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
      await round(chance.pick(ways) ?? "backend", shops);
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
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function addBooks(admin: Client, chance: Chance): Promise<Book[]> {
  const rows = [1, 2, 3, 4].map((n) => ({
    title: `Book ${n}`,
    price: chance.whole(100, 9999) / 100,
    stock_quantity: 100_000,
  }));
  const { data, error } = await admin.from("books").insert(rows).select("id, price, stock_quantity");
  if (error) throw new Error(error.message);
  return data.map(({ id, price, stock_quantity }) => ({ id, price, stock: stock_quantity }));
}

type Shopping = (enough: () => boolean) => Promise<void>;

/** One place at the counter: a customer after another, each with as many orders as the shop takes in an hour. */
function shoppingOf(
  address: Address,
  key: string,
  books: readonly Book[],
  chance: Chance,
  ledger: Ledger,
  ready: () => Promise<void>,
): Shopping {
  let shopper: Shopper | null = null;
  return async (enough) => {
    while (!enough()) {
      if (!shopper || shopper.left === 0) shopper = await newShopper(address, key, chance, ledger);
      if (shopper) await shopOnce(shopper, books, chance, ledger, ready);
      else await ready();
    }
  };
}
