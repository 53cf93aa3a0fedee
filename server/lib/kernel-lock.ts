import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { closeSync, fstatSync, openSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { StartError } from "./start-error.ts";

/**
 * A file locked by this process. The kernel releases the lock when the last process holding the descriptor ends, in
 * whatever way, and until then refuses it to every other process of the machine, in any container.
 */
export type LockedFile = {
  /** Children that inherit it hold the lock too; null on Windows. */
  fd: number | null;
  close: () => void;
};

/** Node cannot lock a file, but another program can do it on the same open file. */
const programs: [string, ...string[]][] = [
  ["flock", "-n", "3"],
  ["perl", "-e", "open my $file, '<&=', 3 or die; exit !flock $file, 6"],
];

/** Locks an open file; false when another process has locked it. */
function lockDescriptor(fd: number): boolean {
  const env = { PATH: process.env.PATH ?? "/usr/bin:/bin" };
  for (const [program, ...args] of programs) {
    const { status, error } = spawnSync(program, args, { env, stdio: ["ignore", "ignore", "ignore", fd] });
    if (status === 0) return true;
    if (status === 1) return false;
    if ((error as NodeJS.ErrnoException | undefined)?.code !== "ENOENT")
      throw new StartError(`Files cannot be locked (${program}: ${status ?? error?.message})`);
  }
  throw new StartError("Files cannot be locked: install flock (package util-linux) or perl");
}

/** Windows has no such locks, but a named pipe can have only one server, and disappears with it. */
async function lockPipe(path: string): Promise<LockedFile | null> {
  const id = createHash("sha256").update(path).digest("hex").slice(0, 16);
  const server = createServer();
  const listens = await new Promise<boolean>((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(`\\\\.\\pipe\\shop-lock-${id}`, () => resolve(true));
  });
  return listens ? { fd: null, close: () => void server.unref().close() } : null;
}

/** Locks a file, creating it if missing; null when another process has locked it. */
export async function tryLock(path: string): Promise<LockedFile | null> {
  if (process.platform === "win32") return lockPipe(path);
  for (;;) {
    const fd = openSync(path, "a+", 0o600);
    let locked = false;
    try {
      locked = lockDescriptor(fd);
      if (!locked) return null;
      const there = statSync(path, { throwIfNoEntry: false });
      const ours = fstatSync(fd);
      if (there?.ino === ours.ino && there.dev === ours.dev) return { fd, close: () => closeSync(fd) };
      locked = false; // The holder removed it after we opened it.
    } finally {
      if (!locked) closeSync(fd);
    }
  }
}
