import { setTimeout as pause } from "node:timers/promises";
import { type Browser, chromium as browserType } from "@playwright/test";
import { chromium } from "#tests/support/chromium.ts";
import { startShop } from "#tests/support/shop-server.ts";
import { kilobytes, type Section } from "./report.ts";
import { catalogues } from "./uploaded-covers.ts";
import { type Weight, weightOutcomes } from "./weight-budgets.ts";

const routes = ["/", "/shop", "/products/cambridge", "/products/cgp"];

/** Few phones have one pixel for one; most have two or three. */
const densities = [1, 2, 3];

/**
 * Bytes on the wire and layout shift of a visitor's first load, on a phone's screen, with an empty cache: with the demo's covers, then
 * with uploaded ones.
 */
export async function measurePageWeight(): Promise<Section> {
  const shop = await startShop();
  const browser = await browserType.launch(chromium());
  try {
    const rows: string[][] = [];
    const weighed: { page: string; weight: Weight }[] = [];
    for (const { covers, open } of catalogues(shop)) {
      await open();
      for (const route of routes)
        for (const density of densities) {
          const weight = await weigh(browser, shop.url + route, density);
          weighed.push({ page: `\`${route}\`, ${covers} covers, ${density}x screen`, weight });
          const { html, script, style, font, image, seen, headers, shift } = weight;
          rows.push([
            `\`${route}\``,
            covers,
            String(density),
            ...[html, script, style, font, seen, image, headers].map(kilobytes),
            shift.toFixed(4),
          ]);
        }
    }
    return {
      title: "First load of a visitor",
      about: `Bytes on the wire, compressed as a browser gets them, at 360 × 740 without scrolling. Demo: drawn and built-in covers. Uploaded: every book has one of 24 covers like photos (1080 × 1440, JPEG of about 230 kB). Pixels: the screen's for one of the page. Pictures seen are those of the first screen; Chromium loads some more ahead of scrolling.`,
      header: [
        "Page",
        "Covers",
        "Pixels",
        "HTML",
        "JavaScript",
        "CSS",
        "Fonts",
        "Pictures seen",
        "All pictures",
        "Headers of all",
        "Layout shift",
      ],
      rows,
      outcomes: weightOutcomes(weighed),
    };
  } finally {
    await browser.close();
    await shop.stop();
  }
}

async function weigh(browser: Browser, url: string, deviceScaleFactor: number): Promise<Weight> {
  const page = await browser.newPage({ viewport: { width: 360, height: 740 }, deviceScaleFactor });
  const weight: Weight = { html: 0, script: 0, style: 0, font: 0, image: 0, seen: 0, headers: 0, shift: 0 };
  const kinds: Record<string, keyof Weight> = {
    Document: "html",
    Script: "script",
    Stylesheet: "style",
    Font: "font",
    Image: "image",
  };
  const protocol = await page.context().newCDPSession(page);
  await protocol.send("Network.enable");
  const kindOf = new Map<string, { kind: keyof Weight; headers: number }>();
  const loading = new Set<string>();
  protocol.on("Network.requestWillBeSent", ({ requestId }) => loading.add(requestId));
  protocol.on("Network.loadingFailed", ({ requestId }) => loading.delete(requestId));
  // Chromium counts headers with the body; the headers' share is what had arrived with them.
  protocol.on("Network.responseReceived", ({ requestId, type, response }) => {
    const kind = kinds[type];
    if (kind) kindOf.set(requestId, { kind, headers: response.encodedDataLength });
  });
  protocol.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    loading.delete(requestId);
    const known = kindOf.get(requestId);
    if (!known) return;
    weight[known.kind] += encodedDataLength - known.headers;
    weight.headers += known.headers;
  });
  await page.addInitScript(() => {
    Object.assign(window, { shift: 0 });
    new PerformanceObserver((list) => {
      const target = window as unknown as { shift: number };
      for (const entry of list.getEntries()) target.shift += (entry as unknown as { value: number }).value;
    }).observe({ type: "layout-shift", buffered: true });
  });
  const response = await page.goto(url, { waitUntil: "load" });
  if (response?.status() !== 200) throw new Error(`${url} returned ${response?.status()}`);
  // The page's code comes after its first paint.
  await page.locator("html[data-alive]").waitFor({ state: "attached" });
  await page.evaluate(() => document.fonts.ready);
  // Two frames after the last font: whatever moves because of it has moved.
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
  // Pictures near the screen that were not part of the load event.
  while (loading.size > 0) await pause(50);
  weight.seen = await page.evaluate(() => {
    const isSeen = (image: Element) => {
      const { top, bottom, right } = image.getBoundingClientRect();
      return top < innerHeight && bottom > 0 && right > 0;
    };
    const seen = new Set([...document.images].filter(isSeen).map(({ currentSrc }) => currentSrc));
    return (performance.getEntriesByType("resource") as PerformanceResourceTiming[])
      .filter(({ name }) => seen.has(name))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
  });
  weight.shift = await page.evaluate(() => (window as unknown as { shift: number }).shift);
  await page.close();
  for (const kind of ["html", "script", "style", "font"] as const)
    if (weight[kind] === 0) throw new Error(`${url} loaded no ${kind}`);
  return weight;
}
