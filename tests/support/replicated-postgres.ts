import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chown, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import postgres from "postgres";
import { findAccount } from "#server/database/postgres/account.ts";
import { runProgram } from "#server/database/postgres/launch.ts";
import { answers, findInstalled, makeServer, runServer } from "./owners-postgres.ts";
import { freePort } from "./shop-server.ts";

/* A primary with a streaming replica, and PgBouncer, from this machine's packages. */

const bouncer = "/usr/sbin/pgbouncer";

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Why there can be no replica here; null when there can. */
export const findReplicaProblem = async () =>
  (await findInstalled()) ? null : "PostgreSQL 15 or newer is not installed in /usr/lib/postgresql";

/** Why there can be no pooler here; null when there can. */
export const findPoolerProblem = async () => ((await exists(bouncer)) ? null : `${bouncer} is not installed`);

async function newPlace() {
  const dataDir = await mkdtemp(join(tmpdir(), "replicated-postgres-"));
  const binaries = await findInstalled();
  if (!binaries) throw new Error("PostgreSQL is not installed");
  const account = await findAccount([dataDir, dirname(binaries.postgres)]);
  const remove = () => rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  return { place: { binaries, account, dataDir }, remove };
}

export type Replicated = {
  /** Both servers, the primary first. */
  url: string;
  primary: string;
  replica: string;
  /** Kills every process of the primary at once. */
  killPrimary: () => Promise<void>;
  /** The replica becomes the primary. */
  promote: () => Promise<void>;
  /** Starts the former primary again, which still takes itself for one. @returns its address */
  revive: () => Promise<string>;
  stop: () => Promise<void>;
};

async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
  return text.trim().split(" ").filter(Boolean).map(Number);
}

/** A primary whose commits wait until its replica has them on its disk. */
export async function startReplicated(): Promise<Replicated> {
  const { place, remove } = await newPlace();
  const closings: (() => Promise<unknown>)[] = [remove];
  const stop = async () => {
    for (const close of closings.splice(0).reverse()) await close();
  };
  try {
    const password = randomBytes(12).toString("hex");
    const [one, two] = [join(place.dataDir, "one"), join(place.dataDir, "two")];
    const primary = await makeServer(place, one, password, { synchronous_standby_names: "*" });
    closings.push(primary.stop);
    const copying = await runProgram({
      ...place,
      command: join(place.binaries.home, "bin/pg_basebackup"),
      args: ["-d", primary.url, "-D", two, "-R", "-X", "stream", "-c", "fast"],
    });
    if (copying.code !== 0) throw new Error(`The replica cannot be made: ${copying.printed}`);
    const replica = await runServer(place, two, password, {});
    closings.push(replica.stop);
    const sql = postgres(replica.url, { max: 1, onnotice: () => {} });
    closings.push(() => sql.end({ timeout: 1 }));
    const [first, second] = [new URL(primary.url), new URL(replica.url)];
    return {
      url: primary.url.replace(first.host, `${first.host},${second.host}`),
      primary: primary.url,
      replica: replica.url,
      killPrimary: async () => {
        const postmaster = Number((await readFile(join(one, "postmaster.pid"), "utf8")).split("\n")[0]);
        const pids = [postmaster, ...(await childrenOf(postmaster))];
        for (const pid of pids) process.kill(pid, "SIGSTOP");
        for (const pid of pids) process.kill(pid, "SIGKILL");
      },
      promote: async () => void (await sql`select pg_promote()`),
      revive: async () => {
        const revived = await runServer(place, one, password, {});
        closings.push(revived.stop);
        return revived.url;
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** PgBouncer in front of a database: each transaction gets another of a few connections. */
export async function startPooler(
  databaseUrl: string,
  size = 4,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  const folder = await mkdtemp(join(tmpdir(), "pooler-"));
  const own = await freePort();
  const account = await findAccount([folder]);
  const server = `host=${hostname} port=${port} dbname=${pathname.slice(1)} user=${username} password=${password}`;
  const file = join(folder, "pgbouncer.ini");
  const lines = [
    "[databases]",
    `shop = ${server}`,
    "[pgbouncer]",
    "listen_addr = 127.0.0.1",
    `listen_port = ${own}`,
    "auth_type = any",
    "pool_mode = transaction",
    `default_pool_size = ${size}`,
    "max_client_conn = 300",
    "unix_socket_dir =",
  ];
  await writeFile(file, lines.join("\n"), { mode: 0o600 });
  if (account) for (const path of [folder, file]) await chown(path, account.uid, account.gid);
  const child = spawn(bouncer, [file], {
    stdio: "ignore",
    ...(account ? { uid: account.uid, gid: account.gid } : {}),
  });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const stop = async () => {
    child.kill("SIGKILL");
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  const url = `postgres://shop@127.0.0.1:${own}/shop`;
  const until = Date.now() + 20_000;
  while (!(await answers(url))) {
    if (Date.now() > until || child.exitCode !== null) {
      await stop();
      throw new Error("PgBouncer does not start");
    }
    await pause(50);
  }
  return { url, stop };
}
