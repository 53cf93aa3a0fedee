import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** PostgreSQL's code for a full disk is 53100; EDQUOT is a quota that is used up. */
const fullCodes: Record<string, string> = {
  "53100": "the database's disk is full",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk is full",
};

const factsOf = (thrown: unknown) => (thrown ?? {}) as { code?: unknown; name?: unknown };

/** Why something failed, for the log: in words when the disk is full, otherwise the error's code or name. */
export function reasonOf(thrown: unknown): string {
  const { code, name } = factsOf(thrown);
  const words = typeof code === "string" ? fullCodes[code] : undefined;
  if (words) return `${words} (${code})`;
  return String(code ?? name ?? "unknown");
}

const checkEveryMs = 5_000;
const lookEveryMs = 10_000;
/** More than a disk without room still takes into blocks that are begun. */
const probeBytes = 256 * 1024;

async function writeProbe(folder: string): Promise<void> {
  const path = join(folder, `disk-check.tmp`);
  try {
    await writeFile(path, Buffer.alloc(probeBytes));
  } finally {
    await rm(path, { force: true });
  }
}

export type DiskCheck = {
  /** Whether the disk takes what is written. Writes at most once every five seconds. */
  hasRoom: () => Promise<boolean>;
  stop: () => Promise<void>;
};

/**
 * Looks every ten seconds, and whenever it is asked, whether a folder's disk takes what is written, and logs when that
 * changes: on a full disk reads succeed, while orders and sign-ins fail.
 * @param log receives one line when the disk is full, and one when there is room again
 */
export function watchDisk(
  folder: string,
  log: (line: string) => void,
  { now = Date.now, write = writeProbe } = {},
): DiskCheck {
  let checkedAt = Number.NEGATIVE_INFINITY;
  let latest = Promise.resolve(true);
  let isFull = false;

  async function check(): Promise<boolean> {
    const wasFull = isFull;
    isFull = await write(folder).then(
      () => false,
      (error) => String(factsOf(error).code) in fullCodes,
    );
    if (isFull && !wasFull)
      log(
        `the disk of ${folder} is full: orders, sign-ins and backups fail until there is room. Delete what is not needed or enlarge it; the shop continues by itself`,
      );
    if (wasFull && !isFull) log(`the disk of ${folder} has room again`);
    return !isFull;
  }

  const hasRoom = () => {
    if (now() - checkedAt >= checkEveryMs) {
      checkedAt = now();
      latest = check();
    }
    return latest;
  };
  const timer = setInterval(hasRoom, lookEveryMs);
  timer.unref();
  return {
    hasRoom,
    stop: async () => {
      clearInterval(timer);
      checkedAt = Number.POSITIVE_INFINITY;
      await latest;
    },
  };
}
