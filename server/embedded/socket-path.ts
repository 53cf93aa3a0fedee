import { createHash } from "node:crypto";
import { lstat, mkdir } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { dirname, join } from "node:path";
import { StartError } from "./start-error.ts";

/** Unix allows 104 to 108 bytes, the closing zero included. */
const longest = 100;

/** Where the backend of a data folder listens; the same answer in every process. */
export function socketPath(dataDir: string): string {
  const id = createHash("sha256").update(dataDir).digest("hex").slice(0, 12);
  if (process.platform === "win32") return `\\\\.\\pipe\\shop-${id}`;
  const inside = join(dataDir, "backend.sock");
  if (Buffer.byteLength(inside) <= longest) return inside;
  return join(tmpdir(), `shop-${userInfo().uid}-${id}`, "s");
}

/** Makes the folder of the socket where it lies outside the data folder; nobody else may enter it. */
export async function ensureSocketFolder(path: string, dataDir: string): Promise<void> {
  if (process.platform === "win32" || path.startsWith(dataDir)) return;
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const found = await lstat(folder);
  if (!found.isDirectory() || found.uid !== userInfo().uid || (found.mode & 0o077) !== 0) {
    throw new StartError(`The folder ${folder} belongs to somebody else: set TMPDIR or a shorter DATA_DIR`);
  }
}
