import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { printRights } from "#tests/rights/page.ts";

/** `npm run rights` writes tests/rights/rights.md from the rights matrix of the tests. */
await writeFile(join(import.meta.dirname, "../tests/rights/rights.md"), printRights());
