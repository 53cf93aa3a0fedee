import { setTimeout as pause } from "node:timers/promises";
import postgres from "postgres";
import { splitHosts } from "../lib/database-url.ts";
import { createDialer } from "./hosts.ts";

type Options = postgres.Options<Record<string, postgres.PostgresType>>;

/** The driver's and the server's codes for a connection that is lost, or about to be. */
const lostCode = /^(CONNECTION_|CONNECT_TIMEOUT|ECONN|EPIPE|ENOENT|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|08|57P0)/;

/** Whether an error means that the connection is no longer usable. */
export const isLost = (error: unknown) =>
  lostCode.test(String((error as { code?: unknown } | null)?.code ?? "")) || isStandby(error);

/** What a replica says to whoever wants to write: the connection was meant for the primary, which is elsewhere since. */
export const isStandby = (error: unknown) => {
  const { code, message = "" } = (error ?? {}) as { code?: unknown; message?: string };
  return code === "0A000" && message.includes("during recovery");
};

export const lost = (code: string) => Object.assign(new Error("The database does not answer"), { code });

/** Rejects when nothing has come within this many milliseconds; what comes later is dropped. */
export async function within<Result>(promise: Promise<Result>, ms: number): Promise<Result> {
  promise.catch(() => {});
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(lost("CONNECTION_CLOSED")), ms);
  });
  return Promise.race([promise, silence]).finally(() => clearTimeout(timer));
}

/**
 * Runs work, and rolls back if it fails, even outside a transaction: only a completed command makes postgres.js (3.4.9) forget how
 * many rows came before an error; otherwise the next result has that many empty elements.
 */
export async function rolledBack<Result>(
  work: (database: postgres.Sql) => Promise<Result>,
  database: postgres.Sql,
): Promise<Result> {
  try {
    return await work(database);
  } catch (error) {
    if (!isLost(error)) await within(database.unsafe("rollback"), rollbackMs);
    throw error;
  }
}

/**
 * How the server is reached: the shop's own one; the owner's, which may have replicas; or the owner's through a pooler, which keeps neither
 * settings nor prepared statements from one transaction to the next.
 */
export type Via = "own" | "direct" | "pooler";

/** The only setting that every pooler lets through. */
const nameOf = (settings: Options["connection"]) => ({
  application_name: settings?.application_name ?? "shop",
});

type Connection = { database: postgres.Sql; options: Options; openedAt: number; onLost: () => void };

/**
 * On each new connection the driver queries the server for its array types, and an error of that query cannot be caught. So only the
 * first connections run it: what they learn is in the options, which the later ones share.
 */
type Driver = { options: object; knowsTypes: boolean; via: Via };

/** Settles as the work does, unless its connection is lost first or says nothing for this many milliseconds. */
const untilLost = <Result>(working: Promise<Result>, connection: Connection, ms: number | null) =>
  new Promise<Result>((resolve, reject) => {
    const giveUp = () => reject(lost("CONNECTION_CLOSED"));
    const timer = ms === null ? undefined : setTimeout(giveUp, ms);
    connection.onLost = () => setTimeout(giveUp, afterLossMs);
    working.then(resolve, reject).finally(() => clearTimeout(timer));
  });

/** Limits what a connection accumulates, such as prepared statements. */
const oldestMs = 30 * 60_000;
/** The driver has responded as far as it can before this. */
const afterLossMs = 200;
const closingMs = 5_000;
const rollbackMs = 5_000;

/**
 * The driver (3.4.9) opens a connection again that the server closed before it was ready, even when it was ended in between.
 * It reads this option each time.
 */
function end({ database, options }: Connection): Promise<void> {
  const socket = () => {
    throw lost("CONNECTION_ENDED");
  };
  Object.assign(options, { socket });
  return database.end({ timeout: 0 });
}

/**
 * Connections of which each does one piece of work at a time. A pool of postgres.js would leave work unanswered for ever when the
 * server dies at the wrong moment, and cannot part with one connection that says nothing.
 */
export class Connections {
  readonly #driver: Driver;
  readonly #settings: Options["connection"];
  readonly #most: number;
  readonly #all = new Set<Connection>();
  readonly #idle: Connection[] = [];
  readonly #waiting: (() => void)[] = [];
  readonly #uses = new Set<Promise<unknown>>();
  #ended = false;

  constructor(driver: Driver, settings: Options["connection"], most: number) {
    this.#driver = driver;
    this.#settings = settings;
    this.#most = most;
  }

