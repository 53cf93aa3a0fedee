import { chmodSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Linux keeps what is written here in memory. */
const MEMORY = "/dev/shm";

/** Three times what a whole run has been seen to hold there at once. */
const NEEDED_BYTES = 3 * 1024 ** 3;

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= NEEDED_BYTES;
  } catch {
    return false;
  }
}

/**
 * Makes a folder for what the tests write: hundreds of databases of a few seconds each, whose files cost more processor
 * time on a disk than the tests themselves. In memory where there is room, else among the system's temporary files.
 * @returns the folder, and what removes it with all that interrupted tests have left there
 */
export function openScratch(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(hasRoom(MEMORY) ? MEMORY : tmpdir(), "gate-"));
  // As the system's own folder for such files: a shop of another user has its data here too.
  chmodSync(folder, 0o1777);
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }) };
}
