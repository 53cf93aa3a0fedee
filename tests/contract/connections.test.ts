import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { type Connections, isLost, within } from "#server/database/connections.ts";
import { connectionsSql, type Sql } from "#server/database/sql.ts";
import { eventually } from "#tests/support/eventually.ts";
import { openSql } from "#tests/support/test-server.ts";

/* How connections are shared out, and the verbs over them. Frozen and cut ones: tests/embedded/connections.long.test.ts. */

let database: Awaited<ReturnType<typeof openSql>>;
let sql: Sql;
beforeAll(async () => {
  database = await openSql();
  ({ sql } = database);
  await sql.exec("create table public.notes (text text)");
});
afterAll(() => database?.close());

/** So many connections of a test's own. */
function open(most: number, settings = {}): Connections {
  const connections = database.connections.withSettings(most, settings);
  onTestFinished(() => connections.end());
  return connections;
}

type Work = Parameters<Connections["use"]>[0];
const pidOf: Work = async (connection) => (await connection.unsafe("select pg_backend_pid() as pid"))[0]?.pid;

/** Work that lasts until the test says so. */
function held() {
  let finish = () => {};
  const end = new Promise<void>((resolve) => {
    finish = resolve;
  });
  let begun = () => {};
  const start = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const work: Work = async (connection) => {
    await pidOf(connection);
    begun();
    await end;
    return pidOf(connection);
  };
  return { work, start, finish: () => finish() };
}

test("tells a lost connection from a failed query", () => {
  const lost = [
    "CONNECTION_CLOSED",
    "CONNECTION_ENDED",
    "CONNECT_TIMEOUT",
    "ECONNREFUSED",
    "ECONNRESET",
    "EPIPE",
    "ENOENT",
    "ENOTFOUND",
    "EAI_AGAIN",
    "ETIMEDOUT",
    "08006",
    "57P01",
    "57P03",
  ];
  for (const code of lost) expect([code, isLost({ code })]).toEqual([code, true]);
  const others = [
    { code: "57014" },
    { code: "23505" },
    { code: "x08" },
    { code: 8 },
    {},
    null,
    undefined,
    "08",
  ];
  for (const error of others) expect(isLost(error)).toBe(false);
});

test("What takes too long is given up, and what comes later is dropped", async () => {
  expect(await within(Promise.resolve("there"), 1_000)).toBe("there");
  await expect(within(Promise.reject(new Error("failed")), 1_000)).rejects.toThrow("failed");
  let fail = (_: Error) => {};
  const late = new Promise((_, reject) => {
    fail = reject;
  });
  const given = within(late, 5);
  await expect(given).rejects.toMatchObject({
    code: "CONNECTION_CLOSED",
    message: "The database does not answer",
  });
  fail(new Error("Nobody listens"));
  const timers = vi.spyOn(globalThis, "clearTimeout");
  onTestFinished(() => timers.mockRestore());
  await within(Promise.resolve(), 1_000);
  expect(timers).toHaveBeenCalledOnce();
});

test("The transaction of work that failed is rolled back before the connection is used again", async () => {
  const connections = open(1);
  const failing: Work = async (connection) => {
    await connection.unsafe("begin");
    await connection.unsafe("insert into public.notes values ('left open')");
    throw new Error("failed");
  };
  await expect(connections.use(failing, null)).rejects.toThrow("failed");
  const left = await connections.use(
    (connection) => connection.unsafe("select from public.notes where text = 'left open'"),
    null,
  );
  expect(left).toHaveLength(0);
});

test("Rows that came before an error leave nothing behind in the next result", async () => {
  const connections = open(1);
  const failing: Work = (connection) =>
    connection.unsafe("select 1 / (3 - n) as quotient from generate_series(1, 3) as n");
  await expect(connections.use(failing, null)).rejects.toMatchObject({ code: "22012" });
  const next = await connections.use(
    async (connection) => [...(await connection.unsafe("select 7 as n"))],
    null,
  );
  expect(next).toEqual([{ n: 7 }]);
});

