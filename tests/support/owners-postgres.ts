import { randomBytes, randomUUID } from "node:crypto";
import { chown, mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import postgres from "postgres";
import { findAccount } from "#server/database/postgres/account.ts";
import { type Binaries, findBinaries } from "#server/database/postgres/binaries.ts";
import type { Access } from "#server/database/postgres/embedded.ts";
import { runProgram, startGuarded } from "#server/database/postgres/launch.ts";
import { tryLock } from "#server/lib/kernel-lock.ts";
import { freePort } from "./shop-server.ts";
import { sayWhatIsSkipped } from "./skipped.ts";

/*
 * An owner's PostgreSQL for the tests of DATABASE_URL: started from this machine's installation for one test run, with a
 * password. A server that is already running here belongs to someone and is not used.
 */

/** The address of the server, for the processes that this one starts; a server named here by hand is used as it is. */
const variable = "TEST_DATABASE_URL";

/** Where Debian's and PostgreSQL's own packages install each version. The oldest is used, as the most demanding test. */
const installed = "/usr/lib/postgresql";
const oldestVersion = 15;
const startTimeoutMs = 60_000;

export async function findInstalled(): Promise<Binaries | null> {
  const versions = (await readdir(installed).catch(() => []))
    .map(Number)
    .filter((each) => each >= oldestVersion);
  for (const version of versions.sort((a, b) => a - b)) {
    const home = join(installed, String(version));
    const program = (name: string) => join(home, "bin", name);
    // The client package creates such a folder too.
    if (await stat(program("initdb")).catch(() => null))
      return {
        home,
        initdb: program("initdb"),
        postgres: program("postgres"),
        pgCtl: program("pg_ctl"),
        libraryPath: null,
      };
  }
  return null;
}

/** The programs of a PostgreSQL, and the user who runs them. */
export type Installation = {
  binaries: Binaries;
  account: Awaited<ReturnType<typeof findAccount>>;
  dataDir: string;
};

/** Makes a database's folder, whose owner is "postgres" with this password. */
async function makeFolder(installation: Installation, folder: string, password: string): Promise<void> {
  const { binaries, account, dataDir } = installation;
  const passwordFile = join(dataDir, "password");
  await mkdir(folder, { mode: 0o700 });
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (account)
    for (const path of [dataDir, folder, passwordFile]) await chown(path, account.uid, account.gid);
  const options = [
    "-U",
    "postgres",
    "-E",
    "UTF8",
    "--locale=C.UTF-8",
    `--pwfile=${passwordFile}`,
    "-A",
    "md5",
  ];
  const making = await runProgram({
    ...installation,
    command: binaries.initdb,
    args: ["-D", folder, ...options],
  });
  if (making.code !== 0) throw new Error(`The owner's PostgreSQL cannot be made: ${making.printed}`);
}

/** Runs the server of a folder, with these settings besides. */
export async function runServer(
  installation: Installation,
  folder: string,
  password: string,
  more: Record<string, string | number>,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const port = await freePort();
  const settings = {
    port,
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: 200,
    ...more,
  };
  const lock = await tryLock(`${folder}.lock`);
  if (!lock) throw new Error("The folder of the owner's PostgreSQL is in use");
  const args = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const child = startGuarded(
    { ...installation, command: installation.binaries.postgres, args: ["-D", folder, ...args] },
    lock,
  );
  lock.close();
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => {
      printed = (printed + chunk.toString()).slice(-4_000);
    });
  child.stdin?.on("error", () => {});
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  const until = Date.now() + startTimeoutMs;
  while (!(await answers(url))) {
    if (child.exitCode !== null || Date.now() > until)
      throw new Error(`The owner's PostgreSQL does not start: ${printed}`);
    await pause(50);
  }
  return {
    url,
    stop: async () => {
      child.stdin?.destroy();
      await ended;
    },
  };
}

/** A new server in a folder. */
export async function makeServer(
  installation: Installation,
  folder: string,
  password: string,
  settings: Record<string, string | number>,
) {
  await makeFolder(installation, folder, password);
  return runServer(installation, folder, password, settings);
}

/** An installed PostgreSQL, or the built-in one, that has its files in a folder. */
export async function installationIn(dataDir: string): Promise<Installation> {
  const found = await findInstalled();
  sayWhatIsSkipped(
    "an older PostgreSQL as the owner's",
    found ? null : `there is none in ${installed}; the built-in one stands in`,
  );
  const binaries = found ?? (await findBinaries(join(dataDir, "libraries")));
  return { binaries, account: await findAccount([dataDir, dirname(binaries.postgres)]), dataDir };
}

async function start(dataDir: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const password = randomBytes(12).toString("hex");
  return makeServer(await installationIn(dataDir), join(dataDir, "database"), password, {
    // The data is deleted after the run, so it needs no durability.
    ...{ fsync: "off", full_page_writes: "off", synchronous_commit: "off" },
  });
}

export async function answers(url: string): Promise<boolean> {
  const sql = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => {} });
  return sql`select 1`
    .then(
      () => true,
      () => false,
    )
    .finally(() => sql.end({ timeout: 1 }));
}

/** Starts the server, unless this run has one. @returns the function that ends it */
export async function startOwnersPostgres(): Promise<() => Promise<void>> {
  if (process.env[variable]) return async () => {};
  const dataDir = await mkdtemp(join(tmpdir(), "owners-postgres-"));
  const remove = () => rm(dataDir, { recursive: true, force: true });
  try {
    const server = await start(dataDir);
    process.env[variable] = server.url;
    return async () => {
      delete process.env[variable];
      await server.stop();
      await remove();
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** How to reach the server, which is started first if it is not running. */
export async function ownersServer(): Promise<{ access: Access; release: () => Promise<void> }> {
  const release = await startOwnersPostgres();
  const { hostname: host, port, username: user, password, pathname } = new URL(process.env[variable] ?? "");
  const access = { host, port: Number(port || 5432), user, password, database: pathname.slice(1) };
  return { access, release };
}

/** An empty database on the owner's PostgreSQL, which is started first if it does not run; removed by `drop`. */
export async function newDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  const release = await startOwnersPostgres();
  const url = new URL(process.env[variable] ?? "");
  const admin = postgres(url.href, { max: 1, onnotice: () => {} });
  const name = `shop_test_${randomUUID().replaceAll("-", "")}`;
  await admin.unsafe(`create database ${name} template template0`);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: async () => {
      await admin.unsafe(`drop database if exists ${name} with (force)`);
      await admin.end({ timeout: 5 });
      await release();
    },
  };
}
