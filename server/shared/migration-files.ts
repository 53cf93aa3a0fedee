import { readdir, readFile } from "node:fs/promises";

/** One file of supabase/migrations: `<version>_<name>.sql`. */
export type Migration = { version: string; name: string; text: string };

const migrationsFolder = new URL("../../supabase/migrations/", import.meta.url);

/** All migrations of a folder, in the order in which they apply. */
export async function listMigrations(folder: URL = migrationsFolder): Promise<Migration[]> {
  const files = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const named = files.flatMap((file) => {
    const match = /^(\d+)_(.+)\.sql$/.exec(file);
    return match ? [{ file, version: match[1] as string, name: match[2] as string }] : [];
  });
  named.sort((a, b) => a.version.localeCompare(b.version));
  return Promise.all(
    named.map(async ({ file, version, name }) => ({
      version,
      name,
      text: await readFile(new URL(file, folder), "utf8"),
    })),
  );
}
