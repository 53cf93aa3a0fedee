import { statfs } from "node:fs/promises";
import { StartError } from "../shared/start-error.ts";

/** A database that fills the disk while it starts cannot be read either; only its log grows in steps of 16 MB. */
const neededBytes = 48 * 1024 * 1024;

/** Free bytes on the disk of a folder; some network drives do not say. */
async function freeBytes(folder: string): Promise<number> {
  const { blocks, bavail, bsize } = await statfs(folder);
  return blocks === 0 ? Number.POSITIVE_INFINITY : bavail * bsize;
}

/** @throws StartError when the disk of the data folder is as good as full */
export async function refuseFullDisk(dataDir: string, measure = freeBytes): Promise<void> {
  const free = await measure(dataDir);
  if (free >= neededBytes) return;
  const megabytes = (bytes: number) => `${Math.floor(bytes / 1024 / 1024)} MB`;
  throw new StartError(
    `The disk of ${dataDir} is full: ${megabytes(free)} are free, ${megabytes(neededBytes)} are needed`,
  );
}