test("No more connections are used than allowed; the next work waits for one and gets the same", async () => {
  const connections = open(2);
  const [first, second] = [held(), held()];
  const one = connections.use(first.work, null);
  const two = connections.use(second.work, 60_000);
  await Promise.all([first.start, second.start]);
  expect(connections.metrics()).toEqual({ inUse: 2, most: 2 });
  const third = connections.use(pidOf, 60_000);
  const fourth = connections.use(pidOf, null);
  await pause(20);
  first.finish();
  const pid = await one;
  expect(await third).toBe(pid);
  expect(await fourth).toBe(pid);
  expect(connections.metrics()).toEqual({ inUse: 1, most: 2 });
  second.finish();
  expect(await two).not.toBe(pid);
  expect(connections.metrics()).toEqual({ inUse: 0, most: 2 });
});

test("Who waits too long for a connection leaves the queue, and those behind get their turn", async () => {
  const connections = open(1);
  const { work, start, finish } = held();
  const holding = connections.use(work, null);
  await start;
  const before = connections.use(pidOf, null);
  await expect(connections.use(pidOf, 20)).rejects.toSatisfy(isLost);
  const behind = connections.use(pidOf, null);
  finish();
  expect([await before, await behind]).toEqual(Array(2).fill(await holding));
  expect(connections.metrics().inUse).toBe(0);
});

test("Work that fails keeps its connection; one that is lost, silent or old is replaced", async () => {
  const connections = open(1);
  const failing = (error: object) =>
    connections.use(async () => {
      throw Object.assign(new Error("failed"), error);
    }, null);
  const first = await connections.use(pidOf, null);
  await expect(failing({ code: "23505" })).rejects.toThrow("failed");
  expect(await connections.use(pidOf, null)).toBe(first);
  await expect(failing({ code: "08006" })).rejects.toThrow("failed");
  const second = await connections.use(pidOf, null);
  expect(second).not.toBe(first);
  const silent = connections.use((connection) => connection.unsafe("select pg_sleep(60)"), 50);
  await expect(silent).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
  expect(connections.metrics()).toEqual({ inUse: 0, most: 1 });
  const third = await connections.use(pidOf, null);
  expect(third).not.toBe(second);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 29 * 60_000 });
  onTestFinished(() => void vi.useRealTimers());
  await connections.use(pidOf, null);
  expect(await connections.use(pidOf, null)).toBe(third);
  vi.setSystemTime(Date.now() + 2 * 60_000);
  expect(await connections.use(pidOf, null)).toBe(third);
  expect(await connections.use(pidOf, null)).not.toBe(third);
});

test("A connection that is cut while it is idle, or at work, is not used again", async () => {
  const connections = open(1);
  const end = (pid: unknown) => sql.query("select pg_terminate_backend($1::int, 20000)", [pid]);
  const first = await connections.use(pidOf, null);
  await end(first);
  // Until its end has come in here.
  await pause(300);
  expect(connections.metrics().inUse).toBe(0);
  expect(await connections.use(pidOf, 20_000)).not.toBe(first);
  const { work, start, finish } = held();
  const working = connections.use(work, null);
  working.catch(() => {});
  await start;
  const [row] = await sql.query<{ pid: number }>(
    "select pid from pg_stat_activity where query like 'select pg_backend_pid()%' and pid <> pg_backend_pid() and state = 'idle' and datname = current_database() order by backend_start desc limit 1",
  );
  await end(row?.pid);
  await expect(working).rejects.toSatisfy(isLost);
  finish();
  expect(connections.metrics()).toEqual({ inUse: 0, most: 1 });
  expect(await connections.use(pidOf, null)).not.toBe(row?.pid);
});

