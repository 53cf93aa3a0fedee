import { AsyncLocalStorage } from "node:async_hooks";
import { performance } from "node:perf_hooks";
import { Heap } from "./heap.ts";

/** The event loop as far as it is needed here; tests pass their own. */
export type Loop = {
  /** Milliseconds, as performance.now(). */
  now: () => number;
  /** For how long it has had nothing to do. */
  idle: () => number;
  /** As setImmediate: functions passed together run in one iteration of the loop, promises between them. */
  immediate: (run: () => void) => void;
  timeout: (run: () => void, ms: number) => () => void;
};

const nodesLoop: Loop = {
  now: () => performance.now(),
  idle: () => performance.eventLoopUtilization().idle,
  immediate: setImmediate,
  timeout: (run, ms) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/**
 * How much of the virtual clock's time one client may use while others send requests. That clock goes on while the loop
 * has nothing to do, and more slowly while it is busy: the busier others keep it, the less time a client may take from it,
 * but never less than a twentieth.
 */
const share = 1 / 5;
const busyRate = 1 / 4;
/** A client that has sent nothing for this long may use its share of it at once: a page with all that belongs to it. */
const burstMs = 500;
/** For this long after another client's request, a client counts as one of several. */
const othersMs = 1_000;
/** What a request costs outside of its turns: parsing its head, sending the response. */
const overheadMs = 0.2;
/** A client's short pieces run together in an iteration of the loop, until they have taken this long. */
const sliceMs = 1;
/** After this much work, the loop reads from connections again. */
const iterationMs = 5;
const maxPerIteration = 64;
const waitMs = 10_000;
const maxClients = 10_000;

type Piece = { number: number; start: () => void };
type Client = {
  key: string;
  waiting: Heap<Piece>;
  /** From when on its next piece is within its share, by the virtual clock. */
  readyAt: number;
};
type Ticket = { client: string; number: number; turns: LoopTurns };

const currentTicket = new AsyncLocalStorage<Ticket | null>();

/**
 * Waits for the next turn of the client whose request this code handles. Called before everything that takes a
 * noticeable part of a millisecond, such as parsing a body or rendering a page, because it is charged to the client.
 * Outside of a request there is nothing to wait for.
 */
export async function nextTurn(): Promise<void> {
  const ticket = currentTicket.getStore();
  if (ticket) await ticket.turns.next(ticket);
}

/** The shop's own work is nobody's, whoever's request it is needed for first. */
export const outsideTurns = <T>(work: () => T): T => currentTicket.run(null, work);

/**
 * Shares out the time of the one thread that handles requests, whether they are served or refused. The client that has
 * used the least comes first (virtual clock; Zhang 1990), with a millisecond of work, or one piece that takes longer, in
 * each iteration of the event loop. While others send requests, a client that nobody else competes with waits until it is
 * within its share again: otherwise every step of theirs, such as a result from the database, would find the thread busy
 * with its work.
 */
export class LoopTurns {
  readonly #loop: Loop;
  readonly #clients = new Map<string, Client>();
  readonly #queue = new Heap<Client>(
    (one, other) =>
      one.readyAt < other.readyAt || (one.readyAt === other.readyAt && firstNumber(one) < firstNumber(other)),
  );
  /** How long each client's work has taken in this iteration. */
  readonly #usedMs = new Map<Client, number>();
  /** Clients that have had their time in this iteration, or whose work runs now. */
  readonly #served = new Set<Client>();
  #running: { client: Client; startedAt: number } | null = null;
  #isIterating = false;
  #iterationStartedAt = 0;
  #idleMs = 0;
  /** How many times this iteration, or the next one, may start or measure something. */
  #slots = 0;
  /** How far the virtual clock has been put on: where all that waits is early, it goes on to the first one. */
  #aheadMs = 0;
  #cancelTimer: (() => void) | null = null;
  /** The clients of the latest turns. */
  #latest = { key: "", at: Number.NEGATIVE_INFINITY };
  #previousAt = Number.NEGATIVE_INFINITY;
  #lastNumber = 0;
  /** Requests that have not begun, the oldest first. */
  readonly #admitted = new Set<{ at: number; giveUp: () => void }>();
  #isWatching = false;
  /** Runs what belongs to no request. */
  readonly #outside = AsyncLocalStorage.snapshot();
  #pieces = 0;
  #refused = 0;

  constructor(loop = nodesLoop) {
    this.#loop = loop;
  }

  metrics() {
    return { waiting: this.#admitted.size, refused: this.#refused };
  }

  /** How many clients it remembers. */
  get clientCount(): number {
    return this.#clients.size;
  }

  /**
   * Starts handling a request at its client's turn, outside of any other request's context; `nextTurn` in it waits for the
   * next one.
   * @param refuse called instead after 10 seconds
   * @returns removes the request; called when its client has disconnected
   */
  admit(client: string, handle: () => void, refuse: () => void): () => void {
    this.#lastNumber += 1;
    const number = this.#lastNumber;
    const start = () => {
      this.#admitted.delete(admitted);
      currentTicket.run({ client, number, turns: this }, handle);
    };
    const piece = { number, start };
    const remove = () => {
      if (this.#admitted.delete(admitted)) this.#remove(client, piece);
    };
    const giveUp = () => {
      this.#refused += 1;
      remove();
      refuse();
    };
    const admitted = { at: this.#loop.now(), giveUp };
    this.#admitted.add(admitted);
    this.#outside(() => {
      this.#isWatching ||= this.#watch();
      this.#add(client, piece);
    });
    return remove;
  }

  /** Refuses what has waited for too long, with one timer for all requests. */
  #watch(): boolean {
    for (const { at, giveUp } of this.#admitted) {
      const restMs = at + waitMs - this.#loop.now();
      if (restMs > 0) {
        this.#loop.timeout(() => {
          this.#isWatching = this.#watch();
        }, restMs);
        return true;
      }
      giveUp();
    }
    return false;
  }

  /** Resolves at the next turn of a request that has been admitted. Older requests come first. */
  next({ client, number }: Pick<Ticket, "client" | "number">): Promise<void> {
    return new Promise((start) => this.#outside(() => this.#add(client, { number, start })));
  }

  #add(key: string, piece: Piece): void {
    const client = this.#clients.get(key) ?? this.#newClient(key);
    this.#queue.remove(client);
    if (client.waiting.size === 0) client.readyAt = Math.max(client.readyAt, this.#virtualNow() - burstMs);
    client.waiting.add(piece);
    this.#pieces += 1;
    this.#requeue(client);
    this.#schedule();
  }

  #remove(key: string, piece: Piece): void {
    const client = this.#clients.get(key);
    if (!client) return;
    this.#queue.remove(client);
    client.waiting.remove(piece);
    this.#pieces -= 1;
    this.#requeue(client);
  }

  #newClient(key: string): Client {
    if (this.#clients.size >= maxClients)
      for (const [other, { waiting }] of this.#clients)
        if (waiting.size === 0) {
          this.#clients.delete(other);
          break;
        }
    const waiting = new Heap<Piece>((one, other) => one.number < other.number);
    const client = { key, waiting, readyAt: Number.NEGATIVE_INFINITY };
    this.#clients.set(key, client);
    return client;
  }

  /** Adds a client to the queue again, if it has work and hasn't had its turn in this iteration. */
  #requeue(client: Client): void {
    if (client.waiting.size > 0 && !this.#served.has(client)) this.#queue.add(client);
  }

  #virtualNow = () =>
    (this.#isIterating ? this.#idleMs : this.#loop.idle()) + busyRate * this.#loop.now() + this.#aheadMs;

  /** Whether no other client has had a turn for a while. */
  #isAlone({ key }: Client): boolean {
    const { key: latest, at } = this.#latest;
    return this.#loop.now() - (latest === key ? this.#previousAt : at) > othersMs;
  }

  /** The client whose turn it is now, or for how long nobody's is; null if nothing waits. */
  #next(): Client | number | null {
    const client = this.#queue.first;
    if (!client) return null;
    const earlyMs = client.readyAt - this.#virtualNow();
    if (earlyMs <= 0 || this.#isAlone(client)) return client;
    // Where several want more than their shares, nobody's time is saved by waiting, and the one that has used the least comes first.
    const others = [...this.#served].filter(({ waiting }) => waiting.size > 0);
    const competes = this.#queue.size + others.length > 1;
    return competes && others.every(({ readyAt }) => client.readyAt <= readyAt) ? client : earlyMs;
  }

  #schedule(): void {
    if (this.#isIterating) return;
    const next = this.#next();
    if (next === null) return;
    if (typeof next === "number") {
      this.#cancelTimer ??= this.#loop.timeout(
        () => {
          this.#cancelTimer = null;
          this.#schedule();
        },
        Math.ceil(next / (1 + busyRate)),
      );
      return;
    }
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    // One for each piece, and another to measure what the last one took.
    for (const most = Math.min(this.#pieces, maxPerIteration) + 1; this.#slots < most; this.#slots += 1)
      this.#loop.immediate(() => this.#takeSlot());
  }

  #takeSlot(): void {
    if (!this.#isIterating) {
      this.#iterationStartedAt = this.#loop.now();
      this.#idleMs = this.#loop.idle();
      this.#isIterating = true;
    }
    this.#slots -= 1;
    this.#charge();
    if (this.#slots > 0) {
      this.#startOne();
      return;
    }
    const served = [...this.#served];
    this.#served.clear();
    this.#usedMs.clear();
    for (const client of served) this.#requeue(client);
    this.#isIterating = false;
    this.#forgetClients();
    this.#schedule();
  }

  /** A client that may use its whole burst again is as good as a new one, and would only fill the memory. */
  #forgetClients(): void {
    const readyBefore = this.#virtualNow() - burstMs;
    for (const [key, { waiting, readyAt }] of this.#clients) {
      if (waiting.size > 0 || readyAt > readyBefore) return;
      this.#clients.delete(key);
    }
  }

  #startOne(): void {
    if (this.#loop.now() - this.#iterationStartedAt > iterationMs) return;
    const client = this.#next();
    if (client === null || typeof client === "number") return;
    const piece = client.waiting.first as Piece;
    this.#queue.remove(client);
    client.waiting.remove(piece);
    this.#pieces -= 1;
    this.#served.add(client);
    // Time that no one else wanted is not held against a client.
    this.#aheadMs += Math.max(0, client.readyAt - this.#virtualNow());
    const startedAt = this.#loop.now();
    if (this.#latest.key !== client.key) this.#previousAt = this.#latest.at;
    this.#latest = { key: client.key, at: startedAt };
    this.#running = { client, startedAt };
    piece.start();
  }

  /** Charges a turn to its client once the promises that it has resolved are done. */
  #charge(): void {
    if (!this.#running) return;
    const { client, startedAt } = this.#running;
    this.#running = null;
    const ms = this.#loop.now() - startedAt;
    client.readyAt += (ms + overheadMs) / share;
    const usedMs = (this.#usedMs.get(client) ?? 0) + ms;
    this.#usedMs.set(client, usedMs);
    if (usedMs >= sliceMs) return;
    this.#served.delete(client);
    this.#requeue(client);
  }
}

const firstNumber = ({ waiting }: Client) => waiting.first?.number ?? 0;
