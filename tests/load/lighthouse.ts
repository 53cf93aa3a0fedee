import { chromium as browserType } from "@playwright/test";
import lighthouse from "lighthouse";
import { chromium } from "#tests/support/chromium.ts";
import { freePort, startShop } from "#tests/support/shop-server.ts";
import type { Section } from "./report.ts";

const routes = ["/", "/shop", "/products/cgp"];
const RUNS = 3;
const categories = ["performance", "accessibility", "best-practices", "seo"] as const;

/** Lighthouse's mobile scores, the median of three runs of each page. */
export async function measureLighthouse(): Promise<Section> {
  const shop = await startShop();
  const port = await freePort();
  const options = chromium();
  const browser = await browserType.launch({
    ...options,
    args: [...(options.args ?? []), `--remote-debugging-port=${port}`],
  });
  try {
    const rows: string[][] = [];
    for (const route of routes) {
      const scores: Record<string, number[]> = {};
      for (let run = 0; run < RUNS; run++) {
        const result = await lighthouse(shop.url + route, {
          port,
          logLevel: "error",
          onlyCategories: [...categories],
        });
        for (const category of categories) {
          const score = result?.lhr.categories[category]?.score;
          if (score == null) throw new Error(`Lighthouse gave no score for ${category} of ${route}`);
          scores[category] = [...(scores[category] ?? []), Math.round(score * 100)];
        }
      }
      const median = (values: number[] = []) => [...values].sort((a, b) => a - b)[Math.floor(RUNS / 2)];
      rows.push([`\`${route}\``, ...categories.map((category) => String(median(scores[category])))]);
    }
    return {
      title: "Lighthouse, mobile",
      about: `Median of ${RUNS} runs on a simulated slow phone. Budgets: performance 97, the others 100.`,
      header: ["Page", "Performance", "Accessibility", "Best practices", "SEO"],
      rows,
    };
  } finally {
    await browser.close();
    await shop.stop();
  }
}
