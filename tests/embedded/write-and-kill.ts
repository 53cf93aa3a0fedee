import { readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { openDatabase } from "#server/database/engine.ts";
import { findProcesses, serverName } from "#server/database/postgres/leftovers.ts";
import type { Sql } from "#server/database/sql.ts";
import { ignoreLostConnections } from "#tests/torture/lost-connections.ts";
import { mustFinish } from "#tests/torture/must-finish.ts";

/* node write-and-kill.ts FOLDER VICTIM: writes into an embedded database whose processes are killed three times. */

export type WriteFigures = { confirmed: number; refused: string[]; lost: number[] };

/** Writes one row after another until stopped; returns those that were confirmed. */
function keepWriting(sql: Sql) {
  const confirmed: number[] = [];
  const refused: string[] = [];
  let writing = true;
  const work = (async () => {
    while (writing) {
      const row = confirmed.length + refused.length;
      await sql
        .transaction((transaction) => transaction.query("insert into kept values ($1)", [row]))
        .then(
          () => confirmed.push(row),
          async (error: { code: string }) => {
            refused.push(error.code);
            await pause(20);
          },
        );
    }
  })();
  return {
    confirmed,
    refused,
    stop: async () => {
      writing = false;
      await work;
    },
  };
}

const [dataDir = "", victim = ""] = process.argv.slice(2);
const titles: Record<string, string> = {
  "in one of its connections": "postgres [local]",
  "in its checkpointer": "checkpointer",
};

/** A server that has just been started again may not have the process yet. */
async function findVictim(): Promise<number> {
  const end = Date.now() + 60_000;
  while (Date.now() < end) {
    for (const { pid, first } of await findProcesses(serverName(dataDir))) {
      const title = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
      if (titles[victim] ? !first && title.includes(titles[victim]) : first) return pid;
    }
    await pause(10);
  }
  throw new Error(`There is no process: ${victim}`);
}

async function until(isTrue: () => boolean): Promise<void> {
  const end = Date.now() + 60_000;
  while (!isTrue()) {
    if (Date.now() > end) throw new Error("Nothing is written any more");
    await pause(10);
  }
}

ignoreLostConnections();
await mustFinish("write-and-kill", async () => {
  const { sql, close } = await openDatabase({ dataDir, databaseUrl: null }, () => {});
  await sql.exec("create table kept (id int)");
  const writing = keepWriting(sql);
  for (let kill = 0; kill < 3; kill += 1) {
    const before = writing.confirmed.length;
    await until(() => writing.confirmed.length > before + 2);
    const refused = writing.refused.length;
    process.kill(await findVictim(), "SIGKILL");
    // A connection may outlive the killed server for a moment: only a refusal shows that the kill was noticed.
    await until(() => writing.refused.length > refused);
  }
  const last = writing.confirmed.length;
  await until(() => writing.confirmed.length > last + 2);
  await writing.stop();
  const stored = new Set((await sql.query<{ id: number }>("select id from kept")).map(({ id }) => id));
  const lost = writing.confirmed.filter((id) => !stored.has(id));
  await close();
  console.log(
    JSON.stringify({
      confirmed: writing.confirmed.length,
      refused: [...new Set(writing.refused)],
      lost,
    } satisfies WriteFigures),
  );
});
process.exit(0);
