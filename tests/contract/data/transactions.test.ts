import type postgres from "postgres";
import { expect, test } from "vitest";
import { openTransactions, type Transactions } from "#server/api/data/transaction.ts";
import { type Connections, rolledBack } from "#server/database/connections.ts";
import type { Sql } from "#server/database/sql.ts";

/* What the data API asks of a connection, without a database. With one: tests/contract/transactions.test.ts. */

type Work = Parameters<Transactions["run"]>[0];
type Asked = { text: string; options: object | undefined };

const row = [Buffer.from("there")];
const pid = 4711;

/** Transactions over a connection that notes what it is asked and fails as it is told. */
function open({ fails = () => null as unknown, query = async (): Promise<never[]> => [], via = "own" } = {}) {
  const asked: Asked[] = [];
  const [limits, cancelled]: [(number | null)[], unknown[]] = [[], []];
  const connection = {
    unsafe: (text: string, _values?: unknown, options?: object) => {
      asked.push({ text, options });
      const rows = text.includes("pg_backend_pid") ? [{ pid }] : [row];
      const isRefused = text === "statement" && fails();
      const answer = isRefused ? Promise.reject(fails()) : Promise.resolve(rows);
      answer.catch(() => {});
      return Object.assign(answer, { raw: () => answer });
    },
  } as unknown as postgres.Sql;
  const own = {
    via,
    use: (work: (connection: postgres.Sql) => Promise<unknown>, ms: number | null) => {
      limits.push(ms);
      return rolledBack(work, connection);
    },
  };
  const sql = {
    query: (_: string, values: unknown[]) => {
      cancelled.push(values);
      return query();
    },
  } as unknown as Sql;
  const transactions = openTransactions({ withSettings: () => own } as unknown as Connections, sql);
  const run = (work: Partial<Work> = {}, text = "statement") =>
    transactions.run({
      caller: { role: "anon", userId: null, claims: {} },
      statement: { text, values: [] },
      isReadOnly: true,
      ...work,
    });
  return { run, asked, limits, cancelled, texts: () => asked.map(({ text }) => text.slice(0, 15)) };
}

const as = (role: Work["caller"]["role"]) => ({ role, userId: null, claims: {} });

test.each([
  [{}, 8_000],
  [{ caller: as("authenticated") }, 13_000],
  [{ caller: as("service_role") }, 125_000],
  [{ timeout: null }, 8_000],
  [{ timeout: "20s" }, 25_000],
  [{ timeout: "20 s" }, 25_000],
  [{ timeout: "20  s" }, 25_000],
  [{ timeout: "500ms" }, 5_500],
  [{ timeout: "500" }, 5_500],
  [{ timeout: "2min" }, 125_000],
  [{ timeout: "0" }, null],
  [{ timeout: "0s" }, null],
  [{ timeout: "1h" }, null],
  [{ timeout: "x20s" }, null],
  [{ timeout: "20sx" }, null],
  [{ accepts: () => true }, 18_000],
])(
  "A statement with %o is given up after %s ms, well after the server would have ended it",
  async (work, ms) => {
    const { run, limits } = open();
    await run(work);
    expect(limits).toEqual([ms]);
  },
);

test("A statement goes out with its transaction, and alone only where it must be accepted first", async () => {
  const plain = open();
  await plain.run();
  await plain.run();
  // The server's process is asked for once; the connection's own settings are a reading visitor's.
  expect(plain.texts()).toEqual(["select pg_backe", "statement", "statement"]);
  expect(plain.asked[1]?.options).toEqual({ prepare: false, simple: false });
  const caller = as("authenticated");
  const reading = open();
  await reading.run({ caller });
  expect(reading.texts().slice(1)).toEqual(["begin read only", "select set_conf", "statement", "commit"]);
  expect(reading.asked[2]?.options).toEqual({ prepare: true });
  for (const work of [{ timeout: "20s" }, { caller: { ...as("anon"), claims: { email: "x" } } }]) {
    const other = open();
    await other.run(work);
    expect(other.texts().slice(1)).toEqual(["begin read only", "select set_conf", "statement", "commit"]);
  }
  const accepted = open();
  await accepted.run({ isReadOnly: false, accepts: () => true });
  expect(accepted.texts().slice(1)).toEqual(["begin read writ", "select set_conf", "statement", "commit"]);
  const replicated = open({ via: "direct" });
  await replicated.run({ isReadOnly: false, accepts: () => true });
  // Its commit waits for the replica as long as that takes.
  expect(replicated.asked.at(-1)?.text).toBe("set local statement_timeout = 0; commit");
  const refused = open();
  await refused.run({ isReadOnly: false, accepts: () => false });
  expect(refused.texts().slice(1)).toEqual(["begin read writ", "select set_conf", "statement", "rollback"]);
});

test.each([
  ["22012", 1],
  ["40001", 4],
  ["40P01", 4],
  ["x40001", 1],
  ["40001x", 1],
])("After the error %s a statement is run %i times in all, each rolled back", async (code, times) => {
  const { run, texts } = open({ fails: () => ({ code }) });
  await expect(run({ caller: as("authenticated") })).rejects.toEqual({ code });
  const done = texts();
  expect(done.filter((text) => text === "statement")).toHaveLength(times);
  expect(done.filter((text) => text === "rollback")).toHaveLength(times);
  expect(done.at(-1)).toBe("rollback");
});

test("Nothing more is sent over a lost connection", async () => {
  const { run, texts } = open({ fails: () => ({ code: "CONNECTION_CLOSED" }) });
  await expect(run()).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
  expect(texts()).not.toContain("rollback");
});

test("A client that leaves has its statement cancelled, and the connection is free only once that has arrived", async () => {
  let arrive = () => {};
  const arrived = new Promise<never[]>((resolve) => {
    arrive = () => resolve([]);
  });
  const { run, cancelled } = open({ query: () => arrived });
  const leaving = new AbortController();
  let isOver = false;
  const running = run({ signal: leaving.signal }).then(() => {
    isOver = true;
  });
  leaving.abort();
  await new Promise((resolve) => setImmediate(resolve));
  expect([cancelled, isOver]).toEqual([[[pid]], false]);
  arrive();
  await running;
  const { run: another, cancelled: none } = open();
  const late = new AbortController();
  await another({ signal: late.signal });
  late.abort();
  await new Promise((resolve) => setImmediate(resolve));
  expect(none).toEqual([]);
});

test("At most 200 statements stay prepared: rarely used ones are dropped, frequent ones stay", async () => {
  const { run, asked } = open();
  const isReady = async (text: string) => {
    await run({}, text);
    const { options } = asked.findLast((each) => each.text === text) as Asked;
    return (options as { prepare: boolean }).prepare;
  };
  const often = Array.from({ length: 199 }, (_, n) => `often ${n}`);
  for (const text of often)
    expect([await isReady(text), await isReady(text), await isReady(text)]).toEqual([false, false, true]);
  expect([await isReady("seldom"), await isReady("seldom")]).toEqual([false, false]);
  // The new one takes the place of the seldom one, which starts over.
  expect(await isReady("new")).toBe(false);
  expect(await isReady("seldom")).toBe(false);
  expect([await isReady("seldom"), await isReady("seldom")]).toEqual([false, true]);
  // Now all 200 are used often.
  for (let times = 0; times < 5; times += 1) expect(await isReady("newest")).toBe(false);
  for (const text of [...often, "seldom"]) expect(await isReady(text)).toBe(true);
});
