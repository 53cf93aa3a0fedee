import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { StartError } from "../shared/start-error.ts";
import { tryLock } from "./kernel-lock.ts";
import { socketPath } from "./socket-path.ts";

const lockFile = (dataDir: string) => join(dataDir, "backend.lock");

/**
 * The process id that the holder wrote into the lock, for display only: in another container it belongs to another
 * process.
 */
function readHolder(dataDir: string): string {
  try {
    return ` by process ${JSON.parse(readFileSync(lockFile(dataDir), "utf8")).pid}`;
  } catch {
    return ""; // The holder has since ended, or has not written it yet.
  }
}

const answers = (path: string) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(path, () => resolve(true));
    socket.once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });

/** Whether a process, in this container or another, holds the folder now. */
export async function isInUse(dataDir: string): Promise<boolean> {
  if (!statSync(lockFile(dataDir), { throwIfNoEntry: false })) return false;
  const lock = await tryLock(lockFile(dataDir));
  lock?.close();
  return lock === null;
}

/**
 * A backend whose web process has ended notices and stops listening: within milliseconds, later on a machine that is
 * busy.
 */
const noticeMs = 3_000;
/** A holder that does not respond is starting or shutting down, and worth waiting for. */
const closingMs = 15_000;

/**
 * Locks the folder for this process; two processes in one folder would silently lose rows.
 * @returns the function that releases it
 * @throws StartError when another process holds it
 */
export async function takeLock(dataDir: string): Promise<() => Promise<void>> {
  const startedAt = Date.now();
  for (;;) {
    const lock = await tryLock(lockFile(dataDir));
    if (lock) {
      try {
        writeFileSync(lockFile(dataDir), JSON.stringify({ pid: process.pid }), { mode: 0o600 });
      } catch (error) {
        lock.close();
        throw error;
      }
      return async () => {
        try {
          // While it is still locked: a process that opened it before notices that it was deleted (see tryLock).
          rmSync(lockFile(dataDir), { force: true });
        } finally {
          lock.close();
        }
      };
    }
    const waitedMs = Date.now() - startedAt;
    if (waitedMs > closingMs || (waitedMs > noticeMs && (await answers(socketPath(dataDir))))) {
      throw new StartError(`The data folder ${dataDir} is in use${readHolder(dataDir)}`);
    }
    await pause(100);
  }
}
