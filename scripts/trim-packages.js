/*
 * Deletes the C headers and manuals of the Node that came with the packages, a third of its size: after npm ci, or, where
 * that ran with --ignore-scripts, at the first command (launch.js). In JavaScript that old versions
 * understand, because npm may run it with any Node.
 */
import { existsSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const self = fileURLToPath(import.meta.url);
const packages = join(dirname(self), "../node_modules");

export function trimPackages() {
  for (const name of readdirSync(packages).filter((name) => /^node-(linux|darwin|win)-/.test(name)))
    for (const part of ["include", "share"])
      rmSync(join(packages, name, part), { recursive: true, force: true });
}

/** For every command: looks at one folder and deletes what is left. Packages of another user stay as they are. */
export function trimIfLeft(packageOfNode) {
  if (!existsSync(join(packages, packageOfNode, "include"))) return;
  try {
    trimPackages();
  } catch {
    // A failure is harmless: they only take up space.
  }
}

if (realpathSync(process.argv[1]) === self) trimPackages();
