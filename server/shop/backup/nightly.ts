import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { backupsFolder } from "../../lib/backups-folder.ts";
import { reasonOf } from "../../lib/disk-full.ts";
import type { Manifest } from "./backup-file.ts";

const maxBackups = 14;
const hour = 3;
const lookEveryMs = 10 * 60 * 1000;
const ending = ".jsonl.gz";

/** Why a backup was made: the nightly run, a command, or a new version about to change the database. */
type Kind = "nightly" | "backup" | "before-migrating";

/** `nightly-2026-11-20T03-00-12Z.jsonl.gz`: names sort by time. */
function fileName(kind: Kind, now: Date): string {
  return `${kind}-${now.toISOString().slice(0, 19).replaceAll(":", "-")}Z${ending}`;
}

/** The most recent time of a nightly backup, in the machine's own time zone. */
export function lastNight(now: Date): Date {
  const night = new Date(now);
  night.setHours(hour, 0, 0, 0);
  if (night > now) night.setDate(night.getDate() - 1);
  return night;
}

async function listNightly(dataDir: string): Promise<string[]> {
  const names = await readdir(backupsFolder(dataDir)).catch(() => []);
  return names.filter((name) => name.startsWith("nightly-") && name.endsWith(ending)).sort();
}

const timeOf = async (path: string) => (await stat(path).catch(() => null))?.mtime ?? null;

export type Backups = {
  /** Makes a backup now; returns its path and contents. */
  make: (kind: Kind) => Promise<{ path: string; manifest: Manifest }>;
  /** Makes the nightly backup unless it exists, and deletes all but the last 14. */
  makeIfDue: (now: Date) => Promise<boolean>;
};

/**
 * The backups of one shop, one at a time.
 * @param makeBackup writes one to a path
 */
export function keepBackups(dataDir: string, makeBackup: (path: string) => Promise<Manifest>): Backups {
  let latest: Promise<unknown> = Promise.resolve();
  const oneAtATime = <Result>(work: () => Promise<Result>) => {
    const result = latest.then(work, work);
    latest = result.catch(() => {});
    return result;
  };
  const write = (kind: Kind, now: Date) =>
    oneAtATime(async () => {
      const path = join(backupsFolder(dataDir), fileName(kind, now));
      return { path, manifest: await makeBackup(path) };
    });
  return {
    make: (kind) => write(kind, new Date()),
    makeIfDue: async (now) => {
      const last = (await listNightly(dataDir)).at(-1);
      // A shop created since then needs no backup of last night; its keys are as old as the shop.
      const since = await timeOf(last ? join(backupsFolder(dataDir), last) : join(dataDir, "secrets.json"));
      if (!since || since >= lastNight(now)) return false;
      await write("nightly", now);
      const names = await listNightly(dataDir);
      for (const name of names.slice(0, -maxBackups))
        await rm(join(backupsFolder(dataDir), name), { force: true });
      return true;
    },
  };
}

/**
 * Makes a backup every night, or soon after the next start when the machine was off. Of several machines, the one that leads makes it, in
 * its own folder: one that takes over has then a backup of the last night too.
 * @returns the function that stops it
 */
export function startNightly(
  backups: Backups,
  log: (line: string) => void,
  leads: () => boolean = () => true,
): () => Promise<void> {
  let working: Promise<unknown> = Promise.resolve();
  let lastMessage = "";
  const look = () => {
    if (!leads()) return;
    working = backups.makeIfDue(new Date()).then(
      () => {
        lastMessage = "";
      },
      (error) => {
        const reason = reasonOf(error);
        if (lastMessage !== reason) log(`the night's backup failed (${reason}); retrying every 10 minutes`);
        lastMessage = reason;
      },
    );
  };
  const timer = setInterval(look, lookEveryMs);
  timer.unref();
  const first = setTimeout(look, 60_000);
  first.unref();
  return async () => {
    clearTimeout(first);
    clearInterval(timer);
    await working;
  };
}
