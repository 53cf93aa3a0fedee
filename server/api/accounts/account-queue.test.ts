import { beforeEach, expect, test, vi } from "vitest";
import { createAccountQueue, type QueueClient } from "./account-queue.ts";

let clients = 0;
/** A new account in a new network of another provider, unless the test says otherwise. */
function newClient(client: Partial<QueueClient> = {}): QueueClient {
  clients += 1;
  return {
    email: `${clients}@example.com`,
    network: `${1 + (clients % 200)}.${Math.floor(clients / 200)}.100.7`,
    isKnownNetwork: false,
    sinceMs: 0,
    signal: new AbortController().signal,
    ...client,
  };
}

const times = <Item>(count: number, make: () => Item) => Array.from({ length: count }, make);

/** A queue over one thread, whose work the test finishes. */
function openQueue() {
  const clock = { nowMs: 0 };
  const queue = createAccountQueue(1, () => clock.nowMs);
  const begun: string[] = [];
  const finishers: (() => void)[] = [];
  const add = (client: QueueClient) =>
    queue.run(client, () => {
      begun.push(String(client.email));
      return new Promise<void>((resolve) => finishers.push(resolve));
    });
  return {
    clock,
    begun,
    metrics: queue.metrics,
    add,
    addAll: (all: QueueClient[]) => {
      for (const client of all) add(client).catch(() => {});
    },
    /** Finishes hashes one after another; returns whose came next. */
    async finish(count: number): Promise<string[]> {
      const before = begun.length;
      for (let n = 0; n < count; n += 1) {
        finishers.shift()?.();
        // The next one begins some promises later.
        for (let turns = 0; turns < 10; turns += 1) await Promise.resolve();
      }
      return begun.slice(before);
    },
  };
}

beforeEach(() => {
  clients = 0;
});

test("1,000 guesses at one account from 1,000 networks don't delay a sign-in to another account", async () => {
  const { addAll, finish } = openQueue();
  addAll(times(1_000, () => newClient({ email: "attacked@example.com" })));
  addAll([newClient({ email: "ama@example.com" })]);
  expect(await finish(1)).toEqual(["ama@example.com"]);
});

test("2,600 sign-ins from one network, each to another account, don't delay other networks", async () => {
  const { addAll, finish } = openQueue();
  addAll(times(2_600, () => newClient({ network: "203.0.113.7" })));
  addAll([newClient({ email: "ama@example.com" }), newClient({ email: "kofi@example.com" })]);
  expect(await finish(2)).toEqual(["ama@example.com", "kofi@example.com"]);
});

test("1,000 guesses from 1,000 networks at 1,000 accounts delay a new customer by a second at most", async () => {
  const { addAll, finish, clock } = openQueue();
  const flood = times(1_000, () => newClient());
  addAll(flood);
  addAll([newClient({ email: "ama@example.com" })]);
  clock.nowMs = 1_000;
  expect(await finish(1)).toEqual([flood[1]?.email]);
  clock.nowMs = 1_001;
  expect(await finish(1)).toEqual(["ama@example.com"]);
});

/** Networks of one customer each: those of an IPv6 /48, or of the whole internet. */
const inOne48 = (n: number) => `2001:db8:77:${n.toString(16)}`;
const anywhere = (n: number) => `2${(n % 4_096).toString(16).padStart(3, "0")}:${n.toString(16)}:5:1`;

/**
 * A flood of wrong sign-ins that has this many open all the time, each from another new network, and a customer from another
 * one every half second. A turn takes 40 ms, and the flood's next request always comes last before its end.
 * @returns how long the customers waited
 */
async function beside(open: number, flooding: (n: number) => string, networks: (n: number) => string) {
  const { add, finish, clock } = openQueue();
  const arrivals = new Map<string, number>();
  const waits: number[] = [];
  let sent = 0;
  let toSend = open;
  const flood = () => {
    sent += 1;
    add(newClient({ network: flooding(sent), sinceMs: clock.nowMs })).then(() => {
      toSend += 1;
    });
  };
  for (let turn = 0; turn < 1_000; turn += 1) {
    clock.nowMs += 20;
    if (turn % 13 === 0) {
      const customer = newClient({ network: networks(turn), sinceMs: clock.nowMs });
      arrivals.set(String(customer.email), clock.nowMs);
      add(customer);
    }
    clock.nowMs += 15;
    for (; toSend > 0; toSend -= 1) flood();
    clock.nowMs += 5;
    for (const email of await finish(1)) {
      const arrivedAt = arrivals.get(email);
      if (arrivedAt !== undefined) waits.push(clock.nowMs - arrivedAt);
    }
  }
  return waits;
}

test.each([100, 500])(
  "lets customers on new networks in within a second beside %d wrong sign-ins from one IPv6 /48",
  async (open) => {
    const waits = await beside(open, inOne48, (n) => `2a00:${n}:5:1`);
    expect(waits.length).toBeGreaterThan(74);
    expect(Math.max(...waits)).toBeLessThan(1_000);
  },
);

test("lets customers of the flood's own provider in within a second", async () => {
  const waits = await beside(100, inOne48, (n) => `2001:db8:${n}:1`);
  expect(waits.length).toBeGreaterThan(74);
  expect(Math.max(...waits)).toBeLessThan(1_000);
});

