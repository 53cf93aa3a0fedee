import { readdir, readFile, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { writeDurably } from "./durable-file.ts";
import { StartError } from "./start-error.ts";

/** The version of PostgreSQL that PGlite is; its files cannot be read by another. */
const postgresVersion = "17";

/**
 * Looks at the folder of the built-in database before it is opened: a new one is marked until it is whole, so that a
 * first start that was cut off begins anew; what is not ours is left alone.
 * @returns whether the database will be new, and what to call when it is open
 * @throws StartError when the folder holds something else
 */
export async function prepareDatabaseFolder(
  folder: string,
): Promise<{ made: boolean; isWhole: () => Promise<void> }> {
  const mark = join(dirname(folder), "database.making");
  if (await stat(mark).catch(() => null)) await rm(folder, { recursive: true, force: true });
  const found = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw new StartError(`${folder} cannot be read (${error.code})`);
  });
  if (found.length === 0) {
    await writeDurably(mark, "");
    return { made: true, isWhole: () => rm(mark, { force: true }) };
  }
  const version = await readFile(join(folder, "PG_VERSION"), "utf8").catch(() => null);
  if (version === null) {
    throw new StartError(`${folder} holds no database but ${found[0]}: move that elsewhere, or set DATA_DIR`);
  }
  if (version.trim() !== postgresVersion) {
    throw new StartError(
      `The database in ${folder} is of PostgreSQL ${version.trim().slice(0, 20)}, this shop reads ${postgresVersion}: restore a backup`,
    );
  }
  return { made: false, isWhole: async () => {} };
}
