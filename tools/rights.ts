import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { printRights } from "#tests/rights/page.ts";

/** `npm run rights` writes who may do what, from the matrix that the tests check, as a page to read. */
const folder = join(import.meta.dirname, "../.cache");
await mkdir(folder, { recursive: true });
const file = join(folder, "rights.md");
await writeFile(file, printRights());
console.log(file);
