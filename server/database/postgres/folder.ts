import { randomBytes } from "node:crypto";
import { chmod, chown, lchown, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { flushFolder, writeDurably } from "../../lib/durable-file.ts";
import { StartError } from "../../lib/start-error.ts";
import { howToMove } from "../how-to-move.ts";
import type { Account } from "./account.ts";
import { type Program, runProgram } from "./launch.ts";
import { lastReason } from "./messages.ts";

/** The PostgreSQL version whose folders this version of the shop can read. */
const majorVersion = "18";
/** The first version of the shop had another engine, PGlite, which called itself this. */
const firstVersion = "17";

/** The paths of the database's files in the data folder. */
export function databasePaths(dataDir: string) {
  return {
    folder: join(dataDir, "database"),
    /** Exists from before the folder is created until it is complete. */
    mark: join(dataDir, "database.making"),
    passwordFile: join(dataDir, "database.password"),
    libraries: join(dataDir, "database.libraries"),
    /** Locked by every process of a running server. */
    lock: join(dataDir, "database.lock"),
  };
}

/** The files that belong to a database, so that a failed restore or start can remove them again. */
export const databaseNames = [
  "database",
  "database.making",
  "database.password",
  "database.password.once",
  "database.libraries",
  "database.lock",
];

/**
 * Checks the database's folder before anything changes: anything that is not ours is left alone.
 * @returns whether there is a database; false for one that a first start left unfinished
 * @throws StartError when the folder contains something else, or a database of another version
 */
async function isThere(folder: string, mark: string): Promise<boolean> {
  if (await stat(mark).catch(() => null)) return false;
  const found = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw new StartError(
      `${folder} cannot be read (${error.code}): start the shop as the user who did before`,
    );
  });
  if (found.length === 0) return false;
  const version = (await readFile(join(folder, "PG_VERSION"), "utf8").catch(() => null))?.trim();
  if (version === undefined) {
    throw new StartError(`${folder} holds no database but ${found[0]}: move that elsewhere, or set DATA_DIR`);
  }
  if (version === firstVersion) {
    throw new StartError(`The database in ${folder} is of the shop's first version (PGlite): ${howToMove}`);
  }
  if (version !== majorVersion) {
    throw new StartError(
      `The database in ${folder} is of PostgreSQL ${version.slice(0, 20)}, this shop reads ${majorVersion}: ${howToMove}`,
    );
  }
  return true;
}

/** The database's folder, and only that, belongs to the account; no one else can enter it. */
async function own(folder: string, account: Account | null): Promise<void> {
  await chmod(folder, 0o700);
  const owner = (await stat(folder)).uid;
  if (!account || owner === account.uid) return;
  if (owner !== 0) throw new StartError(`${folder} belongs to another user: start the shop as that user`);
  const { uid, gid } = account;
  for (const name of await readdir(folder, { recursive: true })) await lchown(join(folder, name), uid, gid);
  await chown(folder, uid, gid);
}

type Making = Omit<Program, "command" | "args">;

/** Makes an empty database: UTF-8, sorted by code point whatever the machine's libraries say, with checksums. */
async function make({ folder, passwordFile }: DatabasePaths, making: Making): Promise<void> {
  const password = randomBytes(24).toString("base64url");
  const forInitdb = `${passwordFile}.once`;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { mode: 0o700 });
  await own(folder, making.account);
  await rm(forInitdb, { force: true });
  await writeFile(forInitdb, password, { mode: 0o600 });
  if (making.account) await chown(forInitdb, making.account.uid, making.account.gid);
  const { code, printed } = await runProgram({
    ...making,
    command: making.binaries.initdb,
    args: [
      "-D",
      folder,
      "-U",
      databaseUser,
      "--encoding=UTF8",
      "--data-checksums",
      "--locale=C",
      "--locale-provider=builtin",
      "--builtin-locale=C.UTF-8",
      "--auth=scram-sha-256",
      `--pwfile=${forInitdb}`,
      "--no-instructions",
    ],
  }).finally(() => rm(forInitdb, { force: true }));
  if (code !== 0) throw new StartError(`The database cannot be made in ${folder} (${lastReason(printed)})`);
  await writeDurably(passwordFile, password, 0o600);
  await flushFolder(dirname(folder));
}

/** The database owner's name. */
export const databaseUser = "shop";

type DatabasePaths = ReturnType<typeof databasePaths>;

/**
 * Prepares the folder for a start. A new one is marked until its database is complete, so that an interrupted first
 * start begins again.
 * @returns the owner's password, and the function to call once the database has responded
 */
export async function prepareFolder(
  paths: DatabasePaths,
  making: Making,
): Promise<{ password: string; isWhole: () => Promise<void> }> {
  const { folder, mark, passwordFile } = paths;
  const there = await isThere(folder, mark);
  if (there) await own(folder, making.account);
  else {
    await writeDurably(mark, "", 0o600);
    await make(paths, making);
  }
  const password = await readFile(passwordFile, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new StartError(
      `${passwordFile} cannot be read (${error.code}): restore a backup into an empty folder`,
    );
  });
  const isWhole = async () => {
    if (there) return;
    await rm(mark, { force: true });
    // If a power cut brought the marker back, the next start would delete the database.
    await flushFolder(dirname(mark));
  };
  return { password, isWhole };
}
