import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Sql } from "./sql.ts";
import { startWatchdog } from "./watchdog.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const database = (answer: () => unknown[]) => ({ query: async () => answer() }) as unknown as Sql;

test("A database that answers with success and nothing is reported, once", async () => {
  const onFailure = vi.fn();
  startWatchdog(
    database(() => []),
    onFailure,
  );
  await vi.advanceTimersByTimeAsync(60_000);
  expect(onFailure).toHaveBeenCalledTimes(1);
});

test("One wrong answer among right ones is forgiven", async () => {
  const onFailure = vi.fn();
  let asked = 0;
  startWatchdog(
    database(() => {
      asked += 1;
      return asked === 2 ? [] : [{ one: 1 }];
    }),
    onFailure,
  );
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toBeGreaterThan(5);
  expect(onFailure).not.toHaveBeenCalled();
});

test("A stopped watchdog asks nothing", async () => {
  const query = vi.fn(async () => []);
  const stop = startWatchdog({ query } as unknown as Sql, () => {});
  await stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(query).not.toHaveBeenCalled();
});
