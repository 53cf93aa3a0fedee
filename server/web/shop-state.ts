import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Backend } from "../api/backend.ts";
import { backupsFolder } from "../lib/backups-folder.ts";
import { freeBytes } from "../lib/free-bytes.ts";

/** What the owner wants to be woken for; what can't be known now is null. */
export type ShopState = {
  work: {
    emailsWaiting: number;
    /** Seconds since the oldest waiting email was written. */
    emailWaits: number;
    /** Given up in the last 7 days, and not sent again. */
    emailsUnsent: number;
    paymentsToDecide: number;
  } | null;
  /** When the newest backup in the data folder was made, in seconds since 1970. */
  backupAt: number | null;
  /** Of the data folder's disk. */
  freeBytes: number | null;
};

type OpenWork = {
  emails_waiting: number;
  email_waits: number;
  emails_unsent: number;
  payments_to_decide: number;
};

/** Reads it now. A hosted project without the secret key says nothing of its work; its backups and its disk are its own. */
export async function readShopState(
  { kind, call }: Pick<Backend, "kind" | "call">,
  dataDir: string,
): Promise<ShopState> {
  const isHere = kind === "embedded";
  const [rows, backupAt, free] = await Promise.all([
    call?.("count_open_work", {}).catch(() => null) as Promise<OpenWork[] | null> | undefined,
    isHere ? newestBackup(dataDir) : null,
    isHere ? freeBytes(dataDir).catch(() => null) : null,
  ]);
  const [row] = rows ?? [];
  return {
    work: row
      ? {
          emailsWaiting: row.emails_waiting,
          emailWaits: row.email_waits,
          emailsUnsent: row.emails_unsent,
          paymentsToDecide: row.payments_to_decide,
        }
      : null,
    backupAt,
    freeBytes: free !== null && Number.isFinite(free) ? free : null,
  };
}

async function newestBackup(dataDir: string): Promise<number | null> {
  const folder = backupsFolder(dataDir);
  const names = await readdir(folder).catch(() => []);
  const times = await Promise.all(
    names
      .filter((name) => name.endsWith(".jsonl.gz"))
      .map((name) =>
        stat(join(folder, name)).then(
          ({ mtimeMs }) => mtimeMs / 1_000,
          () => 0,
        ),
      ),
  );
  return times.length === 0 ? null : Math.max(...times);
}
