import { expect } from "vitest";
import type { Database, Person } from "./database.ts";

/** One statement in a person's name, as the data API runs a request. */
export type Request = [person: Person, sql: string, values: unknown[]];

/** Two requests that contradict each other. */
export type Scene = {
  requests: [Request, Request];
  /** What is there afterwards, without ids. */
  see: () => Promise<unknown>;
};

const rounds = 8;

export const send = (database: Database, [person, sql, values]: Request) =>
  database.as(person, (query) => query(sql, values));

/** "done", "nothing" when no row was touched, or the code of the refusal. */
async function answerTo(
  database: Database,
  [person, sql, values]: Request,
  ready?: () => Promise<void>,
): Promise<string> {
  try {
    const rows = await database.as(person, async (query) => {
      await ready?.();
      return query(sql, values);
    });
    return rows.length > 0 ? "done" : "nothing";
  } catch (error) {
    const { code, detail, message } = error as { code?: string; detail?: string; message: string };
    if (!code) throw error;
    return detail?.startsWith("{") ? JSON.parse(detail).code : `${code}: ${message}`;
  }
}

/** Lets this many go on as soon as all of them have come. */
function newBarrier(size: number): () => Promise<void> {
  let waiting = size;
  let open = () => {};
  const all = new Promise<void>((resolve) => {
    open = resolve;
  });
  return () => {
    waiting -= 1;
    if (waiting === 0) open();
    return all;
  };
}

async function playInOrder(database: Database, { requests: [first, second], see }: Scene) {
  const answers = [await answerTo(database, first), await answerTo(database, second)];
  return { answers, after: await see() };
}

async function playReversed(database: Database, { requests: [first, second], see }: Scene) {
  const late = await answerTo(database, second);
  return { answers: [await answerTo(database, first), late], after: await see() };
}

/** Both transactions are open before either statement is sent. */
async function playAtOnce(database: Database, { requests, see }: Scene) {
  const ready = newBarrier(requests.length);
  const answers = await Promise.all(requests.map((request) => answerTo(database, request, ready)));
  return { answers, after: await see() };
}

/**
 * Expects of two requests at the same moment what one after the other gives, in either order, with the loser's answer included.
 * @param make makes the scene anew for each round
 * @returns the answers in order, and reversed
 */
export async function expectSerial(database: Database, make: () => Promise<Scene>): Promise<string[][]> {
  const serial = [await playInOrder(database, await make()), await playReversed(database, await make())];
  for (let round = 0; round < rounds; round += 1)
    expect(serial).toContainEqual(await playAtOnce(database, await make()));
  return serial.map(({ answers }) => answers);
}
