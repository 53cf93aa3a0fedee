import { Refusal } from "../../lib/refusal.ts";

/** Who is waiting. */
export type QueueClient = {
  /** The account that is named, whether or not it exists; null if none is. */
  email: string | null;
  /** Null if it's not known, for example behind a proxy that doesn't name its clients. */
  network: string | null;
  /** Whether anyone has signed in from this network before. */
  isKnownNetwork: boolean;
  /** When the request arrived, as performance.now(): what waits in two queues waits no longer for that. */
  sinceMs: number;
  signal: AbortSignal;
};

export type QueueMetrics = {
  running: number;
  waiting: number;
  finished: number;
  refused: number;
  dropped: number;
};

/** What takes turns: the largest networks first. */
const levels = ["largest", "large", "own"] as const;
type Keys = Record<(typeof levels)[number], string[]>;
type Waiter = QueueClient & { keys: Keys; start: () => void };

const timeoutMs = 10_000;
/**
 * Once the longest wait exceeds this, and so many wait that those who come now would time out, the newest request comes
 * first. Oldest first would make everyone wait for nearly the whole timeout; this way most people wait for less than a
 * second, also right after a burst of guesses.
 */
const overloadMs = 1_000;
/** A queue that is worked off in this time, oldest first, lets everyone in. */
const clearableMs = 8_000;
/** Once the longest wait exceeds this, every second turn goes to the oldest request. */
const agedMs = 2_000;
/** Up to four for each turn. A forgotten account or network only counts as new. */
const maxRemembered = 4_000;

/** Nothing was begun, so the shop's pages send the request again by themselves. */
export const busy = () =>
  new Refusal(503, "over_capacity", "The shop is busy. Please try again in a moment.", null, {
    "retry-after": "2",
    "x-not-begun": "1",
  });

export const isBusy = (error: unknown) => error instanceof Refusal && error.code === "over_capacity";

/**
 * Shares out what there is little of, hashing threads or connections to the database, so that a flood of sign-ins delays
 * itself and hardly anyone else:
 *
 * - Networks where someone has signed in before and all others take turns. A flood from new networks leaves half of the
 *   time to customers' usual ones, and the other way round.
 * - In each of the two, networks take turns by their size: first the largest (an IPv6 /32), in each of them the smaller
 *   ones (a /48), then those of single customers, with their accounts. Whoever has a large network has one turn with it,
 *   however many small ones they make of it.
 * - Networks that nobody has seen before would always come first. So once someone has waited for 2 seconds, every second
 *   turn goes to the oldest request.
 * - A request waits for at most 10 seconds in all and is dropped when its client disconnects.
 *
 * Nothing here depends on whether the account exists, so waiting times don't reveal it.
 * @param now milliseconds, as performance.now()
 */
