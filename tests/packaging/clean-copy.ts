import { execFile } from "node:child_process";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const root = join(import.meta.dirname, "../..");

/** The project as a clean checkout would hold it, with what is not committed yet, in a new folder whose path begins with `prefix`. */
export async function makeCleanCopy(
  prefix = join(tmpdir(), "adwene-copy-"),
): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(prefix);
  const args = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
  const { stdout } = await promisify(execFile)("git", args, { cwd: root, maxBuffer: 16 * 1024 * 1024 });
  for (const file of stdout.split("\0").filter(Boolean)) {
    // A file that is deleted but not committed yet is still in the list.
    await cp(join(root, file), join(folder, file)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
    });
  }
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
