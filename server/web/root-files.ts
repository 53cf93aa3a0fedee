import { existsSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { hashedParts } from "./releases.ts";

/** A form of the file without that ending, which is sent in its place. */
const compressedForm = /\.(br|gz)$/;

/**
 * The build's files outside of the folders whose names change with their content, such as `favicon.svg` or `.well-known/security.txt`. Read
 * once per start: looking for a file at each page's address would take a twentieth of a redirect's processor time.
 */
export function listRootFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll("\\", "/"))
    .filter((name) => !hashedParts.some((part) => name.startsWith(`${part}/`)));
  return names.filter(
    (name) => !(compressedForm.test(name) && names.includes(name.replace(compressedForm, ""))),
  );
}
