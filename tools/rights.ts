import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { printRights } from "#tests/rights/page.ts";

/** `npm run rights` writes docs/rights.md from the rights matrix of the tests. */
await writeFile(join(import.meta.dirname, "../docs/rights.md"), printRights());
