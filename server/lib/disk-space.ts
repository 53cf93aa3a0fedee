import { freeBytes } from "./free-bytes.ts";
import { StartError } from "./start-error.ts";

/** A database that fills the disk while starting cannot be read either; its log grows in steps of 16 MB. */
const neededBytes = 48 * 1024 * 1024;

/** @throws StartError when the disk of the data folder is nearly full */
export async function refuseFullDisk(dataDir: string, measure = freeBytes): Promise<void> {
  const free = await measure(dataDir);
  if (free >= neededBytes) return;
  const megabytes = (bytes: number) => `${Math.floor(bytes / 1024 / 1024)} MB`;
  throw new StartError(
    `The disk of ${dataDir} is full: ${megabytes(free)} are free, ${megabytes(neededBytes)} are needed`,
  );
}
