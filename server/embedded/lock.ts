import { execFile } from "node:child_process";
import { open, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { writeDurably } from "./durable-file.ts";
import { StartError } from "./start-error.ts";

/** Who holds a data folder. A process id alone is not enough: ids are given anew. */
type Holder = { pid: number; startedAt: string | null; parentPid: number };

const lockFile = (dataDir: string) => join(dataDir, "backend.lock");

/** When a process started, in the system's own words; null when it is gone. */
async function startOf(pid: number): Promise<string | null> {
  if (process.platform === "linux") {
    const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null);
    // The command in brackets may hold spaces; the 20th field after it is the start in clock ticks.
    return text?.slice(text.lastIndexOf(")") + 2).split(" ")[19] ?? null;
  }
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return null;
  }
  if (process.platform === "win32") return "running";
  const answer = await promisify(execFile)("ps", ["-o", "lstart=", "-p", String(pid)]).catch(() => null);
  return answer?.stdout.trim() || null;
}

async function readHolder(dataDir: string): Promise<Holder | null> {
  const text = await readFile(lockFile(dataDir), "utf8").catch(() => null);
  try {
    return text === null ? null : (JSON.parse(text) as Holder);
  } catch {
    return null; // Cut off by a crash of the machine: nobody holds it.
  }
}

/** The process that holds the folder now; null when nobody does, or only a process that is gone. */
export async function findHolder(dataDir: string): Promise<Holder | null> {
  const holder = await readHolder(dataDir);
  if (!holder) return null;
  const startedAt = await startOf(holder.pid);
  return startedAt !== null && startedAt === holder.startedAt ? holder : null;
}

/** Looking and taking must not be interleaved with another process that does the same. */
async function alone<Result>(dataDir: string, work: () => Promise<Result>): Promise<Result> {
  const gate = `${lockFile(dataDir)}.gate`;
  for (;;) {
    const handle = await open(gate, "wx").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "EEXIST") return null;
      throw error;
    });
    if (handle) {
      await handle.close();
      return work().finally(() => rm(gate, { force: true }));
    }
    const age = Date.now() - (await stat(gate).then((found) => found.mtimeMs, Date.now));
    if (age > 5_000) await rm(gate, { force: true }); // Left by a crash: the work takes milliseconds.
    await pause(20);
  }
}

/** A holder whose parent is gone is closing down: worth waiting for. */
const closingPatienceMs = 15_000;

/**
 * Takes the folder for this process; two processes in one folder would lose rows without a word.
 * @returns the function that gives it back
 * @throws StartError when another process holds it
 */
export async function takeLock(dataDir: string): Promise<() => Promise<void>> {
  const until = Date.now() + closingPatienceMs;
  for (;;) {
    const other = await alone(dataDir, async () => {
      const holder = await findHolder(dataDir);
      if (holder && holder.pid !== process.pid) return holder;
      const mine: Holder = {
        pid: process.pid,
        startedAt: await startOf(process.pid),
        parentPid: process.ppid,
      };
      await writeDurably(lockFile(dataDir), JSON.stringify(mine), 0o600);
      return null;
    });
    if (!other) break;
    const orphaned = (await startOf(other.parentPid)) === null;
    if (!orphaned || Date.now() > until) {
      throw new StartError(`The data folder ${dataDir} is in use by process ${other.pid}`);
    }
    await pause(100);
  }
  return async () => {
    if ((await readHolder(dataDir))?.pid === process.pid) await rm(lockFile(dataDir), { force: true });
  };
}
