import { copyFile, glob, mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { freeBytes } from "./shared/free-bytes.ts";

/** The folders of a build whose file names change with their content, as in URLs. */
export const hashedParts = ["assets", "pictures", "fonts"];

/** Builds whose files are kept, the current one included. */
const KEPT_BUILDS = 6;

/** Reserved for the database: orders matter more than pages that are open during an update. */
const SPARE_BYTES = 256 * 1024 * 1024;

/** Where the files of all kept builds are, under the paths of their addresses. */
export const keptFiles = (dataDir: string) => join(dataDir, "releases", "files");

/**
 * Keeps a build's files in the data folder beside those of the builds before it. A page that was opened before an update may
 * ask for its code, a picture or a font long after the update. A list per build says which files are still wanted.
 * @param build names the build
 * @param client its folder of files for browsers
 * @throws Error on a disk that is nearly full
 */
export async function keepRelease(
  dataDir: string,
  build: string,
  client: string,
  measure = freeBytes,
): Promise<void> {
  const files = keptFiles(dataDir);
  await mkdir(files, { recursive: true, mode: 0o700 });
  if ((await measure(files)) < SPARE_BYTES) throw new Error("the disk is nearly full");
  const names: string[] = [];
  for await (const entry of glob(`{${hashedParts.join()}}/**/*`, { cwd: client, withFileTypes: true }))
    if (entry.isFile()) names.push(join(entry.parentPath, entry.name).slice(client.length + 1));
  for (const name of names) await keepFile(join(client, name), join(files, name));
  await writeFile(join(dataDir, "releases", `${build}.json`), JSON.stringify(names));
  await dropOldest(dataDir);
}

/** A half-written copy must never be served, so a file gets its name when it is complete. */
async function keepFile(from: string, to: string): Promise<void> {
  if (await stat(to).catch(() => null)) return;
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  await copyFile(from, `${to}.part`);
  await rename(`${to}.part`, to);
}

async function dropOldest(dataDir: string): Promise<void> {
  const folder = join(dataDir, "releases");
  const lists = (await readdir(folder)).filter((name) => name.endsWith(".json"));
  const dated = await Promise.all(
    lists.map(async (name) => ({ name, at: (await stat(join(folder, name))).mtimeMs })),
  );
  const newestFirst = dated.sort((a, b) => b.at - a.at).map(({ name }) => name);
  for (const name of newestFirst.slice(KEPT_BUILDS)) await rm(join(folder, name), { force: true });
  const wanted = new Set<string>();
  for (const name of newestFirst.slice(0, KEPT_BUILDS))
    for (const file of JSON.parse(await readFile(join(folder, name), "utf8")) as string[]) wanted.add(file);
  const files = keptFiles(dataDir);
  for await (const entry of glob("**/*", { cwd: files, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && !wanted.has(path.slice(files.length + 1))) await rm(path, { force: true });
  }
}
