import { expect, onTestFinished, test, vi } from "vitest";
import { type Client, ConcurrencyLimit } from "./concurrency-limit.ts";

const visitor = (key: string | number): Client => ({ kind: "visitor", key: String(key) });
const customer = (key: string | number): Client => ({ kind: "customer", key: String(key) });
const shop: Client = { kind: "shop", key: "shop" };

/** As the data API has it. */
const limits = {
  running: 12,
  each: 2,
  alone: 6,
  reserved: { shop: 2, customer: 2 },
  slow: { ms: 100, running: 3 },
};

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** A limit with a simulated clock, in which only the requests take time. */
function simulate(options: Partial<ConstructorParameters<typeof ConcurrencyLimit>[0]> = {}) {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const limit = new ConcurrencyLimit({ ...limits, ...options });
  const order: string[] = [];

  /** A request that takes this long once it runs. */
  function send(client: Client, ms: number, signal?: AbortSignal, bodyBytes?: number) {
    const arrivedAt = performance.now();
    const request = { name: `${client.kind} ${client.key}`, startedAfter: -1, isOver: false, refused: "" };
    const work = () => {
      request.startedAfter = performance.now() - arrivedAt;
      order.push(request.name);
      return new Promise<void>((resolve) => setTimeout(resolve, ms));
    };
    const done = limit.run(client, work, signal, bodyBytes).then(
      () => {
        request.isOver = true;
      },
      (error: Error) => {
        request.refused = error.message;
      },
    );
    return Object.assign(request, { done });
  }

  /** Advances the clock in small steps, so that each request starts as soon as the one before it ends. */
  async function pass(ms: number, step = 1): Promise<void> {
    await settle();
    for (let passed = 0; passed < ms; passed += step) {
      vi.advanceTimersByTime(step);
      await settle();
    }
  }

  /** A client that sends a request whenever its last one ends; counts those that were served and refused. */
  function sendRepeatedly(client: Client, ms: number) {
    const counted = { over: 0, refused: 0 };
    const next = async (): Promise<void> => {
      const request = send(client, ms);
      await request.done;
      counted[request.isOver ? "over" : "refused"] += 1;
      return next();
    };
    void next();
    return counted;
  }
  return { limit, send, pass, sendRepeatedly, order };
}

type Sent = ReturnType<ReturnType<typeof simulate>["send"]>;
const times = <T>(count: number, make: (n: number) => T) => Array.from({ length: count }, (_, n) => make(n));
const started = (all: Sent[]) => all.filter(({ startedAfter }) => startedAfter >= 0).length;
const refused = (all: Sent[]) => all.filter((each) => each.refused !== "").length;
const longestWait = (all: Sent[]) => Math.max(...all.map(({ startedAfter }) => startedAfter));
const sum = (all: { over: number }[]) => all.reduce((total, { over }) => total + over, 0);

test("500 clients and 120 behind one address are all served within a second", async () => {
  const { send, pass, limit } = simulate();
  const crowd = [
    ...times(250, (n) => send(customer(n), 10)),
    ...times(250, (n) => send(visitor(n), 10)),
    ...times(120, () => send(visitor("school"), 10)),
  ];
  await pass(1_200);
  expect(started(crowd)).toBe(620);
  expect(longestWait(crowd)).toBeLessThan(1_000);
  expect(limit.metrics().visitor).toEqual({ running: 0, waiting: 0, timedOut: 0, full: 0 });
});

test("120 behind one address are served within seconds beside 500 others who send requests all the time", async () => {
  const { send, pass, sendRepeatedly } = simulate();
  const others = [
    ...times(250, (n) => sendRepeatedly(customer(n), 10)),
    ...times(250, (n) => sendRepeatedly(visitor(n), 10)),
  ];
  const school = times(120, () => send(visitor("school"), 10));
  await pass(3_000);
  expect(started(school)).toBe(120);
  expect(others.every(({ over, refused }) => over > 0 && refused === 0)).toBe(true);
});

test.each([
  ["short", 10],
  ["long", 3_000],
])("A client with 200 open %s requests slows a crowd by at most a third", async (_, ms) => {
  const overIn3Seconds = async (hasGreedy: boolean) => {
    const { pass, sendRepeatedly } = simulate();
    const greedy = times(hasGreedy ? 200 : 0, () => sendRepeatedly(visitor("greedy"), ms));
    await pass(500);
    const others = times(20, (n) => sendRepeatedly(n % 2 ? customer(n) : visitor(n), 10));
    await pass(3_000);
    vi.useRealTimers();
    expect(sum(greedy) > 0).toBe(hasGreedy);
    return sum(others);
  };
  expect((await overIn3Seconds(true)) / (await overIn3Seconds(false))).toBeGreaterThan(3 / 4);
});

