import { buildIfChanged } from "#server/build.ts";
import { requireChromium } from "./chromium.ts";

/** Before the first browser test: there is a browser, and the pages are built from today's sources. */
export default async function buildOnce(): Promise<void> {
  requireChromium("chromium-headless-shell");
  await buildIfChanged();
}
