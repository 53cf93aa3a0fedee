import { readFile, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { StartError } from "../../lib/start-error.ts";

/** The account that runs the database when the shop runs as root, which PostgreSQL refuses. */
export type Account = {
  uid: number;
  gid: number;
  /**
   * Folders above the database or the programs that this account may not enter, such as /root; only the topmost ones.
   */
  hidden: string[];
};

const isRoot = () => process.getuid?.() === 0;

async function findNobody(): Promise<{ uid: number; gid: number }> {
  const text = await readFile("/etc/passwd", "utf8").catch(() => "");
  const [, , uid, gid] = /^nobody:.*$/m.exec(text)?.[0].split(":") ?? [];
  if (!uid || !gid) {
    throw new StartError(
      'The shop runs as root and the user "nobody", who would run the database, does not exist: start the shop as another user, or set DATABASE_URL',
    );
  }
  return { uid: Number(uid), gid: Number(gid) };
}

/** The topmost parent of `folder` that other users may not enter; null if there is none. */
async function findHidden(folder: string): Promise<string | null> {
  const parents: string[] = [];
  for (let at = folder; at !== dirname(at); at = dirname(at)) parents.unshift(at);
  for (const parent of parents) {
    const { mode } = await stat(parent);
    if ((mode & 0o001) === 0) return parent;
  }
  return null;
}

/**
 * Finds the user who runs the database: null means the shop's own.
 * @param folders that this user must be able to reach
 * @throws StartError when the shop runs as root and no other user can
 */
export async function findAccount(folders: string[]): Promise<Account | null> {
  if (!isRoot()) return null;
  const found: string[] = [];
  for (const folder of folders) found.push((await findHidden(folder)) ?? "");
  const hidden = [...new Set(found)].filter(
    (one) => one && !found.some((other) => other && one.startsWith(`${other}/`)),
  );
  return { ...(await findNobody()), hidden };
}
