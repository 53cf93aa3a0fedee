import { createHash } from "node:crypto";
import { globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");
const migrationsFolder = join(root, "supabase/migrations");

/** The first migration, built from supabase/schema until it is released. */
const FIRST_MIGRATION = "20261123000000_first_release.sql";
export const builtFile = join(migrationsFolder, FIRST_MIGRATION);

/**
 * The released migrations, each with the hash of its text: none of them may change. Empty until the first release;
 * `npm run schema -- --release` lists all that there are.
 */
export const releasedFile = join(root, "supabase/released.json");

/** One file of SQL: in supabase/schema with its path from the project's root, in supabase/migrations with its name. */
export type SqlFile = { path: string; text: string };

/** Hashes of released migrations, by file name. */
export type Released = Readonly<Record<string, string>>;

export const readReleased = (): Released => JSON.parse(readFileSync(releasedFile, "utf8"));

/** Whether the schema is still edited in place and the first migration built from it. */
export const isBuilt = (released: Released): boolean => Object.keys(released).length === 0;

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

const preamble = `-- Built from supabase/schema by "npm run schema". Don't edit this file: change the schema and build it again.

-- Functions may name what a later file creates.
set local check_function_bodies = off;
`;

/** The text of the first migration. */
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

export const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

type Texts = { released: Released; migrations: readonly SqlFile[]; built: string };

/**
 * What is wrong with the texts of the migrations. Before the first release there is one, and it is what the schema's
 * files are; from then on, released ones never change and new ones come after them.
 */
export function findMigrationFaults({ released, migrations, built }: Texts): string[] {
  if (isBuilt(released)) {
    const [first, ...others] = migrations;
    if (first?.text !== built)
      return ["supabase/schema was changed, but not supabase/migrations: npm run schema"];
    return others.map(({ path }) => `${path} comes before the first release: change supabase/schema instead`);
  }
  const last = Object.keys(released).sort().at(-1) ?? "";
  const hashes = new Map(migrations.map(({ path, text }) => [path, hashOf(text)]));
  return [
    ...Object.entries(released)
      .filter(([path, hash]) => hashes.get(path) !== hash)
      .map(
        ([path]) =>
          `${path} is released and was ${hashes.has(path) ? "changed" : "deleted"}: undo that, and add a migration`,
      ),
    ...migrations
      .filter(({ path }) => !Object.hasOwn(released, path) && path < last)
      .map(({ path }) => `${path} comes before ${last}, which is released: give it a later number`),
  ];
}

/** @throws when a test would not see a change of the schema, or a released migration has changed */
export function requireSoundMigrations(): void {
  const faults = findMigrationFaults({
    released: readReleased(),
    migrations: readMigrations(),
    built: buildSchema(),
  });
  if (faults.length > 0) throw new Error(faults.join("\n"));
}
