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

type Waiter = QueueClient & { start: () => void };

const timeoutMs = 10_000;
/**
 * Once the longest wait exceeds this, the newest request comes first. Oldest first would make everyone wait for nearly
 * the whole timeout; this way most people wait for less than a second, also right after a burst of guesses.
 */
const overloadMs = 1_000;
/** Two for each turn. A forgotten account or network only counts as new. */
const maxRemembered = 2_000;

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
 * - In each of the two, the request comes first whose account and network have waited longest for their turn.
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

  const keysOf = ({ email, network }: QueueClient) => [
    ...(network === null ? [] : [`network ${network}`]),
    ...(email === null ? [] : [`account ${email}`]),
  ];
  const lastTurnOf = (client: QueueClient) =>
    Math.max(0, ...keysOf(client).map((key) => turns.get(key) ?? 0));

  function begin(client: QueueClient): void {
    turn += 1;
    for (const key of keysOf(client)) {
      turns.delete(key);
      turns.set(key, turn);
    }
    for (const key of turns.keys()) {
      if (turns.size <= maxRemembered) break;
      turns.delete(key);
    }
    metrics.running += 1;
    lastWasKnown = client.isKnownNetwork;
  }

  function next(): Waiter | undefined {
    const other = waiting.filter(({ isKnownNetwork }) => isKnownNetwork !== lastWasKnown);
    const candidates = other.length > 0 ? other : waiting;
    if (candidates.length === 0) return undefined;
    const oldestMs = candidates.reduce((oldest, { sinceMs }) => Math.min(oldest, sinceMs), Infinity);
    const isOverloaded = now() - oldestMs > overloadMs;
    // By arrival at the shop, not here: a burst that was held up in another queue would come before those after it.
    const isBefore = (one: Waiter, other: Waiter) =>
      isOverloaded ? one.sinceMs >= other.sinceMs : one.sinceMs < other.sinceMs;
    return candidates.reduce((best, each) => {
      const turns = lastTurnOf(each) - lastTurnOf(best);
      return turns < 0 || (turns === 0 && isBefore(each, best)) ? each : best;
    });
  }

  function end(): void {
    metrics.running -= 1;
    const waiter = next();
    if (!waiter) return;
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
      const waiter = { ...client, start };
      const give = (count: "refused" | "dropped") => {
        leave();
        waiting.splice(waiting.indexOf(waiter), 1);
        metrics[count] += 1;
        reject(busy());
      };
      const drop = () => give("dropped");
      const timer = setTimeout(() => give("refused"), client.sinceMs + timeoutMs - now());
      client.signal.addEventListener("abort", drop, { once: true });
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
      if (metrics.running < maxRunning) begin(client);
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

export type AccountQueue = ReturnType<typeof createAccountQueue>;
