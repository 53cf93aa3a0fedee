import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startLeading } from "./lease.ts";
import type { Sql } from "./sql.ts";

/** Three seconds before the fifteen that the database gives a lease. */
const HELD_MS = 12_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A database with the row of the lease, and a clock of its own, which also runs while a machine sleeps. */
function openDatabase() {
  let row = { holder: "", expiresAt: Number.NEGATIVE_INFINITY };
  let sleptMs = 0;
  let delayMs = 0;
  let isAway = false;
  const now = () => performance.now() + sleptMs;
  const answer = async (text: string, [, id, , lifetime]: unknown[]) => {
    if (text.startsWith("update private_shop.leases")) {
      if (row.holder === id) row.expiresAt = now();
      return [];
    }
    if (!text.startsWith("insert into private_shop.leases")) return [];
    if (row.holder !== id && row.expiresAt >= now()) return [];
    row = { holder: String(id), expiresAt: now() + Number.parseInt(String(lifetime), 10) };
    return [{ term: "1" }];
  };
  const query = async (text: string, values: unknown[] = []) => {
    if (isAway) throw new Error("gone");
    const rows = await answer(text, values);
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
    return rows;
  };
  return {
    sql: { query } as unknown as Sql,
    leave: () => {
      isAway = true;
    },
    delay: (ms: number) => {
      delayMs = ms;
    },
    /** How long the lease is still held. */
    msLeft: () => row.expiresAt - now(),
    /** The machine sleeps: its monotonic clock stands still, the wall clock goes on. */
    sleepMachine: (ms: number) => {
      sleptMs += ms;
      vi.setSystemTime(Date.now() + ms);
    },
  };
}

const start = (sql: Sql, id = "one") => {
  const lines: string[] = [];
  const leading = startLeading(sql, { id, name: id }, (line) => lines.push(line));
  return leading.then((each) => ({ ...each, lines }));
};

test("stops leading 3 seconds before another machine may start, when the database is out of reach", async () => {
  const { sql, leave, msLeft } = openDatabase();
  const { leads } = await start(sql);
  leave();
  await vi.advanceTimersByTimeAsync(HELD_MS - 1);
  expect(leads()).toBe(true);
  await vi.advanceTimersByTimeAsync(1);
  expect(leads()).toBe(false);
  expect(msLeft()).toBe(3_000);
});

test("counts a lease from before its request, however slow the response", async () => {
  const { sql, leave, delay } = openDatabase();
  delay(2_000);
  const starting = start(sql);
  await vi.advanceTimersByTimeAsync(4_000);
  const { leads } = await starting;
  leave();
  await vi.advanceTimersByTimeAsync(HELD_MS - 2_000 - 1);
  expect(leads()).toBe(true);
  await vi.advanceTimersByTimeAsync(1);
  expect(leads()).toBe(false);
});

test("doesn't lead after its machine wakes from sleep until it has the lease again", async () => {
  const { sql, sleepMachine } = openDatabase();
  const { leads, lines } = await start(sql);
  sleepMachine(HELD_MS);
  expect(leads()).toBe(false);
  const other = await start(sql, "another");
  expect(other.leads()).toBe(false);
  sleepMachine(3_001);
  await vi.advanceTimersByTimeAsync(3_000);
  expect([leads(), other.leads()].filter(Boolean)).toHaveLength(1);
  expect(lines).toEqual([]);
});

test("leaves the lease to the machine that took over while this one slept", async () => {
  const { sql, sleepMachine } = openDatabase();
  const { leads, lines } = await start(sql);
  sleepMachine(20_000);
  const other = await start(sql, "another");
  expect([leads(), other.leads()]).toEqual([false, true]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect([leads(), other.leads()]).toEqual([false, true]);
  expect(lines).toEqual([
    "This machine has lost touch with the database, and leaves to another one what is done once",
  ]);
});

test("holds no lease longer when the clock is set back", async () => {
  const { sql, leave } = openDatabase();
  const { leads } = await start(sql);
  leave();
  vi.setSystemTime(Date.now() - 3_600_000);
  await vi.advanceTimersByTimeAsync(HELD_MS - 1);
  expect(leads()).toBe(true);
  await vi.advanceTimersByTimeAsync(1);
  expect(leads()).toBe(false);
});

test("renews the lease while the database responds, and releases it at once when the machine stops", async () => {
  const { sql } = openDatabase();
  const one = await start(sql);
  const other = await start(sql, "another");
  for (let seconds = 0; seconds < 120; seconds += 1) {
    await vi.advanceTimersByTimeAsync(1_000);
    expect([one.leads(), other.leads()]).toEqual([true, false]);
  }
  await one.stop();
  expect(one.leads()).toBe(false);
  // It tries every three seconds.
  await vi.advanceTimersByTimeAsync(3_001);
  expect(other.leads()).toBe(true);
  expect(other.lines).toEqual(["This machine now does what is done once: emails, backups, housekeeping"]);
});
