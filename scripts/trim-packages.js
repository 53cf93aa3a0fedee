/*
 * After npm ci: deletes the C headers and manuals of the Node that came with the packages, a third of its size. Plain old
 * JavaScript, since npm runs it on whatever Node it has.
 */
import { readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const packages = join(dirname(fileURLToPath(import.meta.url)), "../node_modules");
for (const name of readdirSync(packages).filter((name) => /^node-(linux|darwin|win)-/.test(name))) {
  for (const part of ["include", "share"])
    rmSync(join(packages, name, part), { recursive: true, force: true });
}
