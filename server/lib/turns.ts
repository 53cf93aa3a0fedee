import { FairQueue } from "./fair-queue.ts";
import { Heap } from "./heap.ts";

export const clientKinds = ["shop", "customer", "page", "visitor", "public file"] as const;

/**
 * Who a request is for: the shop itself (its commands, the catalogue's version) and its staff, a customer, a page being
 * rendered for a visitor, a visitor's browser, or anyone who requests a public file. The key, an account or a network,
 * distinguishes clients of the same kind.
 */
export type Client = { kind: (typeof clientKinds)[number]; key: string };

export type Limits = {
  /** How many requests run at a time. */
  running: number;
  /** How many of them may be one client's while other clients have requests. */
  each: number;
  /** How many one client may run while no one else has requests, if its requests have been short. */
  alone: number;
  /**
   * How many of all are reserved for the shop and its staff, and how many more for customers: an attacker gets many
   * networks more easily than many accounts.
   */
  reserved: { shop: number; customer: number };
  /** A client whose requests take longer than `ms` on average runs one at a time, and all such clients `running`. */
  slow: { ms: number; running: number };
};

type Run = { startedAt: number; expectedMs: number; group: Group };
type Group = { level: Level; isSlow: boolean; running: number; queue: FairQueue<Usage> };
type Level = "shop" | "customer" | "visitor";

export type Waiting = { number: number; start: (end: () => void) => void };

/** One client's requests and the time they have used. */
export type Usage = {
  name: string;
  running: Set<Run>;
  waiting: Heap<Waiting>;
  oldest: number;
  /** Weighted by time, so that short requests don't hide long ones; null until the first one has ended. */
  averageMs: number | null;
  used: number;
  endedAt: number;
  /** Until when a slow client pauses for others. */
  pausedUntil: number;
  group: Group;
};

const levelOf = (kind: Client["kind"]): Level => (kind === "shop" || kind === "customer" ? kind : "visitor");
/** A request that takes this long counts as much as the average of those before it. */
const weightMs = 100;
const firstExpectedMs = 10;
/**
 * While others send requests, a slow client pauses after each of its own for three times as long, so that it takes at most
 * a quarter of a processor from the database, but not for longer than a second.
 */
const pauses = 3;
const maxPauseMs = 1_000;
/** For this long after another client's request, a client counts as one of several. */
const othersMs = 1_000;
const maxIdleClients = 10_000;
/** After this time without requests, a client's average is forgotten. */
const forgetAfterMs = 60_000;

/** Decides which waiting request runs next. Every operation takes at most logarithmic time. */
export class Turns {
  readonly #limits: Limits;
  readonly #now: () => number;
  /** The shop's group comes first; the others take turns. */
  readonly #groups: [Group, ...Group[]];
  readonly #active = new Map<string, Usage>();
  /** The client of the latest request, and when it and another client's latest one ended or began. */
  #latest = { name: "", at: Number.NEGATIVE_INFINITY };
  #previousAt = Number.NEGATIVE_INFINITY;
  /** Clients without requests, the most recent last. */
  readonly #idle = new Map<string, Usage>();

