import { expect, onTestFinished, test, vi } from "vitest";
import { type Asker, Lanes, lanesFor } from "./lanes.ts";

const visitor = (key: string): Asker => ({ kind: "visitor", key });
const customer = (key: string): Asker => ({ kind: "customer", key });
const shop: Asker = { kind: "shop", key: "shop" };

/** Starts a piece of work that ends on request. */
function work(lanes: Lanes, asker: Asker, signal?: AbortSignal) {
  const state = { isRunning: false, end: () => {}, refused: "" };
  const done = lanes
    .run(
      asker,
      () => {
        state.isRunning = true;
        return new Promise<void>((resolve) => {
          state.end = resolve;
        });
      },
      signal,
    )
    .catch((error: Error) => {
      state.refused = error.message;
    });
  return { state, done };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));
const running = (all: ReturnType<typeof work>[]) => all.filter(({ state }) => state.isRunning).length;

test("One visitor has two statements running, however many they send, and another visitor finds room", async () => {
  const lanes = new Lanes(12);
  const greedy = Array.from({ length: 50 }, () => work(lanes, visitor("203.0.113.1")));
  const other = work(lanes, visitor("203.0.113.2"));
  await settle();
  expect([running(greedy), other.state.isRunning]).toEqual([2, true]);
  expect(
    greedy.filter(({ state }) => state.refused === "The shop is busy. Please try again in a moment."),
  ).toHaveLength(40);
});

test("Figures count work that runs, waits or was refused for lack of room, not visitors who left", async () => {
  const lanes = new Lanes(12);
  const leaving = new AbortController();
  const all = Array.from({ length: 13 }, () => work(lanes, visitor("a"), leaving.signal));
  await settle();
  expect(lanes.figures().visitor).toEqual({ running: 2, waiting: 8, refused: 3 });
  expect(lanes.figures().customer).toEqual({ running: 0, waiting: 0, refused: 0 });
  // Another kind's queue is its own, whatever its askers are called.
  const customers = Array.from({ length: 16 }, () => work(lanes, customer("a"), leaving.signal));
  await settle();
  expect(lanes.figures().customer).toEqual({ running: 3, waiting: 12, refused: 1 });
  leaving.abort();
  for (const { state } of customers) state.end();
  await settle();
  for (const { state } of all) state.end();
  await Promise.all(all.map(({ done }) => done));
  expect(lanes.figures().visitor).toEqual({ running: 0, waiting: 0, refused: 3 });
  expect(lanes.figures().shop).toEqual({ running: 0, waiting: 0, refused: 0 });
});

test("Visitors and customers together never use up the connections that the shop's own pages need", async () => {
  const lanes = new Lanes(12);
  const crowd = Array.from({ length: 20 }, (_, n) => [
    work(lanes, visitor(`v${n}`)),
    work(lanes, customer(`c${n}`)),
  ]).flat();
  const own = [work(lanes, shop), work(lanes, shop)];
  await settle();
  expect([running(crowd), running(own)]).toEqual([10, 2]);
});

test("Waiting work starts when there is room, first come, first served", async () => {
  const lanes = new Lanes(12);
  const all = Array.from({ length: 4 }, () => work(lanes, visitor("203.0.113.1")));
  await settle();
  all[0]?.state.end();
  await all[0]?.done;
  await settle();
  expect(all.map(({ state }) => state.isRunning)).toEqual([true, true, true, false]);
});

test("A page's three reads run in parallel, and another client's pages have room beside them", async () => {
  const lanes = new Lanes(12);
  const page = (key: string) => Array.from({ length: 6 }, () => work(lanes, { kind: "page", key }));
  const [one, other, third] = [page("203.0.113.1"), page("203.0.113.2"), page("203.0.113.3")];
  const orders = Array.from({ length: 3 }, () => work(lanes, customer("c")));
  await settle();
  expect([one, other, third, orders].map(running)).toEqual([3, 3, 0, 3]);
});

test("A caller with nothing running comes before callers of the same kind with more", async () => {
  const lanes = new Lanes(12);
  const page = (key: string) => work(lanes, { kind: "page", key });
  const greedy = [..."aaaaaaabbbbbbb"].map(page);
  const late = page("c");
  await settle();
  expect([running(greedy), late.state.isRunning]).toEqual([6, false]);
  greedy[0]?.state.end();
  await greedy[0]?.done;
  await settle();
  expect([running(greedy.slice(1)), late.state.isRunning]).toEqual([5, true]);
});