  /**
   * Connections to a database, at most this many. With several servers in the address, to the one that may be written to.
   */
  static to(url: string, options: Options, most: number, via: Via = "own"): Connections {
    const urls = splitHosts(url);
    const [first = url] = urls;
    const { options: parsed } = postgres(first, {
      ...options,
      ...(urls.length > 1 ? { socket: createDialer(urls) } : {}),
      ...(via === "pooler" ? { prepare: false } : {}),
      // One connection is one pool of the driver's: its own order of things is kept, and it can be ended alone.
      ...{ max: 1, max_lifetime: null, idle_timeout: 0 },
    } as Options);
    return new Connections({ options: parsed, knowsTypes: false, via }, options.connection, most);
  }

  /** As many others, to the same database with these settings besides. */
  withSettings(most: number, settings: Options["connection"]): Connections {
    return new Connections(this.#driver, { ...this.#settings, ...settings } as Options["connection"], most);
  }

  get via(): Via {
    return this.#driver.via;
  }

  /**
   * Runs work on its own connection. Work that succeeds must have ended its transaction; failed work is rolled back.
   * @param ms how long it may take; a connection that says nothing for longer is dropped
   * @throws an error for which `isLost` is true when the connection is gone or was dropped
   */
  use<Result>(work: (database: postgres.Sql) => Promise<Result>, ms: number | null): Promise<Result> {
    const use = this.#use(work, ms);
    this.#uses.add(use);
    const forget = () => void this.#uses.delete(use);
    use.then(forget, forget);
    return use;
  }

  async #use<Result>(work: (database: postgres.Sql) => Promise<Result>, ms: number | null): Promise<Result> {
    const connection = await this.#take(ms);
    try {
      const result = await untilLost(rolledBack(work, connection.database), connection, ms);
      this.#driver.knowsTypes = true;
      this.#giveBack(connection);
      return result;
    } catch (error) {
      if (isLost(error)) this.#drop(connection);
      else this.#giveBack(connection);
      throw error;
    }
  }

  async #take(ms: number | null): Promise<Connection> {
    const until = ms === null ? Number.POSITIVE_INFINITY : Date.now() + ms;
    while (!this.#ended) {
      const idle = this.#idle.pop();
      if (idle) return idle;
      if (this.#all.size < this.#most) return this.#open();
      let next = () => {};
      const turn = new Promise<void>((resolve) => {
        next = resolve;
        this.#waiting.push(next);
      });
      if (until === Number.POSITIVE_INFINITY) await turn;
      else
        await within(turn, until - Date.now()).catch((error) => {
          const at = this.#waiting.indexOf(next);
          if (at >= 0) this.#waiting.splice(at, 1);
          else this.#waiting.shift()?.(); // It was this one's turn just now.
          throw error;
        });
    }
    throw lost("CONNECTION_ENDED");
  }

  metrics(): { inUse: number; most: number } {
    return { inUse: this.#all.size - this.#idle.length, most: this.#most };
  }

  #open(): Connection {
    const options = {
      ...this.#driver.options,
      fetch_types: !this.#driver.knowsTypes,
      connection: this.via === "pooler" ? nameOf(this.#settings) : this.#settings,
      onclose: () => connection.onLost(),
    } as Options;
    const database = postgres(options) as unknown as postgres.Sql;
    const connection: Connection = { database, options, openedAt: Date.now(), onLost: () => {} };
    this.#all.add(connection);
    return connection;
  }

  #giveBack(connection: Connection): void {
    if (Date.now() - connection.openedAt > oldestMs) this.#drop(connection);
    else {
      connection.onLost = () => this.#drop(connection);
      this.#idle.push(connection);
      this.#waiting.shift()?.();
    }
  }

  #drop(connection: Connection): void {
    connection.onLost = () => {};
    if (!this.#all.delete(connection)) return;
    const at = this.#idle.indexOf(connection);
    if (at >= 0) this.#idle.splice(at, 1);
    void end(connection);
    this.#waiting.shift()?.();
  }

  /** Ends all; running requests get a few seconds to finish. */
  async end(): Promise<void> {
    this.#ended = true;
    for (const next of this.#waiting.splice(0)) next();
    const abort = new AbortController();
    const { signal } = abort;
    await Promise.race([
      Promise.allSettled([...this.#uses]),
      pause(closingMs, undefined, { signal }).catch(() => {}),
    ]);
    abort.abort();
    const ending = [...this.#all].map(end);
    this.#all.clear();
    await Promise.all(ending);
  }
}