test("Short requests start at once, however many other clients have long ones", async () => {
  const { send, pass } = simulate();
  times(60, (n) => send(n % 2 ? customer(`slow ${n % 4}`) : visitor(`slow ${n % 6}`), 2_000));
  await pass(2_500);
  const others = times(4, (n) => send(n % 2 ? customer(n) : visitor(n), 10));
  await pass(5);
  expect(started(others)).toBe(4);
});

test("A client with slow requests runs one at a time, and all such clients three", async () => {
  const { send, pass, limit } = simulate();
  for (const key of "abcdef") send(visitor(key), 150);
  // Their requests, and the pauses after these.
  await pass(800);
  times(20, (n) => send(visitor("a"), 150 + n));
  await pass(10);
  expect(limit.metrics().visitor.running).toBe(1);
  for (const key of "bcdef") send(visitor(key), 150);
  await pass(10);
  expect(limit.metrics().visitor).toMatchObject({ running: 3, waiting: 22 });
});

test("gives a client with slow requests a quarter of a connection while others send some", async () => {
  const { pass, send, sendRepeatedly } = simulate();
  const greedy = times(50, () => sendRepeatedly(visitor("greedy"), 150));
  for (let n = 0; n < 120; n += 1) {
    send(visitor("ama"), 5);
    await pass(100, 5);
  }
  const perSecond = (sum(greedy) * 150) / 12;
  expect(perSecond).toBeGreaterThan(200);
  expect(perSecond).toBeLessThan(300);
});

test("has a client wait for at most a second after a slow request", async () => {
  const { pass, send } = simulate();
  send(visitor("ama"), 3_000);
  await pass(3_000, 10);
  send(visitor("kofi"), 5);
  const next = send(visitor("ama"), 5);
  await pass(1_100, 10);
  expect(next.startedAfter).toBeGreaterThan(900);
  expect(next.startedAfter).toBeLessThanOrEqual(1_020);
});

test("lets a client with slow requests go on without pauses while nobody else sends any", async () => {
  const { pass, sendRepeatedly } = simulate();
  const school = times(50, () => sendRepeatedly(visitor("school"), 150));
  sendRepeatedly({ kind: "shop", key: "shop" }, 1);
  await pass(3_000);
  expect(sum(school)).toBeGreaterThan(18);
});

test("A slow request makes its client slow before it ends", async () => {
  const { send, pass, limit } = simulate();
  times(10, () => send(visitor("a"), 5));
  await pass(50);
  send(visitor("a"), 3_000);
  await pass(150);
  const later = times(5, () => send(visitor("a"), 5));
  await pass(50);
  expect([started(later), limit.metrics().visitor.running]).toEqual([0, 1]);
});

test("A client with long requests stays slow when it sends short ones in between", async () => {
  const { send, pass, limit } = simulate();
  send(visitor("a"), 3_000);
  await pass(3_010, 10);
  times(20, () => send(visitor("a"), 1));
  await pass(50);
  times(5, () => send(visitor("a"), 3_000));
  await pass(5);
  expect(limit.metrics().visitor.running).toBe(1);
});

test("A slow client is no longer slow after a minute without requests", async () => {
  const { send, pass, limit } = simulate();
  send(visitor("a"), 3_000);
  await pass(3_010, 10);
  await pass(60_000, 1_000);
  times(5, () => send(visitor("a"), 10));
  await pass(5);
  expect(limit.metrics().visitor.running).toBe(2);
});

test("A single client runs six short requests at a time, and two as soon as there is another", async () => {
  const { send, pass, limit } = simulate();
  times(30, () => send(visitor("school"), 20));
  await pass(5);
  // It has no average yet.
  expect(limit.metrics().visitor.running).toBe(2);
  await pass(20);
  expect(limit.metrics().visitor.running).toBe(6);
  const other = times(30, () => send(customer("c"), 20));
  await pass(2);
  expect(started(other)).toBe(2);
  await pass(25);
  expect(limit.metrics().visitor.running).toBe(2);
  await pass(1_000);
  times(30, () => send(customer("d"), 20));
  await pass(25);
  expect(limit.metrics().customer.running).toBe(6);
});

test("A client runs more of its waiting requests once it is the only one again", async () => {
  const { send, pass, limit } = simulate();
  send(visitor("a"), 10);
  await pass(15);
  send(customer("b"), 30);
  times(20, () => send(visitor("a"), 50));
  await pass(20);
  expect(limit.metrics().visitor.running).toBe(2);
  await pass(12);
  expect(limit.metrics()).toMatchObject({ customer: { running: 0 }, visitor: { running: 6 } });
});

test("Two of twelve are reserved for customers, and two more for the shop and its staff", async () => {
  const { send, pass, limit } = simulate();
  times(30, (n) => send(visitor(n), 90));
  await pass(5);
  expect(limit.metrics().visitor.running).toBe(8);
  times(30, (n) => send(customer(n), 90));
  await pass(5);
  expect(limit.metrics().customer.running).toBe(2);
  const staff = times(3, (n) => send({ kind: "shop", key: `admin ${n}` }, 90));
  await pass(5);
  expect(started(staff)).toBe(2);
});

