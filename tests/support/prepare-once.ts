import { buildIfChanged } from "#server/web/build.ts";
import { openPreparedFolders } from "./prepared-folder.ts";

/** Before the first test file: several of them start the shop at the same time, and would all build into the same folder. */
export async function setup(): Promise<() => Promise<void>> {
  await buildIfChanged();
  return openPreparedFolders();
}
