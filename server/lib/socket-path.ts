import { createHash } from "node:crypto";
import { lstat, mkdir } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { dirname, join } from "node:path";
import { StartError } from "./start-error.ts";

/** Unix allows 104 to 108 bytes, the closing zero included. */
const longest = 100;

/** Whether a path is too long for a socket. */
export const isTooLong = (path: string) => Buffer.byteLength(path) > longest;

const idOf = (dataDir: string) => createHash("sha256").update(dataDir).digest("hex").slice(0, 12);

/** Where the sockets of a data folder are if its own path is too long. */
export const fallbackSocketFolder = (dataDir: string) =>
  join(tmpdir(), `shop-${userInfo().uid}-${idOf(dataDir)}`);

/** Where the backend of a data folder listens; the same in every process. */
export function socketPath(dataDir: string): string {
  if (process.platform === "win32") return `\\\\.\\pipe\\shop-${idOf(dataDir)}`;
  const inside = join(dataDir, "backend.sock");
  return isTooLong(inside) ? join(fallbackSocketFolder(dataDir), "s") : inside;
}

/** Creates a folder in the system's temporary one that only its owner may list or change. */
export async function makePrivateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const found = await lstat(folder);
  if (!found.isDirectory() || found.uid !== userInfo().uid || (found.mode & 0o066) !== 0) {
    throw new StartError(`The folder ${folder} belongs to another user: set TMPDIR or a shorter DATA_DIR`);
  }
}

/** Creates the folder of the backend's socket if it is outside the data folder. */
export async function ensureSocketFolder(path: string, dataDir: string): Promise<void> {
  if (process.platform === "win32" || path.startsWith(dataDir)) return;
  await makePrivateFolder(dirname(path));
}