test.each(["one provider", "many providers"])(
  "lets customers of %s in within 10 seconds beside 100 wrong sign-ins from everywhere",
  async (which) => {
    const of = (n: number) => (which === "one provider" ? `154.160.${n % 256}.${n % 100}` : `${n}.160.1.1`);
    const waits = await beside(100, anywhere, of);
    expect(waits.length).toBeGreaterThan(55);
    expect(Math.max(...waits)).toBeLessThan(9_000);
  },
);

test("A burst that comes through another queue later doesn't bury those who arrived after it", async () => {
  const { addAll, finish, clock } = openQueue();
  clock.nowMs = 2_000;
  addAll([newClient(), newClient({ email: "ama@example.com", sinceMs: 500 })]);
  addAll(times(1_000, () => newClient()));
  expect(await finish(1)).toEqual(["ama@example.com"]);
});

test("While no one waits for long, who arrived first is hashed first, whichever queue they came through", async () => {
  const { addAll, finish, clock } = openQueue();
  clock.nowMs = 600;
  addAll([newClient(), newClient({ email: "ama@example.com", sinceMs: 500 })]);
  addAll([newClient({ email: "kofi@example.com", sinceMs: 400 })]);
  expect(await finish(2)).toEqual(["kofi@example.com", "ama@example.com"]);
});

test("While no one waits for long, the first to arrive is the first to be hashed", async () => {
  const { addAll, finish } = openQueue();
  const lesson = times(40, () => newClient({ network: "203.0.113.7" }));
  addAll(lesson);
  expect(await finish(39)).toEqual(lesson.slice(1).map(({ email }) => email));
});

test("Networks where someone has signed in before and new ones take turns, whichever of them is flooded", async () => {
  for (const isKnownNetwork of [false, true]) {
    const { addAll, finish, clock } = openQueue();
    const customers = times(10, () => newClient({ isKnownNetwork: !isKnownNetwork }));
    addAll(times(1_000, () => newClient({ isKnownNetwork })));
    addAll(customers);
    clock.nowMs = 5_000;
    // New floods keep arriving while they wait.
    const begun: string[] = [];
    for (let turn = 0; turn < 20; turn += 1) {
      addAll(times(10, () => newClient({ isKnownNetwork })));
      begun.push(...(await finish(1)));
    }
    expect(begun.filter((email) => customers.some((each) => each.email === email))).toHaveLength(10);
  }
});

test("Where networks are not known, accounts take turns", async () => {
  const { addAll, finish } = openQueue();
  addAll(times(100, () => newClient({ network: null, email: "attacked@example.com" })));
  addAll([newClient({ network: null, email: "ama@example.com" })]);
  expect(await finish(1)).toEqual(["ama@example.com"]);
});

test("An account that is attacked from everywhere is signed in to from its usual network at the next turn", async () => {
  const { addAll, finish } = openQueue();
  const email = "ama@example.com";
  addAll(times(100, () => newClient({ email })));
  addAll([newClient({ email, network: "203.0.113.7", isKnownNetwork: true })]);
  addAll([newClient({ email: "kofi@example.com", isKnownNetwork: true })]);
  expect(await finish(3)).toEqual(["kofi@example.com", email, email]);
});

test("Hashes nothing for 1,500 clients that disconnect while they wait, or before", async () => {
  const { add, addAll, finish, metrics } = openQueue();
  const leaving = new AbortController();
  addAll([newClient()]);
  const left = times(1_500, () => add(newClient({ signal: leaving.signal })));
  leaving.abort();
  left.push(add(newClient({ signal: leaving.signal })));
  for (const result of await Promise.allSettled(left)) expect(result.status).toBe("rejected");
  await finish(1);
  expect(metrics()).toEqual({ running: 0, waiting: 0, finished: 1, refused: 0, dropped: 1_501 });
});

test("Refuses what has waited for 10 seconds with 503 and Retry-After, and nothing earlier", async () => {
  vi.useFakeTimers();
  try {
    const { add, addAll, finish, metrics } = openQueue();
    addAll([newClient()]);
    const waiting = Promise.allSettled(times(5_000, () => add(newClient())));
    await vi.advanceTimersByTimeAsync(9_999);
    expect(metrics()).toMatchObject({ waiting: 5_000, refused: 0 });
    await vi.advanceTimersByTimeAsync(1);
    const busy = {
      status: 503,
      code: "over_capacity",
      headers: { "retry-after": "2", "x-not-begun": "1" },
      message: "The shop is busy. Please try again in a moment.",
    };
    for (const result of await waiting)
      expect(result).toEqual({ status: "rejected", reason: expect.objectContaining(busy) });
    await finish(1);
    expect(metrics()).toEqual({ running: 0, waiting: 0, finished: 1, refused: 5_000, dropped: 0 });
  } finally {
    vi.useRealTimers();
  }
});

test("What has waited elsewhere before waits only for the rest of the 10 seconds", async () => {
  vi.useFakeTimers();
  try {
    const { add, addAll, clock, metrics } = openQueue();
    addAll([newClient()]);
    clock.nowMs = 7_000;
    const waiting = expect(add(newClient({ sinceMs: 0 }))).rejects.toThrow("busy");
    await vi.advanceTimersByTimeAsync(2_999);
    expect(metrics().waiting).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    await waiting;
  } finally {
    vi.useRealTimers();
  }
});

test("A hash that fails leaves its thread to the next one", async () => {
  const queue = createAccountQueue(1);
  await expect(queue.run(newClient(), () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  await expect(queue.run(newClient(), async () => "a hash")).resolves.toBe("a hash");
  expect(queue.metrics()).toMatchObject({ running: 0, finished: 1 });
});
