import { writeFileSync } from "node:fs";
import {
  buildSchema,
  builtFile,
  findMigrationFaults,
  hashOf,
  isBuilt,
  readMigrations,
  readReleased,
  releasedFile,
} from "#tests/support/schema.ts";
import { findSchemaDifferences } from "#tests/support/schema-differences.ts";

/**
 * `npm run schema` builds the first migration from supabase/schema. Once that is released, it reports where the two differ:
 * a change is then a further migration, and the same change in supabase/schema. With --release it lists every migration as
 * released, from when on none of them may change.
 */
const released = readReleased();
if (isBuilt(released)) writeFileSync(builtFile, buildSchema());
const migrations = readMigrations();
const faults = findMigrationFaults({ released, migrations, built: buildSchema() });
if (!isBuilt(released) && faults.length === 0) faults.push(...(await findSchemaDifferences()));
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
else if (process.argv.includes("--release")) {
  const hashes = Object.fromEntries(migrations.map(({ path, text }) => [path, hashOf(text)]));
  writeFileSync(releasedFile, `${JSON.stringify(hashes, null, 2)}\n`);
}
