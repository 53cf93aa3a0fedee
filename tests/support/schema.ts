import { execFileSync } from "node:child_process";
import { globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");
const migrationsFolder = join(root, "supabase/migrations");

/** One file of SQL: in supabase/schema with its path from the project's root, in supabase/migrations with its name. */
export type SqlFile = { path: string; text: string };

/** The schema's files in the order of their numbers, which is the order in which they run. */
export function readSchema(): SqlFile[] {
  const paths = globSync("supabase/schema/*/*.sql", { cwd: root }).map((path) => path.replaceAll("\\", "/"));
  return paths
    .sort((a, b) => a.localeCompare(b, "en", { numeric: true }))
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
}

/** The migrations in the order in which they are applied. */
export const readMigrations = (): SqlFile[] =>
  readdirSync(migrationsFolder)
    .filter((path) => path.endsWith(".sql"))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(migrationsFolder, path), "utf8") }));

/** Functions may name what a later file creates. */
const preamble = "set local check_function_bodies = off;\n";

/** Everything that supabase/schema creates, as one text. */
export const buildSchema = (): string =>
  [preamble, ...readSchema().map(({ path, text }) => `-- ${path}\n\n${text}`)].join("\n");

/** The parts of a migration by the schema's files from which it was built; one that is written by hand is one part. */
export function partsOf({ path, text }: SqlFile): SqlFile[] {
  const [start = "", ...parts] = text.split(/^-- (?=supabase\/schema\/\S+\.sql$)/m);
  return [
    { path, text: start },
    ...parts.map((part) => ({ path: part.slice(0, part.indexOf("\n")), text: `-- ${part}` })),
  ];
}

/**
 * The migrations that were changed, renamed or deleted after they had been committed, or come before one that was. A shop
 * that has applied a migration refuses another text of it.
 * @param folder a repository
 * @param release the commit from which on migrations only grow
 * @throws Error when the repository's history doesn't have that commit
 */
export function findMigrationFaults(folder: string, release: string): string[] {
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] })
      .split("\n")
      .filter(Boolean);
  const migrations = ["--no-renames", "--name-only", "--", "supabase/migrations"];
  const changed = new Set([
    ...git("log", "--format=", "--diff-filter=MDT", `${release}..HEAD`, ...migrations),
    ...git("diff", "--diff-filter=MDT", "HEAD", ...migrations),
  ]);
  const last = git("ls-tree", "-r", "--name-only", release, "supabase/migrations").sort().at(-1) ?? "";
  const added = git("ls-files", "--cached", "--others", "--exclude-standard", "supabase/migrations");
  return [
    ...[...changed].map(
      (path) => `${path} was changed after it had been committed: undo that, and add a migration`,
    ),
    ...added
      .filter((path) => path < last)
      .map((path) => `${path} comes before ${last}, which is released: give it a later number`),
  ];
}
