import { execFile } from "node:child_process";
import { statSync } from "node:fs";
import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { type LockedFile, tryLock } from "../../lib/kernel-lock.ts";
import { StartError } from "../../lib/start-error.ts";
import { databasePaths } from "./folder.ts";

/** A process of an earlier server; only the first of a server's processes has the arguments it was started with. */
type Leftover = { pid: number; uid: number; command: string; first: boolean };

/** The first process of a server that was left running, and its command line. */
export type Survivor = Pick<Leftover, "pid" | "command">;

/**
 * Identifies the server of a data folder among the machine's processes: by the folder itself, not its path. Two
 * containers may each have a folder at the same path, and a copy of a folder is a different one.
 */
export function serverName(dataDir: string): string {
  const { dev, ino } = statSync(dataDir, { bigint: true });
  return `shop-${dev.toString(16)}-${ino.toString(16)}`;
}

type Command = { pid: number; uid: number; command: string };

async function listCommands(): Promise<Command[]> {
  if (process.platform === "linux") {
    const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
    return Promise.all(
      pids.map(async (pid) => ({
        pid: Number(pid),
        uid: (await stat(`/proc/${pid}`).catch(() => null))?.uid ?? -1,
        command: (await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")).replaceAll("\0", " "),
      })),
    );
  }
  if (process.platform === "win32") return [];
  const { stdout } = await promisify(execFile)("ps", ["-axo", "pid=,uid=,command="], { maxBuffer: 2 ** 24 });
  return stdout.split("\n").map((line) => {
    const [, pid, uid, command = ""] = /^\s*(\d+)\s+(\d+) (.*)$/.exec(line) ?? [];
    return { pid: Number(pid), uid: Number(uid), command };
  });
}

/** Processes of the server with this name; its guardian is not one of them. */
export async function findProcesses(name: string): Promise<Leftover[]> {
  const commands = await listCommands();
  return commands.flatMap(({ pid, uid, command }) => {
    const isChild = command.startsWith(`postgres: ${name}: `);
    const first = /^\S*postgres(\.exe)? /.test(command) && command.includes(` cluster_name=${name} `);
    return isChild || first ? [{ pid, uid, command, first }] : [];
  });
}

/**
 * Processes of an earlier server of this data folder. Any user of the machine can give a process our name, and PostgreSQL never
 * runs as root, who owns a copied folder.
 */
async function findOwn(dataDir: string): Promise<Leftover[]> {
  const uid = (await stat(databasePaths(dataDir).folder).catch(() => null))?.uid;
  return (await findProcesses(serverName(dataDir))).filter((one) => one.uid === uid && uid !== 0);
}

/**
 * The first process of a server whose shop was killed under the process that watches it, which has started this one in its place:
 * that server is worth more running than ended. Only the holder of the data folder's lock may call it.
 */
export async function findSurvivor(dataDir: string): Promise<Survivor | null> {
  if (process.platform === "win32" || !Number(process.env.SHOP_RESTARTS)) return null;
  return (await findOwn(dataDir)).find(({ first }) => first) ?? null;
}

/** Whether a server was started with these arguments, in any order, and perhaps further ones. */
export const hasArguments = (command: string, args: string[]): boolean =>
  args.every((argument) => `${command} `.includes(` ${argument} `));

export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process has since ended.
  }
}

/** A shutdown writes memory to the disk, which can take a while on a slow one. */
const politeMs = 20_000;
const timeoutMs = 30_000;

/**
 * Waits until no process of an earlier server is left, and ends those that do not exit: two servers in one folder
 * would destroy it. Processes in another container cannot be seen, but each holds the database's lock as long as it
 * lives. Only the holder of the data folder's lock may call it.
 * @returns the database's lock, for the next server
 */
export async function endLeftovers(dataDir: string): Promise<LockedFile> {
  const { lock } = databasePaths(dataDir);
  const startedAt = Date.now();
  let interrupted = false;
  for (;;) {
    const found = await findOwn(dataDir);
    const locked = found.length === 0 ? await tryLock(lock) : null;
    if (locked) return locked;
    const age = Date.now() - startedAt;
    if (age > timeoutMs) {
      throw new StartError(
        `An earlier database process (${found[0]?.pid ?? "of another container"}) does not end: end it, then start again`,
      );
    }
    for (const { pid, first } of found) {
      if (age > politeMs) signal(pid, "SIGKILL");
      else if (first && !interrupted) signal(pid, "SIGINT");
    }
    interrupted = true;
    await pause(50);
  }
}

/**
 * Files that name an earlier process; after a power cut they are empty or name an unrelated one, which keeps a server
 * from starting. Only the holder of the database's lock may remove them: PostgreSQL uses them to protect itself.
 */
export async function removeStaleFiles(
  folder: string,
  socketFolder: string | null,
  port: number,
): Promise<void> {
  await rm(join(folder, "postmaster.pid"), { force: true });
  if (!socketFolder) return;
  for (const name of [`.s.PGSQL.${port}`, `.s.PGSQL.${port}.lock`])
    await rm(join(socketFolder, name), { force: true });
}
