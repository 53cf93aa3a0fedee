import { setTimeout as pause } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { isLost } from "#server/database/connections.ts";
import { type OwnApi, openOwnApi } from "#tests/support/own-api.ts";
import { openSql } from "#tests/support/test-server.ts";
import { signalAll } from "#tests/torture/processes.ts";

/* The server's processes are frozen and ended for real: each connection has one of its own. */

const { sql, connections, close } = await openSql();
const api: OwnApi = await openOwnApi();
afterAll(async () => {
  await close();
  await api.close();
});

const pids = (of: typeof sql, application: string) =>
  of.query<{ pid: number }>(
    "select pid from pg_stat_activity where datname = current_database() and application_name = $1",
    [application],
  );

test("Work on a frozen connection times out, and the next work has another connection", async () => {
  let frozen = 0;
  const work = connections.use(async (database) => {
    const [row] = await database.unsafe<{ pid: number }[]>("select pg_backend_pid() as pid");
    frozen = row?.pid ?? 0;
    process.kill(frozen, "SIGSTOP");
    return database.unsafe("select 1");
  }, 1_500);
  try {
    await expect(work).rejects.toSatisfy(isLost);
    const [row] = await sql.query<{ pid: number }>("select pg_backend_pid() as pid");
    expect(row?.pid).not.toBe(frozen);
  } finally {
    signalAll([frozen], "SIGCONT");
  }
});

test("A request whose connection is frozen gets 503 with a message, within its timeout", async () => {
  const ask = () => api.ask("/rest/v1/books?limit=1");
  expect((await ask()).status).toBe(200);
  const found = await pids(api.sql, "shop api");
  expect(found.length).toBeGreaterThan(0);
  for (const { pid } of found) process.kill(pid, "SIGSTOP");
  try {
    const answer = await ask();
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({
      message: "The shop is temporarily unavailable. Please try again in a few minutes.",
    });
    expect((await ask()).status).toBe(200);
  } finally {
    signalAll(
      found.map(({ pid }) => pid),
      "SIGCONT",
    );
  }
});

test("Connections that are cut again and again under load leave no request unanswered, and every slot is freed", async () => {
  // Other files' databases are on the same server.
  const [own] = await api.sql.query<{ name: string }>("select current_database() as name");
  let cutting = true;
  const statuses = new Map<number, number>();
  const visitors = Array.from({ length: 12 }, async (_, visitor) => {
    while (cutting) {
      const { status } = await api.ask(`/rest/v1/books?limit=${visitor + 1}`, { ip: `203.0.113.${visitor}` });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  });
  const transactions = Array.from({ length: 4 }, async () => {
    while (cutting)
      await api.sql
        .transaction(async (transaction) => {
          await transaction.query("select 1");
          await pause(1);
          await transaction.query("select 2");
        })
        .catch((error) => expect(error).toSatisfy(isLost));
  });
  for (let round = 0; round < 60; round += 1) {
    await sql.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [own?.name]);
    await pause(25);
  }
  cutting = false;
  await Promise.all([...visitors, ...transactions]);
  expect([...statuses.keys()].filter((status) => ![200, 503].includes(status))).toEqual([]);
  expect(statuses.get(200)).toBeGreaterThan(0);
  expect(statuses.get(503)).toBeGreaterThan(0);
  // As many visitor requests at once as are allowed: no connection is still held by those that were cut.
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, visitor) => api.ask("/rest/v1/books", { ip: `198.51.100.${visitor}` })),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
});

test("A statement that fails unnoticed in a transaction does not look like a commit", async () => {
  await sql.exec("create table noted (id int)");
  const work = sql.transaction(async (transaction) => {
    await transaction.query("insert into noted values (1)");
    await transaction.query("select no_such_column").catch(() => {});
  });
  await expect(work).rejects.toThrow("The transaction was rolled back");
  expect(await sql.query("select from noted")).toEqual([]);
});
