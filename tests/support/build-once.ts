import { buildIfChanged } from "#server/web/build.ts";
import { requireChromium } from "./chromium.ts";
import { openPreparedFolders } from "./prepared-folder.ts";

/** Before the first browser test: there is a browser, and the pages are built from today's sources. */
export default async function buildOnce(): Promise<() => Promise<void>> {
  requireChromium("chromium-headless-shell");
  await buildIfChanged();
  return openPreparedFolders();
}
