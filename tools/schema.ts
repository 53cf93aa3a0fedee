import { findSchemaDifferences } from "#tests/support/schema-differences.ts";

/** `npm run schema` prints where a database made by the migrations differs from supabase/schema. */
const differences = await findSchemaDifferences();
for (const difference of differences) console.error(difference);
if (differences.length > 0) process.exitCode = 1;
