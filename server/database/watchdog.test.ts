import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Sql } from "./sql.ts";
import { isResponding, startWatchdog } from "./watchdog.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const database = (respond: () => unknown[]) => ({ query: async () => respond() }) as unknown as Sql;

test("A database that responds with success but without data is reported once", async () => {
  const onFailure = vi.fn();
  startWatchdog(
    database(() => []),
    onFailure,
  );
  await vi.advanceTimersByTimeAsync(60_000);
  expect(onFailure).toHaveBeenCalledTimes(1);
});

test("One wrong response among right ones is ignored", async () => {
  const onFailure = vi.fn();
  let queries = 0;
  startWatchdog(
    database(() => {
      queries += 1;
      return queries === 2 ? [] : [{ one: 1 }];
    }),
    onFailure,
  );
  await vi.advanceTimersByTimeAsync(60_000);
  expect(queries).toBeGreaterThan(5);
  expect(onFailure).not.toHaveBeenCalled();
});

test("A stopped watchdog runs no checks", async () => {
  const query = vi.fn(async () => []);
  const stop = startWatchdog({ query } as unknown as Sql, () => {});
  await stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(query).not.toHaveBeenCalled();
});

test.each([
  ["one", [{ one: 1 }], true],
  ["nothing", [], false],
  ["another number", [{ one: 2 }], false],
  ["another column", [{ two: 1 }], false],
  ["two rows", [{ one: 1 }, { one: 1 }], false],
])("A database that responds with %s counts as healthy: %s %s", async (_, rows, isRight) => {
  expect(await isResponding(database(() => rows))).toBe(isRight);
});

test("A database that cannot be queried counts as unhealthy", async () => {
  const query = vi.fn(async () => Promise.reject(new Error("gone")));
  expect(await isResponding({ query } as unknown as Sql)).toBe(false);
  expect(query).toHaveBeenCalledWith("select 1 as one");
});

test("It checks every five seconds, twice a second after a failure, and gives up at the sixtieth in a row", async () => {
  const onFailure = vi.fn();
  const queries: number[] = [];
  const start = Date.now();
  startWatchdog(
    database(() => {
      queries.push(Date.now() - start);
      return queries.length === 1 || queries.length === 61 ? [{ one: 1 }] : [];
    }),
    onFailure,
  );
  await vi.advanceTimersByTimeAsync(5_000);
  expect(queries).toEqual([5_000]);
  await vi.advanceTimersByTimeAsync(5_000 + 59 * 500);
  expect(queries).toEqual([5_000, ...Array.from({ length: 60 }, (_, n) => 10_000 + n * 500)]);
  await vi.advanceTimersByTimeAsync(5_000 + 58 * 500);
  expect([queries.length, onFailure.mock.calls.length]).toEqual([120, 0]);
  await vi.advanceTimersByTimeAsync(500);
  expect([queries.length, onFailure.mock.calls.length]).toEqual([121, 1]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect([queries.length, onFailure.mock.calls.length]).toEqual([121, 1]);
});

test("It never keeps the process from ending", async () => {
  const timers = vi.spyOn(globalThis, "setTimeout");
  const stop = startWatchdog(
    database(() => [{ one: 1 }]),
    () => {},
  );
  await vi.advanceTimersByTimeAsync(10_000);
  const started = timers.mock.results.map(({ value }) => value as NodeJS.Timeout);
  // Before the clock is real again: restored later, the next files of this worker would get the simulated one for good.
  timers.mockRestore();
  expect(started.map((timer) => timer.hasRef())).toEqual([false, false, false]);
  await stop();
});
