import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Access, startEmbedded } from "#server/database/postgres/embedded.ts";
import { connectTo } from "#tests/support/test-server.ts";

/** Starts a database with the shop's own settings; the answer runs a statement in it. */
export async function startDatabase() {
  const dataDir = await mkdtemp(join(tmpdir(), "parameters-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const accesses: Access[] = [];
  const query = async (text: string) => {
    const [access] = accesses;
    if (!access) throw new Error("The database has not said where it listens");
    const sql = connectTo(access, "postgres", { max: 1, connect_timeout: 5 });
    return sql.unsafe(text).finally(() => sql.end({ timeout: 1 }));
  };
  const server = await startEmbedded(
    dataDir,
    (access) => {
      accesses.push(access);
      return {
        responds: () =>
          query("select 1").then(
            () => true,
            () => false,
          ),
      };
    },
    (line) => console.error(line),
  );
  onTestFinished(() => server.stop());
  return query;
}
