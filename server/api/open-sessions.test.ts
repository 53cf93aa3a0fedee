import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { Sql } from "../database/sql.ts";
import { openSessions } from "./open-sessions.ts";

/** The check over these sessions; `state.now` moves on. */
function open(sessions: Set<string>) {
  const state = { now: 1_000, queries: 0, fails: false };
  const query = async (_: string, values: unknown[]) => {
    state.queries += 1;
    if (state.fails) throw new Error("lost");
    return sessions.has(values.join(" ")) ? [{}] : [];
  };
  return { state, isOpen: openSessions({ query } as unknown as Sql, () => state.now) };
}

const [session, user] = [randomUUID(), randomUUID()];

test("An ended session is noticed within ten seconds, with one query until then", async () => {
  const sessions = new Set([`${session} ${user}`]);
  const { state, isOpen } = open(sessions);
  expect(await Promise.all([isOpen(session, user), isOpen(session.toUpperCase(), user)])).toEqual([
    true,
    true,
  ]);
  sessions.clear();
  state.now += 10_000;
  expect([await isOpen(session, user), state.queries]).toEqual([true, 1]);
  state.now += 1;
  expect([await isOpen(session, user), await isOpen(session, user), state.queries]).toEqual([
    false,
    false,
    2,
  ]);
});

test("A session is valid only with its own account", async () => {
  const { isOpen } = open(new Set([`${session} ${user}`]));
  expect([await isOpen(session, randomUUID()), await isOpen(session, user)]).toEqual([false, true]);
});

test("A token without a valid session id is refused without a query", async () => {
  const { state, isOpen } = open(new Set());
  for (const id of [undefined, null, 1, "", "x", [session]]) expect(await isOpen(id, user)).toBe(false);
  expect(state.queries).toBe(0);
});

test("A failed query is not cached", async () => {
  const { state, isOpen } = open(new Set([`${session} ${user}`]));
  state.fails = true;
  await expect(isOpen(session, user)).rejects.toThrow("lost");
  state.fails = false;
  expect(await isOpen(session, user)).toBe(true);
});

test("At most 10,000 sessions are cached; the oldest is read again", async () => {
  const { state, isOpen } = open(new Set());
  await isOpen(session, user);
  for (let n = 1; n < 10_000; n += 1) await isOpen(randomUUID(), user);
  await isOpen(session, user);
  expect(state.queries).toBe(10_000);
  await isOpen(randomUUID(), user);
  await isOpen(session, user);
  expect(state.queries).toBe(10_002);
});
