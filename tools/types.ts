import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generateTypes } from "#tests/support/types.ts";

/**
 * `npm run types` writes shared/calls/database.types.ts from the migrations, applied to an empty database; with --check it
 * only reports whether the file is up to date.
 */
const file = join(import.meta.dirname, "../shared/calls/database.types.ts");
const types = await generateTypes();
if (process.argv.includes("--check")) {
  if (readFileSync(file, "utf8") !== types) {
    console.error("shared/calls/database.types.ts differs from the migrations: npm run types");
    process.exitCode = 1;
  }
} else {
  writeFileSync(file, types);
}