  constructor(limits: Limits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
    const group = (level: Level, isSlow: boolean) => ({
      level,
      isSlow,
      running: 0,
      queue: new FairQueue<Usage>(),
    });
    this.#groups = [
      group("shop", false),
      ...(["customer", "visitor"] as const).flatMap((level) => [group(level, false), group(level, true)]),
    ];
  }

  add({ kind, key }: Client, waiting: Waiting): Usage {
    const name = `${kind} ${key}`;
    const usage = this.#active.get(name) ?? this.#idle.get(name) ?? this.#newUsage(name, levelOf(kind));
    if (this.#idle.delete(name) && this.#now() - usage.endedAt > forgetAfterMs) usage.averageMs = null;
    this.#active.set(name, usage);
    usage.waiting.add(waiting);
    this.#requeue(usage);
    return usage;
  }

  remove(usage: Usage, waiting: Waiting): void {
    usage.waiting.remove(waiting);
    this.#requeue(usage);
    this.startNext();
  }

  #newUsage(name: string, level: Level): Usage {
    const group = this.#groupOf(level, false);
    const waiting = new Heap<Waiting>((one, other) => one.number < other.number);
    return {
      name,
      running: new Set(),
      waiting,
      oldest: 0,
      averageMs: null,
      used: 0,
      endedAt: 0,
      pausedUntil: 0,
      group,
    };
  }

  #groupOf = (level: Level, isSlow: boolean): Group =>
    this.#groups.find((group) => group.level === level && group.isSlow === isSlow) ?? this.#groups[0];

  #isSlow({ averageMs, running, group }: Usage): boolean {
    if (group.level === "shop") return false;
    const [longest] = running;
    const longestMs = longest ? this.#now() - longest.startedAt : 0;
    return Math.max(averageMs ?? 0, longestMs) > this.#limits.slow.ms;
  }

  #mayRunMore(usage: Usage): boolean {
    const { running, each, alone } = this.#limits;
    const hasAverage = usage.averageMs !== null;
    if (usage.group.level === "shop") return usage.running.size < running;
    if (this.#isSlow(usage)) return usage.running.size === 0 && !this.#isPaused(usage);
    return usage.running.size < (hasAverage && this.#active.size === 1 ? alone : each);
  }

  #isPaused({ name, pausedUntil }: Usage): boolean {
    const now = this.#now();
    const othersAt = this.#latest.name === name ? this.#previousAt : this.#latest.at;
    return now < pausedUntil && now - othersAt < othersMs;
  }

  /** The shop's own requests, which run all the time, are nobody's. */
  #note({ name }: Usage): void {
    if (name === "shop shop") return;
    if (this.#latest.name !== name) this.#previousAt = this.#latest.at;
    this.#latest = { name, at: this.#now() };
  }

  /** Moves a client to the queue for its next request, if it may run one. */
  #requeue(usage: Usage): void {
    const { group } = usage;
    group.queue.remove(usage);
    const first = usage.waiting.first;
    if (first && this.#mayRunMore(usage)) {
      usage.group = this.#groupOf(group.level, this.#isSlow(usage));
      usage.oldest = first.number;
      usage.group.queue.add(usage, group.queue);
    }
    if (!first && usage.running.size === 0) this.#becomeIdle(usage);
  }

  #becomeIdle(usage: Usage): void {
    this.#active.delete(usage.name);
    this.#idle.set(usage.name, usage);
    if (this.#idle.size > maxIdleClients) this.#forgetOldest();
    const [last] = this.#active.values();
    if (this.#active.size === 1 && last) this.#requeue(last);
  }

  /** Forgets many at once: a map is slow to find its first entry where others have been deleted before it. */
  #forgetOldest(): void {
    for (const name of this.#idle.keys()) {
      if (this.#idle.size <= (9 / 10) * maxIdleClients) return;
      this.#idle.delete(name);
    }
  }

  #hasCapacity({ level, isSlow }: Group): boolean {
    const count = (counts: (group: Group) => boolean) =>
      this.#groups.reduce((sum, group) => sum + (counts(group) ? group.running : 0), 0);
    const { running, reserved, slow } = this.#limits;
    if (isSlow && count((group) => group.isSlow) >= slow.running) return false;
    if (count(() => true) >= running) return false;
    if (level === "shop") return true;
    if (count((group) => group.level !== "shop") >= running - reserved.shop) return false;
    return (
      level === "customer" ||
      count((group) => group.level === "visitor") < running - reserved.shop - reserved.customer
    );
  }

  #next(): Group | undefined {
    for (const group of this.#groups)
      for (let first = group.queue.first; first && this.#hasCapacity(group); first = group.queue.first) {
        if (this.#isSlow(first) === group.isSlow && this.#mayRunMore(first)) return group;
        // Since it was queued, one of its requests has become slow, or other clients have come.
        this.#requeue(first);
      }
    return undefined;
  }

  /** Starts every request that may run now. */
  startNext(): void {
    for (let group = this.#next(); group; group = this.#next()) {
      const usage = group.queue.take();
      const waiting = usage?.waiting.first;
      if (!usage || !waiting) return;
      if (group.level !== "shop") this.#groups.push(...this.#groups.splice(this.#groups.indexOf(group), 1));
      this.#start(usage, waiting);
    }
  }

  #start(usage: Usage, waiting: Waiting): void {
    const { group } = usage;
    const run = { startedAt: this.#now(), expectedMs: usage.averageMs ?? firstExpectedMs, group };
    usage.waiting.remove(waiting);
    usage.running.add(run);
    usage.used += run.expectedMs;
    group.running += 1;
    this.#note(usage);
    this.#requeue(usage);
    waiting.start(() => this.#end(usage, run));
  }

  #end(usage: Usage, run: Run): void {
    const now = this.#now();
    const ms = now - run.startedAt;
    run.group.running -= 1;
    usage.group.queue.remove(usage);
    usage.running.delete(run);
    usage.used += ms - run.expectedMs;
    usage.averageMs ??= ms;
    usage.averageMs += (ms - usage.averageMs) * (ms / (ms + weightMs));
    usage.endedAt = now;
    this.#note(usage);
    if (this.#isSlow(usage)) this.#pause(usage, Math.min(pauses * ms, maxPauseMs));
    this.#requeue(usage);
    this.startNext();
  }

  #pause(usage: Usage, ms: number): void {
    usage.pausedUntil = this.#now() + ms;
    setTimeout(() => {
      if (usage.waiting.first) this.#requeue(usage);
      this.startNext();
    }, Math.ceil(ms)).unref();
  }
}