test("The shop's own requests come first, and may use all twelve, however long they take", async () => {
  const { send, pass, limit, order } = simulate();
  times(13, () => send(shop, 500));
  const others = [send(customer("c"), 10), send(visitor("v"), 10)];
  await pass(400);
  expect([limit.metrics().shop.running, started(others)]).toEqual([12, 0]);
  await pass(150);
  expect(order[12]).toBe("shop shop");
  expect(started(others)).toBe(2);
});

test("Customers and visitors alternate", async () => {
  const { send, pass, order } = simulate({ running: 1, reserved: { shop: 0, customer: 0 } });
  for (let n = 0; n < 4; n += 1) send(visitor(n), 10);
  for (let n = 0; n < 4; n += 1) send(customer(n), 10);
  await pass(100);
  expect(order.map((name) => name[0]).join("")).toBe("vcvcvcvc");
});

test("The client that has used the least time comes first, and every fourth turn goes to the oldest request", async () => {
  const { send, pass, order } = simulate({ running: 1, reserved: { shop: 0, customer: 0 } });
  times(20, () => send(visitor("school"), 10));
  times(12, (n) => send(visitor(n), 10));
  await pass(250);
  const letters = order.map((name) => (name === "visitor school" ? "S" : "."));
  expect(letters.slice(0, 16).join("")).toMatch(/^S+\.{1,3}S\.{3}S\.{3}S\.{2,3}/);
});

test("One client's requests run in the order in which they arrived", async () => {
  const { send, pass } = simulate();
  const all = times(10, () => send(visitor("a"), 10));
  const other = send(customer("b"), 5_000);
  await pass(35);
  expect(all.map(({ startedAfter }) => startedAfter)).toEqual([0, 0, 10, 10, 20, 20, 30, 30, -1, -1]);
  expect(other.startedAfter).toBe(0);
});

test("A failed request ends its turn", async () => {
  const limit = new ConcurrencyLimit({ running: 1, each: 1 });
  for (let n = 0; n < 3; n += 1)
    await expect(limit.run(visitor("a"), () => Promise.reject(new Error("broken")))).rejects.toThrow(
      "broken",
    );
  expect(await limit.run(visitor("a"), async () => "response")).toBe("response");
});

const busy = { status: 503, code: "PT503", headers: { "retry-after": "2", "x-not-begun": "1" } };

test("A request that has waited for ten seconds is refused, counted and removed from the queue", async () => {
  const { send, pass, limit } = simulate({ running: 1, each: 1, reserved: { shop: 0, customer: 0 } });
  send(visitor("a"), 12_000);
  const late = send(visitor("a"), 10);
  await pass(9_000, 500);
  const later = send(visitor("b"), 10);
  await pass(999, 333);
  expect([late.refused, limit.metrics().visitor.waiting]).toEqual(["", 2]);
  await pass(1);
  expect(late.refused).toBe("The shop is busy. Please try again in a moment.");
  expect(limit.metrics().visitor).toEqual({ running: 1, waiting: 1, timedOut: 1, full: 0 });
  await pass(2_100, 100);
  expect(later.isOver).toBe(true);
  // The timeout does not apply to requests that run.
  expect(limit.metrics().visitor).toEqual({ running: 0, waiting: 0, timedOut: 1, full: 0 });
});

test("Clients that disconnect before or while they wait lose their turn and don't count as refused", async () => {
  const { send, pass, limit } = simulate({ running: 1, each: 1, reserved: { shop: 0, customer: 0 } });
  send(visitor("a"), 50);
  const disconnecting = new AbortController();
  const disconnected = times(100, (n) =>
    send(visitor(n), 10, n % 2 ? disconnecting.signal : AbortSignal.abort()),
  );
  const last = send(visitor("last"), 10);
  await pass(10);
  disconnecting.abort();
  await pass(1);
  expect(limit.metrics().visitor).toEqual({ running: 1, waiting: 1, timedOut: 0, full: 0 });
  await pass(60);
  expect([refused(disconnected), started(disconnected), last.startedAfter]).toEqual([100, 0, 50]);
  await pass(20_000, 5_000);
  expect(limit.metrics().visitor).toEqual({ running: 0, waiting: 0, timedOut: 0, full: 0 });
});

test("A client that disconnects after its request has started is not refused", async () => {
  const { send, pass } = simulate();
  const disconnecting = new AbortController();
  const request = send(visitor("a"), 50, disconnecting.signal);
  await pass(10);
  disconnecting.abort();
  await pass(50);
  expect([request.isOver, request.refused]).toEqual([true, ""]);
});

