import { randomUUID } from "node:crypto";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/** Content that may come in pieces. */
export type Content = string | Uint8Array | AsyncIterable<Uint8Array>;

/** Makes the names in a folder survive a power cut. */
export async function flushFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return; // Windows cannot open folders.
  const handle = await open(folder, "r");
  await handle.sync().finally(() => handle.close());
}

/** Creates a folder and those above it, so that their names survive a power cut. */
export async function makeFolder(path: string, mode = 0o755): Promise<void> {
  const folder = resolve(path);
  const first = await mkdir(folder, { recursive: true, mode });
  if (!first) return;
  const above = [];
  for (let made = folder; made !== dirname(first); made = dirname(made)) above.unshift(dirname(made));
  for (const parent of above) await flushFolder(parent);
}

/**
 * Writes a file so that after a crash either all of it is there or nothing: temporary name, flush, rename.
 * @returns how many bytes were written
 */
export async function writeDurably(path: string, content: Content, mode = 0o644): Promise<number> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    const handle = await open(temporary, "wx", mode);
    let size: number;
    try {
      await handle.writeFile(content);
      await handle.sync();
      size = (await handle.stat()).size;
    } finally {
      await handle.close();
    }
    await rename(temporary, path);
    await flushFolder(dirname(path));
    return size;
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
