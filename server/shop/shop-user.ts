import { statSync } from "node:fs";
import { join } from "node:path";

/** As root, goes on as the user who owns the shop: files created by root would lock that user out. */
export function becomeShopUser(dataDir: string): void {
  if (process.getuid?.() !== 0) return;
  const secrets = statSync(join(dataDir, "secrets.json"), { throwIfNoEntry: false });
  if (!secrets || secrets.uid === 0) return;
  process.setgroups?.([secrets.gid]);
  process.setgid?.(secrets.gid);
  process.setuid?.(secrets.uid);
}
