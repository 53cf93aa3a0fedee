import { buildIfChanged } from "#server/web/build.ts";
import { requireChromium } from "#tests/support/chromium.ts";
import { measureApi } from "./api.ts";
import { measureCrowd } from "./crowd.ts";
import { measureEmails } from "./emails.ts";
import { isQuick } from "./lengths.ts";
import { measureMillion } from "./million.ts";
import { measureMillionAdmin } from "./million-admin.ts";
import { measureNewPages } from "./new-pages.ts";
import { measurePageWeight } from "./page-weight.ts";
import { describeOrigin, writePerformance } from "./performance-page.ts";
import { atMost, describeSections, type Outcome, type Section, writeMeasurement } from "./report.ts";
import { measureSearchQuality } from "./search-quality.ts";
import { measureStartUp } from "./start-up.ts";

type Measure = () => Promise<Section | Section[]>;

/** `npm run bench` as a whole, which takes 20 minutes at most. */
const whole: Record<string, Measure> = {
  weight: measurePageWeight,
  start: measureStartUp,
  "new-pages": measureNewPages,
  api: measureApi,
  emails: measureEmails,
  crowd: measureCrowd,
  search: measureSearchQuality,
};

/** Only by name: a smaller catalogue takes less time, but does not say where a large one gets slow. */
const large: Record<string, Measure> = {
  million: measureMillion,
  "million-admin": measureMillionAdmin,
};

/** Measured in full by `--quick` too. */
const sameWhenQuick = ["weight", "search"];

const MOST_MINUTES = 20;

/**
 * `npm run bench -- weight api` takes some of the measurements. Each that runs to its end is written to docs/figures, and the
 * whole bench to docs/performance.md; `--quick` only proves in a few minutes that all of them run, and writes nothing. Ends
 * with 1 if one did not, or if a budget was missed.
 */
const measurements = { ...whole, ...large };
const selected = process.argv.slice(2).filter((argument) => argument !== "--quick");
const unknown = selected.filter((name) => !(name in measurements));
if (unknown.length > 0) {
  console.error(
    `No such measurement: ${unknown.join(", ")}. There are: ${Object.keys(measurements).join(", ")}.`,
  );
  process.exit(1);
}
const names = selected.length > 0 ? selected : Object.keys(isQuick ? measurements : whole);

requireChromium();
await buildIfChanged();
const startedAt = performance.now();
const origin = describeOrigin();
const outcomes: Outcome[] = [];
const failed: string[] = [];
for (const [name, measure] of Object.entries(measurements)) {
  if (!names.includes(name)) continue;
  console.log(`Measuring ${name} …`);
  try {
    const sections = [await measure()].flat();
    console.log(`\n${describeSections(sections)}`);
    if (!isQuick || sameWhenQuick.includes(name))
      outcomes.push(...sections.flatMap((section) => section.outcomes ?? []));
    if (!isQuick) await writeMeasurement(name, sections);
  } catch (error) {
    console.error(error);
    failed.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
if (!isQuick && selected.length === 0) {
  const minutes = (performance.now() - startedAt) / 60_000;
  outcomes.push(atMost("The whole bench", minutes, MOST_MINUTES, (value) => `${value.toFixed(1)} minutes`));
  if (failed.length === 0) await writePerformance(origin, outcomes);
}
const missed = outcomes.filter(({ isMissed }) => isMissed);
for (const { name, budget, measured } of missed)
  console.error(`Budget missed: ${name}: ${measured}, ${budget}`);
for (const measurement of failed) console.error(`Not measured to its end: ${measurement}`);
process.exit(missed.length + failed.length > 0 ? 1 : 0);
