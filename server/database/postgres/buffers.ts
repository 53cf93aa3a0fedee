import { readdir, stat } from "node:fs/promises";
import { totalmem } from "node:os";
import { join } from "node:path";

const MB = 2 ** 20;
const smallestMb = 32;

/** Enough for a small shop, and for a machine that refuses more. */
export const smallestBuffers = `${smallestMb}MB`;

/** Bytes of the tables and indexes in a database's folder. */
async function databaseBytes(folder: string): Promise<number> {
  const base = join(folder, "base");
  const names = await readdir(base, { recursive: true }).catch(() => []);
  // Temporary files come and go.
  const sizes = names.map((name) =>
    stat(join(base, name)).then(
      (one) => (one.isFile() ? one.size : 0),
      () => 0,
    ),
  );
  return (await Promise.all(sizes)).reduce((all, size) => all + size, 0);
}

/** The machine's memory, or the container's. */
const memoryBytes = () => Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);

/**
 * The shared_buffers for a database of this size: half of it, so that a search in a large catalogue need not fetch each page from the
 * operating system, but at least 32 MB and at most an eighth of the memory. They take
 * memory only as they are filled.
 */
export const buffersFor = (database: number, memory: number) =>
  `${Math.max(smallestMb, Math.floor(Math.min(database / 2, memory / 8) / MB))}MB`;

/** The shared_buffers for the database in this folder, on this machine. */
export const readBuffers = async (folder: string) => buffersFor(await databaseBytes(folder), memoryBytes());
