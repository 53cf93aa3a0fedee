import { writeFileSync } from "node:fs";
import { buildSchema, builtFile } from "#tests/support/schema.ts";

/** `npm run schema` builds the first migration from supabase/schema. */
writeFileSync(builtFile, buildSchema());