test("A caller who leaves gives up their place in the queue", async () => {
  const lanes = new Lanes(12);
  const leaving = new AbortController();
  const first = [work(lanes, visitor("a")), work(lanes, visitor("a"))];
  const gone = work(lanes, visitor("a"), leaving.signal);
  const last = work(lanes, visitor("a"));
  leaving.abort();
  await gone.done;
  first[0]?.state.end();
  await first[0]?.done;
  await settle();
  expect([gone.state.isRunning, last.state.isRunning]).toEqual([false, true]);
});

test("Public files are looked up two at a time, in parallel with everything else", async () => {
  const lanes = new Lanes(12);
  const busy = Array.from({ length: 12 }, () => work(lanes, shop));
  const files = Array.from({ length: 100 }, (_, n) =>
    work(lanes, { kind: "public file", key: `v${n % 20}` }),
  );
  await settle();
  expect([running(busy), running(files)]).toEqual([12, 2]);
  expect(files.filter(({ state }) => state.refused !== "")).toHaveLength(34);
});

test("A caller who has left before there is room does not wait", async () => {
  const lanes = new Lanes(12);
  for (let n = 0; n < 2; n += 1) work(lanes, visitor("a"));
  const gone = work(lanes, visitor("a"), AbortSignal.abort());
  await gone.done;
  expect(gone.state.refused).toBe("The shop is busy. Please try again in a moment.");
});

const page = (key: string): Asker => ({ kind: "page", key });
const crowdOf = (lanes: Lanes, count: number, asker: (key: string) => Asker) =>
  Array.from({ length: count }, (_, n) => work(lanes, asker(`k${n}`)));

test("Each lane has its share of the twelve connections", () => {
  expect(lanesFor(12)).toEqual({
    shop: { running: 12, waiting: 200, runningEach: 12, waitingEach: 200 },
    customer: { running: 9, waiting: 24, runningEach: 3, waitingEach: 12 },
    page: { running: 6, waiting: 240, runningEach: 3, waitingEach: 12 },
    visitor: { running: 4, waiting: 12, runningEach: 2, waitingEach: 8 },
    "public file": { running: 2, waiting: 64, runningEach: 2, waitingEach: 32 },
  });
});

test("Each kind on its own takes its share and no more, and as many wait as allowed", async () => {
  for (const [asker, shares] of [
    [customer, { running: 9, waiting: 24, refused: 7 }],
    [page, { running: 6, waiting: 34, refused: 0 }],
    [visitor, { running: 4, waiting: 12, refused: 24 }],
  ] as const) {
    const lanes = new Lanes(12);
    crowdOf(lanes, 40, asker);
    await settle();
    expect(lanes.figures()[asker("").kind]).toEqual(shares);
  }
});

test("One customer has three running and twelve waiting, whatever others do", async () => {
  const lanes = new Lanes(12);
  const other = Array.from({ length: 4 }, () => work(lanes, customer("b")));
  const greedy = Array.from({ length: 20 }, () => work(lanes, customer("a")));
  const late = work(lanes, customer("b"));
  await settle();
  expect([running(other), running(greedy)]).toEqual([3, 3]);
  expect(greedy.filter(({ state }) => state.refused !== "")).toHaveLength(5);
  expect(late.state.refused).toBe("");
  expect(lanes.figures().customer).toEqual({ running: 6, waiting: 14, refused: 5 });
});

test("The shop's own work may take every connection, and everything else waits until one is free", async () => {
  const lanes = new Lanes(12);
  const own = Array.from({ length: 13 }, () => work(lanes, shop));
  const others = [work(lanes, customer("c")), work(lanes, page("p")), work(lanes, visitor("v"))];
  await settle();
  expect([running(own), running(others)]).toEqual([12, 0]);
  for (const { state, done } of own.slice(0, 4)) {
    state.end();
    await done;
  }
  await settle();
  expect([running(own.slice(4)), running(others)]).toEqual([9, 3]);
});

test("Customers, pages and visitors together use at most ten connections", async () => {
  const lanes = new Lanes(12);
  const crowd = [...crowdOf(lanes, 3, page), ...crowdOf(lanes, 4, visitor), ...crowdOf(lanes, 5, customer)];
  await settle();
  expect(running(crowd)).toBe(10);
  expect(lanes.figures().customer).toEqual({ running: 3, waiting: 2, refused: 0 });
});

