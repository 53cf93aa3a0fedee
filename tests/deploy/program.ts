import { accessSync } from "node:fs";
import { delimiter, join } from "node:path";
import { sayWhatIsSkipped } from "#tests/support/skipped.ts";

/** Where a program of this machine is; null, and a line that says so, when it has none. */
export function program(name: string): string | null {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin"];
  for (const folder of folders) {
    try {
      accessSync(join(folder, name));
      return join(folder, name);
    } catch {
      // The next one.
    }
  }
  sayWhatIsSkipped(`what needs ${name}`, "there is none on this machine");
  return null;
}
