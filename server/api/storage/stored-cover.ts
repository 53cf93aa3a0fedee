import { type FileName, fileKey, type StoredFile, type StoredFiles } from "./stored-files.ts";

/** A cover that staff uploaded, as it is now, with the sizes made from it. */
export type StoredCover = {
  /** Another one for other content. */
  id: string;
  /**
   * The original's content; null when it is missing.
   * @throws Error when the storage does not respond
   */
  read: () => Promise<Uint8Array | null>;
  /** What was written for a size; null before that. */
  openSize: (size: string, withContent: boolean) => Promise<StoredFile | null>;
  writeSize: (size: string, content: Uint8Array) => Promise<void>;
};

/**
 * Finds a cover by its name as it is in a URL; null when there is none.
 * @throws Refusal when it can't be looked up now
 */
export type FindCover = (
  rawName: string,
  clientIp: string,
  signal: AbortSignal,
) => Promise<StoredCover | null>;

/** The sizes are stored beside the original. */
export function storedCover(
  file: FileName,
  files: Pick<StoredFiles, "open" | "read" | "write">,
  read: StoredCover["read"] = () => files.read(file),
): StoredCover {
  return {
    id: fileKey(file),
    read,
    openSize: (size, withContent) => files.open({ ...file, size }, withContent),
    writeSize: (size, content) => files.write({ ...file, size }, content),
  };
}
