import { chmodSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Linux keeps what is written here in memory. */
const MEMORY = "/dev/shm";

/** Three times the most that a whole run has used there at any time. */
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
 * Creates a folder for the files of tests: hundreds of databases that live for seconds, whose files would cost more
 * processor time on a disk than the tests themselves. It is in memory if there is room, otherwise among the system's
 * temporary files.
 * @returns the folder, and the function that removes it with everything that interrupted tests left there
 */
export function openScratch(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(hasRoom(MEMORY) ? MEMORY : tmpdir(), "gate-"));
  // Like the system's own folder for such files: another user's shop has its data here too.
  chmodSync(folder, 0o1777);
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }) };
}
