import { randomUUID } from "node:crypto";
import { copyFile, glob, mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { freeBytes } from "../lib/free-bytes.ts";

/** The folders of a build whose file names change with their content, as in URLs. */
export const hashedParts = ["assets", "pictures", "fonts"];

/** Builds whose files are stored, the current one included. */
const STORED_BUILDS = 6;

/** Reserved for the database: orders matter more than pages that are open during an update. */
const SPARE_BYTES = 256 * 1024 * 1024;

/** Where the files of all stored builds are, under the paths of their URLs. */
export const releaseFiles = (dataDir: string) => join(dataDir, "releases", "files");

/**
 * Creates the folder before the site looks for it: another process may put a newer build's files into it. The shop
 * works without it.
 */
export const makeReleaseFolder = (dataDir: string) =>
  mkdir(releaseFiles(dataDir), { recursive: true, mode: 0o700 }).catch(() => undefined);

/**
 * Stores a build's files in the data folder beside those of earlier builds. A page opened before an update may request
 * its code, a picture or a font long afterwards. A list per build names the files still needed. Web processes that
 * share the folder may do this concurrently.
 * @param build names the build
 * @param client its folder of files for browsers
 * @throws Error on a disk that is nearly full
 */
export async function storeRelease(
  dataDir: string,
  build: string,
  client: string,
  measure = freeBytes,
): Promise<void> {
  const files = releaseFiles(dataDir);
  await mkdir(files, { recursive: true, mode: 0o700 });
  if ((await measure(files)) < SPARE_BYTES) throw new Error("the disk is nearly full");
  const names: string[] = [];
  for await (const entry of glob(`{${hashedParts.join()}}/**/*`, { cwd: client, withFileTypes: true }))
    if (entry.isFile()) names.push(join(entry.parentPath, entry.name).slice(client.length + 1));
  const folder = join(dataDir, "releases");
  // The list first: other processes delete files that no list names.
  await putWhole(folder, join(folder, `${build}.json`), (part) => writeFile(part, JSON.stringify(names)));
  for (const name of names) {
    const stored = join(files, name);
    if (await stat(stored).catch(() => null)) continue;
    await mkdir(dirname(stored), { recursive: true, mode: 0o700 });
    await putWhole(folder, stored, (part) => copyFile(join(client, name), part));
  }
  await dropOldest(dataDir);
}

/** Renames a file into place when it is complete, so that no one reads or serves half of it. */
async function putWhole(folder: string, file: string, write: (part: string) => Promise<void>): Promise<void> {
  const part = join(folder, `${randomUUID()}.part`);
  await write(part);
  await rename(part, file);
}

/** An incomplete file older than this was left behind by a killed process. */
const PART_MS = 3_600_000;

async function dropOldest(dataDir: string): Promise<void> {
  const folder = join(dataDir, "releases");
  const found = await Promise.all(
    (await readdir(folder)).map(async (name) => ({
      name,
      // Another process may have renamed it since.
      at: (await stat(join(folder, name)).catch(() => null))?.mtimeMs ?? Date.now(),
    })),
  );
  const lists = found.filter(({ name }) => name.endsWith(".json"));
  const newestFirst = lists.sort((a, b) => b.at - a.at).map(({ name }) => name);
  const parts = found.filter(({ name, at }) => name.endsWith(".part") && Date.now() - at > PART_MS);
  for (const name of [...newestFirst.slice(STORED_BUILDS), ...parts.map((part) => part.name)])
    await rm(join(folder, name), { force: true });
  const needed = new Set<string>();
  for (const name of newestFirst.slice(0, STORED_BUILDS))
    for (const file of JSON.parse(await readFile(join(folder, name), "utf8")) as string[]) needed.add(file);
  const files = releaseFiles(dataDir);
  for await (const entry of glob("**/*", { cwd: files, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && !needed.has(path.slice(files.length + 1))) await rm(path, { force: true });
  }
}
