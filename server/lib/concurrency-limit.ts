import { Refusal } from "./refusal.ts";
import { type Client, clientKinds, type Limits, Turns, type Waiting } from "./turns.ts";

export type { Client } from "./turns.ts";

type Options = Pick<Limits, "running" | "each"> &
  Partial<Limits> & {
    /** Limits on the memory of waiting requests, for one client and in total. */
    bytesEach?: number;
    bytes?: number;
    /** After this time without a turn, a request is refused. */
    waitMs?: number;
    /** In milliseconds, like performance.now(). */
    now?: () => number;
  };

type Counts = { running: number; waiting: number; timedOut: number; full: number };

/** By kind of client: how many run and wait now, and how many were refused by the timeout or for lack of memory. */
export type LimitMetrics = Record<Client["kind"], Counts>;

/** The memory that a waiting request takes in all processes of the shop, besides its body. */
const requestBytes = 16 * 1024;
/** The last quarter of the memory is for clients with no more than this: 128 requests, such as a school's. */
const fewBytes = 128 * requestBytes;

/**
 * Limits how many requests run at a time, such as those that need a connection to the database. The others wait for
 * up to 10 seconds. The client that has used the least time goes first, so that one with many or long requests delays
 * mostly itself.
 */
export class ConcurrencyLimit {
  readonly #turns: Turns;
  readonly #counts: LimitMetrics;
  /** The bytes of waiting requests, by client. */
  readonly #bytesOf = new Map<string, number>();
  readonly #bytesEach: number;
  readonly #bytes: number;
  readonly #waitMs: number;
  #bytesOfAll = 0;
  #lastNumber = 0;

  constructor(options: Options) {
    const { bytesEach = 16 * 2 ** 20, bytes = 64 * 2 ** 20, waitMs = 10_000, now, ...limits } = options;
    const unlimited = { ms: Number.POSITIVE_INFINITY, running: limits.running };
    const defaults = { alone: limits.each, reserved: { shop: 0, customer: 0 }, slow: unlimited };
    this.#turns = new Turns({ ...defaults, ...limits }, now ?? (() => performance.now()));
    this.#bytesEach = bytesEach;
    this.#bytes = bytes;
    this.#waitMs = waitMs;
    const none = () => ({ running: 0, waiting: 0, timedOut: 0, full: 0 });
    this.#counts = Object.fromEntries(clientKinds.map((kind) => [kind, none()])) as LimitMetrics;
  }

  metrics(): LimitMetrics {
    return structuredClone(this.#counts);
  }

  /**
   * Runs the work when it is the client's turn.
   * @param bodyBytes the size of the request's body, which waits with it
   * @throws Refusal 503 after 10 seconds, or at once if waiting requests take up all the memory allowed
   */
  async run<T>(client: Client, work: () => Promise<T>, signal?: AbortSignal, bodyBytes = 0): Promise<T> {
    if (signal?.aborted) throw busy();
    const counts = this.#counts[client.kind];
    const end = await this.#wait(client, requestBytes + bodyBytes, signal);
    counts.running += 1;
    try {
      return await work();
    } finally {
      counts.running -= 1;
      end();
    }
  }

  #addBytes(name: string, bytes: number): void {
    this.#bytesOfAll += bytes;
    const own = (this.#bytesOf.get(name) ?? 0) + bytes;
    if (own > 0) this.#bytesOf.set(name, own);
    else this.#bytesOf.delete(name);
  }

  #hasRoom({ kind }: Client, name: string): boolean {
    if (kind === "shop") return this.#bytesOfAll <= this.#bytes;
    const own = this.#bytesOf.get(name) ?? 0;
    // A few clients that fill the memory together must not get everybody else refused.
    const share = own > fewBytes ? 3 / 4 : 1;
    return own <= this.#bytesEach && this.#bytesOfAll <= share * this.#bytes;
  }

  /** @returns a function that ends the turn */
  #wait(client: Client, bytes: number, signal?: AbortSignal): Promise<() => void> {
    const counts = this.#counts[client.kind];
    const name = `${client.kind} ${client.key}`;
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      let isWaiting = true;
      const leave = () => {
        isWaiting = false;
        counts.waiting -= 1;
        this.#addBytes(name, -bytes);
        clearTimeout(timer);
        signal?.removeEventListener("abort", giveUp);
      };
      const giveUp = () => {
        leave();
        this.#turns.remove(usage, waiting);
        reject(busy());
      };
      const refuse = (reason: "timedOut" | "full") => {
        counts[reason] += 1;
        giveUp();
      };
      this.#lastNumber += 1;
      const waiting: Waiting = {
        number: this.#lastNumber,
        start: (end) => {
          leave();
          resolve(end);
        },
      };
      counts.waiting += 1;
      this.#addBytes(name, bytes);
      const usage = this.#turns.add(client, waiting);
      this.#turns.startNext();
      if (!isWaiting) return;
      if (!this.#hasRoom(client, name)) return refuse("full");
      timer = setTimeout(refuse, this.#waitMs, "timedOut");
      signal?.addEventListener("abort", giveUp, { once: true });
    });
  }
}

/** A header tells the browser that the work was not started, so that a retry can't do anything twice. */
export const busy = () =>
  new Refusal(503, "PT503", "The shop is busy. Please try again in a moment.", null, {
    "retry-after": "2",
    "x-not-begun": "1",
  });