test("When a connection is lost, the others are used on", async () => {
  const connections = open(2);
  const [first, second] = [held(), held()];
  const both = [connections.use(first.work, null), connections.use(second.work, null)];
  await Promise.all([first.start, second.start]);
  first.finish();
  const result = await both[0];
  second.finish();
  await both[1];
  const losing = connections.use(async () => {
    throw Object.assign(new Error("lost"), { code: "08006" });
  }, null);
  await expect(losing).rejects.toThrow("lost");
  expect(connections.metrics()).toEqual({ inUse: 0, most: 2 });
  expect(await connections.use(pidOf, null)).toBe(result);
});

test("On shutdown, running requests get their response, waiting ones are refused, and no connection is left", async () => {
  const connections = database.connections.withSettings(1, { application_name: "ending" });
  await connections.use(pidOf, null);
  const waitedFor = vi.spyOn(Promise, "allSettled");
  onTestFinished(() => waitedFor.mockRestore());
  const { work, start, finish } = held();
  const working = connections.use(work, null);
  await start;
  const waiting = connections.use(pidOf, null);
  const ended = connections.end();
  await expect(waiting).rejects.toMatchObject({ code: "CONNECTION_ENDED" });
  finish();
  expect(await working).toEqual(expect.any(Number));
  await ended;
  // Not for work that is over: it would pile up as long as the shop runs.
  expect(waitedFor.mock.calls.map(([uses]) => [...uses].length)).toEqual([2]);
  await expect(connections.use(pidOf, null)).rejects.toMatchObject({ code: "CONNECTION_ENDED" });
  await eventually(
    async () =>
      expect(await sql.query("select from pg_stat_activity where application_name = 'ending'")).toEqual([]),
    { timeout: 20_000 },
  );
});

test("Other connections have their own settings besides the first ones'", async () => {
  const settings: Work = async (connection) =>
    (
      await connection.unsafe(
        "select current_setting('application_name') as name, current_setting('search_path') as path, current_setting('statement_timeout') as timeout",
      )
    )[0];
  const own = open(1, { application_name: "others", statement_timeout: 5_000 });
  expect(await own.use(settings, null)).toEqual({ name: "others", path: "public,extensions", timeout: "5s" });
  expect(await database.connections.use(settings, null)).toEqual({
    name: "shop",
    path: "public,extensions",
    timeout: "1min",
  });
});

test("Values come as the data API writes them, and JSON goes in as text or as a value", async () => {
  const [row] = await sql.query(
    `select 1.50::numeric(10,2) as price, '2026-01-31 08:30:00.5+00'::timestamptz as at, '{"a": [1]}'::json as json,
            $1::jsonb as given, $2::jsonb as text`,
    [{ b: 1 }, '{"c": 1}'],
  );
  expect(row).toEqual({
    price: 1.5,
    at: "2026-01-31T08:30:00.5+00:00",
    json: { a: [1] },
    given: { b: 1 },
    text: { c: 1 },
  });
});

test("A transaction is committed as a whole or not at all, and a nested one is the same one", async () => {
  const notes = async () =>
    (await sql.query<{ text: string }>("select text from notes order by 1")).map(({ text }) => text);
  const response = await sql.transaction(async (outer) => {
    await outer.query("insert into notes values ($1)", ["one"]);
    await outer.transaction((inner) => inner.exec("insert into notes values ('two'); select 1"));
    expect(await notes()).toEqual([]);
    return "done";
  });
  expect([response, await notes()]).toEqual(["done", ["one", "two"]]);
  const failed = sql.transaction(async (outer) => {
    await outer.exec("delete from notes");
    throw new Error("no");
  });
  await expect(failed).rejects.toThrow("no");
  await expect(sql.transaction((outer) => outer.query("select 1 / 0"))).rejects.toMatchObject({
    code: "22012",
  });
  expect(await notes()).toEqual(["one", "two"]);
  expect(database.connections.metrics().inUse).toBe(0);
});

