import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");

/** The first migration, built from supabase/schema. */
export const builtFile = join(root, "supabase/migrations/20261123000000_first_release.sql");

/** One file of supabase/schema, its path from the project's root. */
export type SchemaFile = { path: string; text: string };

/** The schema's files in the order of their numbers, which is the order in which they run. */
export function readSchema(): SchemaFile[] {
  const paths = globSync("supabase/schema/*/*.sql", { cwd: root }).map((path) => path.replaceAll("\\", "/"));
  return paths
    .sort((a, b) => a.localeCompare(b, "en", { numeric: true }))
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
}

const preamble = `-- Built from supabase/schema by "npm run schema". Don't edit this file: change the schema and build it again.

-- Functions may name what a later file creates.
set local check_function_bodies = off;
`;

/** The text of the first migration. */
export const buildSchema = (): string =>
  [preamble, ...readSchema().map(({ path, text }) => `-- ${path}\n\n${text}`)].join("\n");

/** @throws when the schema has changed since the migration was built, because tests would not see the change */
export function requireBuiltSchema(): void {
  if (readFileSync(builtFile, "utf8") !== buildSchema())
    throw new Error("supabase/schema was changed, but not supabase/migrations: npm run schema");
}
