import { chromium as browserType } from "@playwright/test";
import lighthouse, { type Flags } from "lighthouse";
import { chromium } from "#tests/support/chromium.ts";
import { freePort, startShop } from "#tests/support/shop-server.ts";
import { fullOrQuick } from "./lengths.ts";
import { milliseconds, type Section } from "./report.ts";
import { findBookPath } from "./slow-line.ts";
import { catalogues } from "./uploaded-covers.ts";

const RUNS = fullOrQuick(3, 1);
const categories = ["performance", "accessibility", "best-practices", "seo"] as const;
const audits = ["first-contentful-paint", "largest-contentful-paint", "total-blocking-time"] as const;

/** The least score of each category. */
const BUDGETS = { performance: 98, accessibility: 100, "best-practices": 100, seo: 100 } as const;

/** Lighthouse's mobile scores, the median of three runs of each page. */
export async function measureLighthouse(): Promise<Section> {
  const shop = await startShop();
  const port = await freePort();
  const options = chromium();
  const browser = await browserType.launch({
    ...options,
    args: [...(options.args ?? []), `--remote-debugging-port=${port}`],
  });
  const flags: Flags = { port, logLevel: "error", onlyCategories: [...categories] };
  try {
    const rows: string[][] = [];
    for (const { covers, open } of catalogues(shop)) {
      await open();
      for (const route of ["/", "/shop", "/products/cgp", await findBookPath(shop.url), "/auth"]) {
        const runs: Map<string, number>[] = [];
        for (let run = 0; run < RUNS; run++) runs.push(await score(shop.url + route, flags));
        const middle = (name: string) => median(runs.map((scores) => scores.get(name) ?? Number.NaN));
        rows.push([
          route.startsWith("/books/") ? "a book's page" : `\`${route}\``,
          covers,
          ...categories.map((category) => String(middle(category))),
          ...audits.map((audit) => milliseconds(middle(audit))),
          categories.every((category) => middle(category) >= BUDGETS[category]) ? "yes" : "no",
        ]);
      }
    }
    return {
      title: "Lighthouse, mobile",
      about: `Median of ${RUNS} runs on a simulated slow phone. Uploaded covers as in the first table. Budgets: performance ${BUDGETS.performance}, the others 100.`,
      header: [
        "Page",
        "Covers",
        "Performance",
        "Accessibility",
        "Best practices",
        "SEO",
        "First paint",
        "Largest paint",
        "Blocking time",
        "Within the budget",
      ],
      rows,
    };
  } finally {
    await browser.close();
    await shop.stop();
  }
}

/** Scores from 0 to 100 by category, and milliseconds by audit. */
async function score(url: string, flags: Flags): Promise<Map<string, number>> {
  const report = (await lighthouse(url, flags))?.lhr;
  if (report?.runtimeError || report?.finalDisplayedUrl !== url)
    throw new Error(
      `${url}: ${report?.runtimeError?.message ?? `${report?.finalDisplayedUrl} was measured`}`,
    );
  const found = new Map<string, number>();
  for (const name of categories) {
    const value = report?.categories[name]?.score;
    if (value == null) throw new Error(`Lighthouse gave no score for ${name} of ${url}`);
    found.set(name, Math.round(value * 100));
  }
  for (const name of audits) found.set(name, report?.audits[name]?.numericValue ?? Number.NaN);
  return found;
}

const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(RUNS / 2)] ?? Number.NaN;
