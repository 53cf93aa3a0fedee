import { Refusal } from "./refusal.ts";

/**
 * Who a statement is for: the shop itself (its commands, the catalogue's version) and staff, a customer, a page being
 * rendered for a visitor, a visitor's browser, or anyone who requests a public file, which takes a millisecond on one
 * of the owner's connections.
 */
export type Asker = { kind: "shop" | "customer" | "page" | "visitor" | "public file"; key: string };

/**
 * How many statements may run and how many may wait, for one asker and for all of a kind. Together customers, pages
 * and visitors never take all connections, and never all of the web process's connections to this one (64, for pages
 * 256). A page runs up to three statements at a time, and each web process renders two pages at a time for one client
 * (see server/pages.ts).
 */
type Lane = { running: number; waiting: number; runningEach: number; waitingEach: number };

export const lanesFor = (connections: number, workers = 1): Record<Asker["kind"], Lane> => ({
  shop: { running: connections, waiting: 200, runningEach: connections, waitingEach: 200 },
  customer: { running: connections - 3, waiting: 24, runningEach: 3, waitingEach: 12 },
  page: { running: Math.floor(connections / 2), waiting: 240, runningEach: 3, waitingEach: 12 * workers },
  visitor: { running: Math.floor(connections / 3), waiting: 12, runningEach: 2, waitingEach: 8 },
  "public file": { running: 2, waiting: 64, runningEach: 2, waitingEach: 32 },
});

const waitMs = 10_000;

/** For each kind: how many statements are running and waiting now, and how many were refused since the start. */
export type LaneFigures = Record<Asker["kind"], { running: number; waiting: number; refused: number }>;

type Waiter = { asker: Asker; start: () => void };

/** Shares out connections so that an asker with too many requests waits behind their own, not in front of others. */
export class Lanes {
  readonly #connections: number;
  readonly #lanes: Record<Asker["kind"], Lane>;
  readonly #running = new Map<string, number>();
  readonly #waiters: Waiter[] = [];
  readonly #refused = new Map<Asker["kind"], number>();

  constructor(connections: number, lanes = lanesFor(connections)) {
    this.#connections = connections;
    this.#lanes = lanes;
  }

  figures(): LaneFigures {
    const of = (kind: Asker["kind"]) => ({
      running: this.#count(kind),
      waiting: this.#waiters.filter(({ asker }) => asker.kind === kind).length,
      refused: this.#refused.get(kind) ?? 0,
    });
    const kinds = Object.keys(this.#lanes) as Asker["kind"][];
    return Object.fromEntries(kinds.map((kind) => [kind, of(kind)])) as LaneFigures;
  }

  #refuse(kind: Asker["kind"]): Refusal {
    this.#refused.set(kind, (this.#refused.get(kind) ?? 0) + 1);
    return busy();
  }

  #count(name: string): number {
    return this.#running.get(name) ?? 0;
  }

  #mayStart({ kind, key }: Asker): boolean {
    const lane = this.#lanes[kind];
    const outside = this.#count("customer") + this.#count("page") + this.#count("visitor");
    const all = outside + this.#count("shop");
    return (
      (kind === "public file" || all < this.#connections) &&
      (kind === "shop" || kind === "public file" || outside < this.#connections - 2) &&
      this.#count(kind) < lane.running &&
      this.#count(`${kind} ${key}`) < lane.runningEach
    );
  }

  #add({ kind, key }: Asker, by: 1 | -1): void {
    for (const name of [kind, `${kind} ${key}`]) {
      const count = this.#count(name) + by;
      if (count > 0) this.#running.set(name, count);
      else this.#running.delete(name);
    }
  }

  /**
   * Runs the work once there is room for it.
   * @throws Refusal 503 when there is none soon
   */
  async run<T>(asker: Asker, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (this.#mayStart(asker)) this.#add(asker, 1);
    else await this.#wait(asker, signal);
    try {
      return await work();
    } finally {
      this.#add(asker, -1);
      this.#startNext();
    }
  }

  /** The first waiter that may start; among waiters of its kind, the one with the least work under way comes first. */
  #next(): Waiter | undefined {
    const ready = this.#waiters.filter(({ asker }) => this.#mayStart(asker));
    const own = ({ asker: { kind, key } }: Waiter) => this.#count(`${kind} ${key}`);
    return ready
      .filter(({ asker: { kind } }) => kind === ready[0]?.asker.kind)
      .reduce<Waiter | undefined>((best, each) => (best && own(best) <= own(each) ? best : each), undefined);
  }

  #startNext(): void {
    for (let waiter = this.#next(); waiter; waiter = this.#next()) {
      this.#waiters.splice(this.#waiters.indexOf(waiter), 1);
      this.#add(waiter.asker, 1);
      waiter.start();
    }
  }

  async #wait(asker: Asker, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) throw busy();
    const lane = this.#lanes[asker.kind];
    const alike = this.#waiters.filter(({ asker: { kind } }) => kind === asker.kind);
    const own = alike.filter(({ asker: { key } }) => key === asker.key);
    if (alike.length >= lane.waiting || own.length >= lane.waitingEach) throw this.#refuse(asker.kind);
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", giveUp);
      };
      const start = () => {
        leave();
        resolve();
      };
      const waiter = { asker, start };
      const giveUp = () => {
        leave();
        this.#waiters.splice(this.#waiters.indexOf(waiter), 1);
        reject(busy());
      };
      const timer = setTimeout(() => {
        this.#refuse(asker.kind);
        giveUp();
      }, waitMs);
      signal?.addEventListener("abort", giveUp, { once: true });
      this.#waiters.push(waiter);
    });
  }
}

const busy = () =>
  new Refusal(503, "PT503", "The shop is busy. Please try again in a moment.", null, { "retry-after": "2" });
