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

/** PostgreSQL's code for a temporary file that is larger than temp_file_limit. */
const TOO_LARGE = "53400";

const lookWhileFullMs = 10_000;
const stopTimeoutMs = 1_000;
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

/** A disk that the shop cannot do without. */
export type Disk = {
  /** For the log. */
  name: string;
  /** Writes more than a full disk still takes, and removes it again. */
  write: () => Promise<void>;
  /** How often it is looked at while it has room. */
  lookEveryMs: number;
};

export const diskOf = (folder: string): Disk => ({
  name: `the disk of ${folder}`,
  write: () => writeProbe(folder),
  lookEveryMs: 10_000,
});

export type DiskCheck = {
  /** Whether the disk has room. A call checks again if half of the interval has passed. */
  hasRoom: () => Promise<boolean>;
  stop: () => Promise<void>;
};

/**
 * Looks as often as the disk asks for, every ten seconds while it is full, and whenever it is asked, whether it takes what is written,
 * and logs when that changes: on a full disk reads succeed, while orders and sign-ins fail.
 * @param log receives one line when the disk is full, and one when there is room again
 */
export function watchDisk(
  { name, write, lookEveryMs }: Disk,
  log: (line: string) => void,
  now = Date.now,
): DiskCheck {
  let checkedAt = Number.NEGATIVE_INFINITY;
  let latest = Promise.resolve(true);
  let isChecking = false;
  let isFull = false;
  let isRefused = false;

  async function check(): Promise<boolean> {
    const wasFull = isFull;
    isFull = await write().then(
      () => false,
      (error) => {
        const code = String(factsOf(error).code);
        if (code === TOO_LARGE && !isRefused) {
          isRefused = true;
          log(
            `cannot check whether ${name} is full: the server's temp_file_limit is too small (${code}). Set it to at least 1MB`,
          );
        }
        // Another failure says nothing about the disk.
        return code in fullCodes || wasFull;
      },
    );
    if (isFull && !wasFull)
      log(
        `${name} is full: orders, sign-ins and backups fail until there is room. Delete what is not needed or enlarge it; the shop continues by itself`,
      );
    if (wasFull && !isFull) log(`${name} has room again`);
    return !isFull;
  }

  /** On a disk that has stalled, a check may never end. */
  function look(afterMs: number): Promise<boolean> {
    if (isChecking || now() - checkedAt < afterMs) return latest;
    checkedAt = now();
    isChecking = true;
    latest = check().finally(() => {
      isChecking = false;
    });
    return latest;
  }

  const everyMs = () => (isFull ? lookWhileFullMs : lookEveryMs);
  // A check up to half an interval early is fine, because timers run late.
  const timer = setInterval(() => void look(everyMs() - lookWhileFullMs / 2), lookWhileFullMs);
  timer.unref();
  return {
    hasRoom: () => look(everyMs() / 2),
    stop: async () => {
      clearInterval(timer);
      checkedAt = Number.POSITIVE_INFINITY;
      const timeout = Promise.withResolvers<void>();
      const giveUp = setTimeout(timeout.resolve, stopTimeoutMs);
      await Promise.race([latest, timeout.promise]);
      clearTimeout(giveUp);
    },
  };
}
