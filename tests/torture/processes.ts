import { readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { findProcesses, serverName } from "#server/database/postgres/leftovers.ts";

/** A process and all below it; Linux alone. */
export async function familyOf(pid: number): Promise<number[]> {
  const found = [pid];
  for (let index = 0; index < found.length; index += 1) {
    const path = `/proc/${found[index]}/task/${found[index]}/children`;
    const children = await readFile(path, "utf8").catch(() => "");
    found.push(...children.split(" ").filter(Boolean).map(Number));
  }
  return found;
}

/** Sends a signal to each process; one that ended since it was found is passed over. */
export function signalAll(pids: Iterable<number>, signal: "SIGKILL" | "SIGSTOP" | "SIGCONT"): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (failure) {
      if ((failure as NodeJS.ErrnoException).code !== "ESRCH") throw failure;
    }
  }
}

/** Ends everything that this process has started, and the database of a data folder, as a machine without power does. */
export async function endAll(dataDir: string): Promise<void> {
  for (;;) {
    const family = (await familyOf(process.pid)).filter((pid) => pid !== process.pid);
    const database = (await findProcesses(serverName(dataDir))).map(({ pid }) => pid);
    const pids = new Set([...family, ...database]);
    if (pids.size === 0) return;
    signalAll(pids, "SIGKILL");
    await pause(10);
  }
}
