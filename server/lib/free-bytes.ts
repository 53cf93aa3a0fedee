import { statfs } from "node:fs/promises";

/** Free bytes on the disk of a folder; some network drives do not report them. */
export async function freeBytes(folder: string): Promise<number> {
  const { blocks, bavail, bsize } = await statfs(folder);
  return blocks === 0 ? Number.POSITIVE_INFINITY : bavail * bsize;
}
