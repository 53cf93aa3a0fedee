import { buildIfChanged } from "#server/build.ts";
import { requireChromium } from "#tests/support/chromium.ts";
import { measureAdminLists } from "./admin-lists.ts";
import { measureApi } from "./api.ts";
import { measureBooklists } from "./booklists.ts";
import { measureBusyPages } from "./busy-pages.ts";
import { measureImport } from "./import.ts";
import { measureLighthouse } from "./lighthouse.ts";
import { measureMillion } from "./million.ts";
import { measureMillionAdmin } from "./million-admin.ts";
import { measurePageWeight } from "./page-weight.ts";
import { type Section, writeReport } from "./report.ts";
import { measureSearchQuality } from "./search-quality.ts";
import { measureSignIns } from "./sign-ins.ts";
import { measureSlowLine } from "./slow-line.ts";
import { measureStartUp } from "./start-up.ts";
import { measureSuggestions } from "./suggestions.ts";
import { measureThroughput } from "./throughput.ts";
import { measureWorkers } from "./workers.ts";

/** Every measurement by name; `npm run bench -- weight api` takes some of them. */
const measurements: Record<string, () => Promise<Section>> = {
  weight: measurePageWeight,
  start: measureStartUp,
  throughput: measureThroughput,
  "busy-pages": measureBusyPages,
  workers: measureWorkers,
  "sign-ins": measureSignIns,
  api: measureApi,
  "search-quality": measureSearchQuality,
  million: measureMillion,
  "million-admin": measureMillionAdmin,
  import: measureImport,
  admin: measureAdminLists,
  booklists: measureBooklists,
  suggestions: measureSuggestions,
  "slow-line": measureSlowLine,
  lighthouse: measureLighthouse,
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in measurements));
if (unknown.length > 0) {
  console.error(
    `No such measurement: ${unknown.join(", ")}. There are: ${Object.keys(measurements).join(", ")}.`,
  );
  process.exit(1);
}

requireChromium();
await buildIfChanged();
const sections: Section[] = [];
for (const [name, measure] of Object.entries(measurements)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  console.log(`Measuring ${name} …`);
  sections.push(await measure());
}
await writeReport(sections, { complete: asked.length === 0 });