test("Finished work makes room for everyone, and so does failed work", async () => {
  const lanes = new Lanes(12);
  await expect(lanes.run(visitor("a"), () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  expect(await lanes.run(visitor("a"), async () => "answer")).toBe("answer");
  const all = Array.from({ length: 6 }, () => work(lanes, visitor("a")));
  await settle();
  for (const [n, { state, done }] of all.entries()) {
    expect(running(all.slice(0, n + 2))).toBe(Math.min(n + 2, 6));
    state.end();
    await done;
    await settle();
  }
  expect(lanes.figures().visitor).toEqual({ running: 0, waiting: 0, refused: 0 });
});

test("Among callers with the same amount running, the first comes first", async () => {
  const lanes = new Lanes(12);
  const all = crowdOf(lanes, 7, visitor);
  await settle();
  for (const at of [0, 1]) {
    all[at]?.state.end();
    await all[at]?.done;
    await settle();
  }
  expect(all.map(({ state }) => state.isRunning)).toEqual([true, true, true, true, true, true, false]);
});

test("The kind that has waited longest comes first, even if another kind's caller has less running", async () => {
  const lanes = new Lanes(12);
  const own = Array.from({ length: 9 }, () => work(lanes, shop));
  for (let n = 0; n < 3; n += 1) work(lanes, customer("a"));
  const first = work(lanes, customer("b"));
  const second = work(lanes, visitor("c"));
  await settle();
  own[0]?.state.end();
  await own[0]?.done;
  await settle();
  expect([first.state.isRunning, second.state.isRunning]).toEqual([true, false]);
});

function useFakeTimers(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
}

test("A caller who has waited ten seconds is refused and counted, and no longer blocks others", async () => {
  useFakeTimers();
  const lanes = new Lanes(12);
  const all = Array.from({ length: 3 }, () => work(lanes, visitor("a")));
  vi.advanceTimersByTime(9_999);
  const later = work(lanes, visitor("a"));
  await settle();
  expect(lanes.figures().visitor).toEqual({ running: 2, waiting: 2, refused: 0 });
  vi.advanceTimersByTime(1);
  await settle();
  expect(all[2]?.state.refused).toBe("The shop is busy. Please try again in a moment.");
  expect(lanes.figures().visitor).toEqual({ running: 2, waiting: 1, refused: 1 });
  all[0]?.state.end();
  await all[0]?.done;
  await settle();
  expect([all[2]?.state.isRunning, later.state.isRunning]).toEqual([false, true]);
});

test("Work that has started is not refused later, and a caller who leaves takes no one else's place in the queue", async () => {
  useFakeTimers();
  const lanes = new Lanes(12);
  const leaving = new AbortController();
  const first = [work(lanes, visitor("a")), work(lanes, visitor("a"))];
  const started = work(lanes, visitor("a"), leaving.signal);
  first[0]?.state.end();
  await first[0]?.done;
  await settle();
  expect(started.state.isRunning).toBe(true);
  vi.advanceTimersByTime(9_000);
  const waiting = work(lanes, visitor("a"));
  leaving.abort();
  vi.advanceTimersByTime(1_000);
  await settle();
  expect(lanes.figures().visitor).toEqual({ running: 2, waiting: 1, refused: 0 });
  expect([started.state.refused, waiting.state.refused]).toEqual(["", ""]);
});

test("A caller who leaves before or while waiting is refused once and not counted", async () => {
  useFakeTimers();
  const lanes = new Lanes(12);
  for (let n = 0; n < 2; n += 1) work(lanes, visitor("a"));
  const leaving = new AbortController();
  const gone = [work(lanes, visitor("a"), AbortSignal.abort()), work(lanes, visitor("a"), leaving.signal)];
  leaving.abort();
  await Promise.all(gone.map(({ done }) => done));
  vi.advanceTimersByTime(20_000);
  expect(lanes.figures().visitor).toEqual({ running: 2, waiting: 0, refused: 0 });
});

test("A refusal says when to retry", async () => {
  const lanes = new Lanes(12);
  for (let n = 0; n < 10; n += 1) work(lanes, visitor("a"));
  await expect(lanes.run(visitor("a"), async () => {})).rejects.toMatchObject({
    ...{ status: 503, code: "PT503", headers: { "retry-after": "2" } },
  });
});
