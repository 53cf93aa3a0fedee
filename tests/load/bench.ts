import { buildIfChanged } from "#server/web/build.ts";
import { requireChromium } from "#tests/support/chromium.ts";
import { measureApi } from "./api.ts";
import { measureCrowd } from "./crowd.ts";
import { isQuick } from "./lengths.ts";
import { measureMillion } from "./million.ts";
import { measureMillionAdmin } from "./million-admin.ts";
import { measureNewPages } from "./new-pages.ts";
import { measurePageWeight } from "./page-weight.ts";
import { describeSections, type Section, writeMeasurement } from "./report.ts";
import { measureSearchQuality } from "./search-quality.ts";
import { measureStartUp } from "./start-up.ts";

/**
 * Every measurement by name; `npm run bench -- weight api` takes some of them. Each that runs to its end is written to
 * docs/figures, unless `--quick` only proves in a few minutes that all of them do. Ends with 1 if one did not, or if a page
 * weighs more than its budget.
 */
const measurements: Record<string, () => Promise<Section | Section[]>> = {
  weight: measurePageWeight,
  start: measureStartUp,
  "new-pages": measureNewPages,
  api: measureApi,
  crowd: measureCrowd,
  search: measureSearchQuality,
  million: measureMillion,
  "million-admin": measureMillionAdmin,
};

const selected = process.argv.slice(2).filter((argument) => argument !== "--quick");
const unknown = selected.filter((name) => !(name in measurements));
if (unknown.length > 0) {
  console.error(
    `No such measurement: ${unknown.join(", ")}. There are: ${Object.keys(measurements).join(", ")}.`,
  );
  process.exit(1);
}

requireChromium();
await buildIfChanged();
const missed: string[] = [];
const failed: string[] = [];
for (const [name, measure] of Object.entries(measurements)) {
  if (selected.length > 0 && !selected.includes(name)) continue;
  console.log(`Measuring ${name} …`);
  try {
    const sections = [await measure()].flat();
    console.log(`\n${describeSections(sections)}`);
    missed.push(...sections.flatMap((section) => section.missed ?? []));
    if (!isQuick) await writeMeasurement(name, sections);
  } catch (error) {
    console.error(error);
    failed.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
for (const budget of missed) console.error(`Budget missed: ${budget}`);
for (const measurement of failed) console.error(`Not measured to its end: ${measurement}`);
process.exit(missed.length + failed.length > 0 ? 1 : 0);