test("counts a request once whose client disconnects after it has waited and started", async () => {
  const { send, pass, limit } = simulate({ running: 1, each: 1, reserved: { shop: 0, customer: 0 } });
  send(visitor("a"), 20);
  const disconnecting = new AbortController();
  const request = send(visitor("b"), 50, disconnecting.signal);
  await pass(30);
  disconnecting.abort();
  expect(limit.metrics().visitor).toEqual({ running: 1, waiting: 0, timedOut: 0, full: 0 });
  await pass(50);
  expect([request.isOver, request.refused]).toEqual([true, ""]);
});

test("At most 1,024 requests of one client wait, and 4,096 in all; further ones are refused at once", async () => {
  const { send, pass, limit } = simulate();
  const greedy = times(1_100, () => send(visitor("greedy"), 5_000));
  await pass(1);
  expect([refused(greedy), limit.metrics().visitor]).toEqual([
    ...[74, { running: 2, waiting: 1_024, timedOut: 0, full: 74 }],
  ]);
  const others = times(4_000, (n) => send(customer(n), 5_000));
  await pass(1);
  // Ten run, and 3,072 more can wait.
  expect(limit.metrics().customer).toMatchObject({ running: 8, waiting: 3_072 });
  expect(refused(others)).toBe(4_000 - 3_080);
});

test("A few clients that flood the shop together leave room for others, also for a school", async () => {
  const { send, pass, limit } = simulate();
  for (const key of ["a", "b", "c", "d", "e", "f"]) times(1_100, () => send(visitor(key), 5_000));
  await pass(1);
  // Three quarters of all, and the first 128 of each client that came when these were taken.
  expect(limit.metrics().visitor.waiting).toBe(3_072 + 3 * 128);
  const others = times(400, (n) => send(visitor(n), 10));
  const school = times(120, () => send(visitor("school"), 10));
  const staff = times(20, () => send(shop, 10));
  await pass(1);
  expect([refused(others), refused(school), refused(staff)]).toEqual([0, 0, 0]);
  // Who has few requests waiting can't exceed the total either.
  const more = times(1_000, (n) => send(customer(n), 5_000));
  await pass(1);
  const { visitor: visitors, customer: customers } = limit.metrics();
  expect(visitors.waiting + customers.waiting).toBeLessThanOrEqual(4_096);
  expect(refused(more)).toBeGreaterThan(400);
});

test("Waiting bodies count towards the limits, those of staff only towards the total", async () => {
  const { send, pass, limit } = simulate({ running: 1, each: 1, reserved: { shop: 0, customer: 0 } });
  send(shop, 100);
  const body = 4 * 2 ** 20;
  const bodies = (client: Client) => times(20, () => send(client, 10, undefined, body));
  const [own, staff] = [bodies(customer("a")), bodies({ kind: "shop", key: "admin" })];
  await pass(1);
  expect([refused(own), refused(staff)]).toEqual([17, 8]);
  await pass(1_000, 5);
  expect(limit.metrics()).toMatchObject({ shop: { waiting: 0 }, customer: { waiting: 0 } });
  // Requests that have ended no longer count.
  expect(refused(times(3, () => send(customer("a"), 10, undefined, body)))).toBe(0);
});

test("lets a request of the shop's wait that fills the memory exactly, and none more", async () => {
  const requestBytes = 16 * 1024;
  const { send, pass, limit } = simulate({
    running: 1,
    each: 1,
    reserved: { shop: 0, customer: 0 },
    bytes: requestBytes,
  });
  times(3, () => send(shop, 10));
  await pass(1);
  expect(limit.metrics().shop).toEqual({ running: 1, waiting: 1, timedOut: 0, full: 1 });
});

test("A refusal says when to retry, and that the work was not started", async () => {
  const limit = new ConcurrencyLimit({ running: 1, each: 1, bytes: 0 });
  void limit.run(visitor("a"), () => new Promise(() => {}));
  await expect(limit.run(visitor("a"), async () => {})).rejects.toMatchObject(busy);
});

test("A client's average is forgotten after 10,000 other clients", async () => {
  let clock = 0;
  const limit = new ConcurrencyLimit({ running: 4, each: 2, slow: { ms: 10, running: 4 }, now: () => clock });
  await limit.run(visitor("a"), async () => {
    clock = 1_000;
  });
  for (let n = 0; n < 10_000; n += 1) await limit.run(visitor(n), async () => {});
  // If its average were still stored, it could run only one at a time.
  const disconnecting = new AbortController();
  const all = times(3, () =>
    limit.run(visitor("a"), () => new Promise(() => {}), disconnecting.signal).catch(() => {}),
  );
  await settle();
  expect(limit.metrics().visitor).toMatchObject({ running: 2, waiting: 1 });
  disconnecting.abort();
  await Promise.race(all);
});
