import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { tryLock } from "./kernel-lock.ts";
import { socketPath } from "./socket-path.ts";
import { StartError } from "./start-error.ts";

const lockFile = (dataDir: string) => join(dataDir, "backend.lock");

type Holder = { pid?: number; isStopping?: boolean };

/**
 * What the holder wrote into the lock. Its process id is for display only: in another container it belongs to another process.
 */
function readHolder(dataDir: string): Holder {
  try {
    return JSON.parse(readFileSync(lockFile(dataDir), "utf8")) as Holder;
  } catch {
    return {}; // The holder has since ended, or has not written it yet.
  }
}

const writeHolder = (dataDir: string, holder: Holder) =>
  writeFileSync(lockFile(dataDir), JSON.stringify(holder), { mode: 0o600 });

/** Called by the holder when it begins to stop: it still finishes running requests, and is worth waiting for. */
export function noteStopping(dataDir: string): void {
  try {
    writeHolder(dataDir, { pid: process.pid, isStopping: true });
  } catch {
    // A full disk must not keep the shop from stopping.
  }
}

const isListening = (path: string) =>
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

/** A shop whose watching process has ended notices and says that it is stopping: within milliseconds, later on a busy machine. */
const noticeMs = 3_000;
/** A holder that does not respond is starting or shutting down, and worth waiting for. */
const closingMs = 15_000;
/** One that says so may still have much to answer. */
const stoppingMs = 30_000;

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
        writeHolder(dataDir, { pid: process.pid });
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
    const { pid, isStopping } = readHolder(dataDir);
    const isOver = isStopping
      ? waitedMs > stoppingMs
      : waitedMs > closingMs || (waitedMs > noticeMs && (await isListening(socketPath(dataDir))));
    if (isOver)
      throw new StartError(`The data folder ${dataDir} is in use${pid ? ` by process ${pid}` : ""}`);
    await pause(100);
  }
}