export function createAccountQueue(maxRunning: number, now = () => performance.now()) {
  const waiting: Waiter[] = [];
  /** When each account and network had its last turn; the most recent one is the last. */
  const turns = new Map<string, number>();
  const metrics = { running: 0, finished: 0, refused: 0, dropped: 0 };
  let turn = 0;
  let lastWasKnown = false;
  /** Of known and new networks, whether the last turn went to the oldest request. */
  const lastWasAged = new Map<boolean, boolean>();
  /** The average time between two turns while requests wait, and when the last one was. */
  let turnMs: number | null = null;
  let lastTurnAt: number | null = null;

  /** Those whose networks, and then accounts, have waited longest for a turn. */
  function longestWithoutTurn(candidates: Waiter[]): Waiter[] {
    let best = candidates;
    for (const level of levels) {
      const last = best.map(({ keys }) => lastTurnOf(keys[level]));
      const least = last.reduce((one, other) => Math.min(one, other), Infinity);
      best = best.filter((_, n) => last[n] === least);
    }
    return best;
  }

  const lastTurnOf = (keys: string[]) => keys.reduce((last, key) => Math.max(last, turns.get(key) ?? 0), 0);

  function begin({ keys, isKnownNetwork }: Pick<Waiter, "keys" | "isKnownNetwork">): void {
    turn += 1;
    for (const key of Object.values(keys).flat()) {
      turns.delete(key);
      turns.set(key, turn);
    }
    for (const key of turns.keys()) {
      if (turns.size <= maxRemembered) break;
      turns.delete(key);
    }
    metrics.running += 1;
    lastWasKnown = isKnownNetwork;
  }

  function next(): Waiter | undefined {
    const other = waiting.filter(({ isKnownNetwork }) => isKnownNetwork !== lastWasKnown);
    const candidates = other.length > 0 ? other : waiting;
    if (candidates.length === 0) return undefined;
    // By arrival at the shop, not here: a burst that was held up in another queue would come before those after it.
    const oldest = candidates.reduce((best, each) => (each.sinceMs < best.sinceMs ? each : best));
    const longestMs = now() - oldest.sinceMs;
    const isAged = longestMs > agedMs && lastWasAged.get(oldest.isKnownNetwork) !== true;
    lastWasAged.set(oldest.isKnownNetwork, isAged);
    if (isAged) return oldest;
    const isOverloaded = longestMs > overloadMs && waiting.length * (turnMs ?? 0) > clearableMs;
    const isBefore = (one: Waiter, other: Waiter) =>
      isOverloaded ? one.sinceMs >= other.sinceMs : one.sinceMs < other.sinceMs;
    return longestWithoutTurn(candidates).reduce((best, each) => (isBefore(each, best) ? each : best));
  }

  function end(): void {
    metrics.running -= 1;
    if (lastTurnAt !== null) {
      const ms = now() - lastTurnAt;
      turnMs = turnMs === null ? ms : turnMs + (ms - turnMs) / 10;
      lastTurnAt = now();
    }
    const waiter = next();
    if (!waiter) {
      lastTurnAt = null;
      return;
    }
    waiting.splice(waiting.indexOf(waiter), 1);
    begin(waiter);
    waiter.start();
  }

  function wait(client: QueueClient): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        client.signal.removeEventListener("abort", drop);
      };
      const start = () => {
        leave();
        resolve();
      };
      const waiter = { ...client, keys: keysOf(client), start };
      const give = (count: "refused" | "dropped") => {
        leave();
        waiting.splice(waiting.indexOf(waiter), 1);
        metrics[count] += 1;
        reject(busy());
      };
      const drop = () => give("dropped");
      const timer = setTimeout(() => give("refused"), client.sinceMs + timeoutMs - now());
      client.signal.addEventListener("abort", drop, { once: true });
      lastTurnAt ??= client.sinceMs;
      waiting.push(waiter);
    });
  }

  return {
    /** Counts since the start, except for what is running and waiting now. */
    metrics: (): QueueMetrics => ({ ...metrics, waiting: waiting.length }),
    /**
     * Runs the work once it's the client's turn.
     * @throws Refusal 503 10 seconds after its request arrived, or when the client has disconnected; nothing was run then
     */
    async run<Result>(client: QueueClient, work: () => Promise<Result>): Promise<Result> {
      if (client.signal.aborted) {
        metrics.dropped += 1;
        throw busy();
      }
      if (metrics.running < maxRunning) begin({ ...client, keys: keysOf(client) });
      else await wait(client);
      try {
        const result = await work();
        metrics.finished += 1;
        return result;
      } finally {
        end();
      }
    },
  };
}

/** A /16 and a /24 of IPv4, a /32 and a /48 of IPv6, then the customer's own network and the account. */
function keysOf({ email, network }: QueueClient): Keys {
  const account = email === null ? [] : [`account ${email}`];
  if (network === null) return { largest: [], large: [], own: account };
  const groups = network.split(/[.:]/);
  const first = (count: number) => [`networks ${groups.slice(0, count).join(" ")}`];
  return { largest: first(2), large: first(3), own: [`network ${network}`, ...account] };
}

export type AccountQueue = ReturnType<typeof createAccountQueue>;
