import { accessSync, constants, statSync } from "node:fs";
import { join } from "node:path";
import { StartError } from "../lib/start-error.ts";

/** The folder of this program. */
const program = join(import.meta.dirname, "../..");

/**
 * As root, goes on as the user who owns the shop: files created by root would lock that user out.
 * @throws StartError when that user may not read this program, which is in root's home for example
 */
export function becomeShopUser(dataDir: string): void {
  if (process.getuid?.() !== 0) return;
  const secrets = statSync(join(dataDir, "secrets.json"), { throwIfNoEntry: false });
  if (!secrets || secrets.uid === 0) return;
  process.setgroups?.([secrets.gid]);
  process.setgid?.(secrets.gid);
  process.setuid?.(secrets.uid);
  try {
    accessSync(import.meta.filename, constants.R_OK);
  } catch {
    throw new StartError(
      `${dataDir} belongs to a user who may not read ${program}: use a copy of the program that they can read`,
    );
  }
}
