import { execFile } from "node:child_process";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const root = join(import.meta.dirname, "../..");
/** All that `npm ci` reads. */
const sources = ["package.json", "package-lock.json", ".npmrc", "scripts"];

/** Seconds of `npm ci` in an empty folder, with every package in npm's cache: a floor that depends on the machine alone. */
export async function measureInstallation(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "adwene-bench-"));
  try {
    for (const name of sources) await cp(join(root, name), join(folder, name), { recursive: true });
    const install = async (...more: string[]) => {
      await rm(join(folder, "node_modules"), { recursive: true, force: true });
      const startedAt = performance.now();
      await promisify(execFile)("npm", ["ci", ...more], { cwd: folder, maxBuffer: 2 ** 26 });
      return (performance.now() - startedAt) / 1_000;
    };
    return await install("--offline").catch(async () => {
      await install("--prefer-offline");
      return install("--offline");
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