test("A transaction has a minute for each statement, or as long as it takes", async () => {
  const timeouts = (time?: "bounded" | "unbounded") =>
    sql.transaction(async (inside) => {
      const [row] = await inside.query(
        "select current_setting('statement_timeout') as statement, current_setting('idle_in_transaction_session_timeout') as idle",
      );
      return row;
    }, time);
  const minute = { statement: "1min", idle: "1min" };
  expect(await timeouts()).toEqual(minute);
  expect(await timeouts("unbounded")).toEqual({ statement: "0", idle: "0" });
  expect(await timeouts("bounded")).toEqual(minute);
});

/** The verbs over a connection that answers these statements so, and says nothing to others; and what it has been asked. */
function scripted(responses: Record<string, object>) {
  const asked: string[] = [];
  const limits: (number | null)[] = [];
  const unsafe = (text: string) => {
    const words = text.trim().split(";")[0] ?? "";
    asked.push(words);
    const response = responses[words] ? Promise.resolve(responses[words]) : new Promise(() => {});
    return Object.assign(response, { simple: () => response });
  };
  const use = (work: (database: unknown) => Promise<unknown>, ms: number | null) => {
    limits.push(ms);
    return work({ unsafe });
  };
  return { asked, limits, verbs: connectionsSql({ use } as unknown as Connections) };
}

test("A transaction waits 70 seconds for a response, or without a limit, and always 70 seconds for its end", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const begun = { begin: {}, "set local statement_timeout = 0": {} };
  const states: string[] = [];
  const note = (name: string, promise: Promise<unknown>) =>
    promise.then(
      () => states.push(`${name} is over`),
      (error) => states.push(`${name}: ${error.code}`),
    );
  const [bounded, unbounded, ending] = [scripted(begun), scripted(begun), scripted(begun)];
  void note(
    "bounded",
    bounded.verbs.transaction((inside) => inside.query("select")),
  );
  void note(
    "script",
    scripted(begun).verbs.transaction((inside) => inside.exec("select")),
  );
  void note(
    "unbounded",
    unbounded.verbs.transaction((inside) => inside.query("select"), "unbounded"),
  );
  void note(
    "ending",
    ending.verbs.transaction(async () => {}, "unbounded"),
  );
  await vi.advanceTimersByTimeAsync(69_999);
  expect(states).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(states.toSorted()).toEqual([
    "bounded: CONNECTION_CLOSED",
    "ending: CONNECTION_CLOSED",
    "script: CONNECTION_CLOSED",
  ]);
  // A connection that is lost is asked nothing more.
  expect(bounded.asked).toEqual(["begin", "select"]);
  expect(ending.asked).toEqual(["begin", "set local statement_timeout = 0", "commit"]);
  expect(bounded.limits).toEqual([null]);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(states).toHaveLength(3);
});

test("A transaction that the server has rolled back instead of committing it has failed", async () => {
  const { verbs, asked } = scripted({ begin: {}, commit: { command: "ROLLBACK" } });
  await expect(verbs.transaction(async () => "done")).rejects.toThrow("The transaction was rolled back");
  expect(asked).toEqual(["begin", "commit"]);
});

test("Statements outside a transaction have 70 seconds", async () => {
  const { verbs, limits } = scripted({ select: [] });
  await verbs.query("select");
  await verbs.exec("select");
  expect(limits).toEqual([70_000, 70_000]);
});

test("prepares a statement only when it says so, and takes one round trip for it from then on", async () => {
  const own = connectionsSql(open(1));
  const prepared = async (text: string) =>
    (await own.query("select from pg_prepared_statements where statement = $1::text", [text])).length;
  const [often, seldom] = ["select $1::text as often", "select $1::text as seldom"];
  for (const value of ["a", "b"])
    expect(await own.query(often, [value], "prepared")).toEqual([{ often: value }]);
  expect(await own.query(seldom, ["c"])).toEqual([{ seldom: "c" }]);
  expect([await prepared(often), await prepared(seldom)]).toEqual([1, 0]);
});
