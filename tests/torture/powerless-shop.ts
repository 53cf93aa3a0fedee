import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { connectTo } from "#tests/load/running-shop.ts";
import { type ShopServer, startShop } from "#tests/support/shop-server.ts";
import { findBroken } from "./balance.ts";
import { type Covers, countConfirmed, findBrokenCovers, keepUploading } from "./covers.ts";
import type { PowerDisk } from "./power-disk.ts";
import { endAll } from "./processes.ts";
import { type Chance, chanceFrom } from "./random.ts";
import { type Address, type Book, newLedger, publishableKey, signInAdmin } from "./shoppers.ts";
import { addBooks, Gate, type Shopping, shoppingOf } from "./shopping.ts";

/** When the power is cut. */
export const shopMoments = [
  "in the first start",
  "right after a start",
  "under orders",
  "in a checkpoint",
  "during an upload",
  "after a clean stop",
  "16 s after a clean stop",
] as const;
export type ShopMoment = (typeof shopMoments)[number];

export type ShopFigures = {
  confirmed: number;
  foundPlaced: number;
  unanswered: number;
  /** Covers that were confirmed; all of them are there. */
  covers: number;
  slowestStartMs: number;
};

const shoppersAtOnce = 4;

/** Waits for something that the shop must bring about. */
async function until(what: string, isTrue: () => boolean, shop: ShopServer): Promise<void> {
  const end = Date.now() + 120_000;
  while (!isTrue()) {
    if (Date.now() > end) throw new Error(`${what} does not happen:\n${shop.output()}`);
    await pause(5);
  }
}

/** Asks the running database for a checkpoint; it answers when all is written, which here it never is. */
async function startCheckpoint(dataDir: string): Promise<() => Promise<void>> {
  const owner = await connectTo(dataDir, 1, "owner");
  await owner`select 1`;
  owner`checkpoint`.catch(() => {});
  return () => owner.end({ timeout: 0 });
}

/** A whole shop, started as the owner starts it, with customers, on a disk whose power can be cut. */
export class PowerlessShop {
  readonly #disk: PowerDisk;
  readonly #chance: Chance;
  readonly #address: Address;
  readonly #gate = new Gate();
  readonly #ledger = newLedger();
  readonly #covers: Covers = new Map();
  readonly #env: NodeJS.ProcessEnv;
  #shop: ShopServer | null = null;
  #key = "";
  #books: Book[] = [];
  #shoppings: Shopping[] = [];
  slowestStartMs = 0;

  constructor(disk: PowerDisk, chance: Chance) {
    this.#disk = disk;
    this.#chance = chance;
    this.#address = { url: "", dataDir: join(disk.folder, "data") };
    // The same after every start, whatever its port: sessions are those of one address.
    this.#env = { SITE_URL: "http://localhost:3000", DATA_DIR: this.#address.dataDir, SHOP_DEMO: "0" };
    disk.makeFolder("data");
  }

  get #running(): ShopServer {
    if (!this.#shop) throw new Error("The shop is not running");
    return this.#shop;
  }

  /** Ends every process without a word. */
  async end(): Promise<void> {
    await endAll(this.#address.dataDir);
  }

  async cutFirstStart(): Promise<void> {
    const starting = startShop(this.#env).catch(() => null);
    await pause(this.#chance.whole(50, 3_000));
    await this.#cut();
    await starting;
    await this.#disk.restore();
  }

  async open(): Promise<void> {
    await this.#start();
    this.#key = await publishableKey(this.#address);
    const admin = await signInAdmin(this.#address, this.#key, this.#chance);
    this.#books = await addBooks(admin, this.#chance);
    this.#shoppings = Array.from({ length: shoppersAtOnce }, () => {
      const chance = chanceFrom(this.#chance.whole(0, 2 ** 31));
      return shoppingOf(this.#address, this.#key, this.#books, chance, this.#ledger, this.#gate.passed);
    });
  }

  /** Customers order, the power is cut, the shop starts again and sells; then everything must match what they were shown. */
  async cutAt(moment: ShopMoment): Promise<string[]> {
    let enough = false;
    const work = Promise.all(this.#shoppings.map((shopping) => shopping(() => enough)));
    const end = await this.#bringTo(moment);
    await this.#cut();
    await end();
    await this.#disk.restore();
    await this.#start();
    const before = this.#ledger.confirmed.size;
    this.#gate.open();
    await until("An order after the power cut", () => this.#ledger.confirmed.size > before, this.#running);
    enough = true;
    await work;
    const admin = await signInAdmin(this.#address, this.#key, this.#chance);
    return [
      ...(await findBroken(admin, this.#books, this.#ledger)),
      ...(await findBrokenCovers(this.#address.url, this.#covers)),
      ...this.#ledger.faults,
    ];
  }

  figures(): ShopFigures {
    const { confirmed, foundPlaced, unanswered } = this.#ledger;
    const covers = countConfirmed(this.#covers);
    return {
      confirmed: confirmed.size,
      foundPlaced,
      unanswered,
      covers,
      slowestStartMs: this.slowestStartMs,
    };
  }

  /** @returns what must end once the power has been cut */
  async #bringTo(moment: ShopMoment): Promise<() => Promise<void>> {
    const chance = this.#chance;
    const { confirmed, faults } = this.#ledger;
    const target = confirmed.size + (moment === "right after a start" ? 0 : chance.whole(3, 40));
    await until("An order", () => confirmed.size >= target, this.#running);
    if (moment === "in a checkpoint") {
      const end = await startCheckpoint(this.#address.dataDir);
      await pause(chance.whole(0, 30));
      return end;
    }
    if (moment === "during an upload") {
      const admin = await signInAdmin(this.#address, this.#key, chance);
      const uploaded = countConfirmed(this.#covers) + chance.whole(1, 3);
      const uploading = keepUploading(admin, this.#covers, chance, faults);
      await until("An upload", () => countConfirmed(this.#covers) >= uploaded, this.#running);
      await pause(chance.whole(0, 60));
      return () => uploading;
    }
    if (moment === "after a clean stop" || moment === "16 s after a clean stop") await this.#stop();
    if (moment === "16 s after a clean stop") await pause(16_000);
    await pause(chance.whole(0, 300));
    return async () => {};
  }

  async #start(): Promise<void> {
    const startedAt = Date.now();
    this.#shop = await startShop(this.#env);
    this.#address.url = this.#shop.url;
    this.slowestStartMs = Math.max(this.slowestStartMs, Date.now() - startedAt);
  }

  async #stop(): Promise<void> {
    this.#gate.close();
    const { process: child, output } = this.#running;
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    const [code] = await ended;
    if (code !== 0) throw new Error(`SIGTERM ended with ${code}:\n${output()}`);
  }

  /** From here on no request is answered, so customers wait for the next start. */
  async #cut(): Promise<void> {
    this.#gate.close();
    await this.#disk.cut();
    await this.end();
    this.#shop = null;
  }
}
