import { chromium as browserType } from "@playwright/test";
import { chromium } from "#tests/support/chromium.ts";
import { startShop } from "#tests/support/shop-server.ts";
import { kilobytes, type Section } from "./report.ts";

const routes = ["/", "/shop", "/products/cambridge", "/products/cgp"];

type Weight = Record<"html" | "script" | "style" | "font" | "image" | "headers" | "shift", number>;

/** Bytes on the wire and layout shift of a visitor's first load, on a phone's screen, with an empty cache. */
export async function measurePageWeight(): Promise<Section> {
  const shop = await startShop();
  const browser = await browserType.launch(chromium());
  try {
    const rows: string[][] = [];
    for (const route of routes) {
      const { html, script, style, font, image, headers, shift } = await weigh(browser, shop.url + route);
      rows.push([
        `\`${route}\``,
        ...[html, script, style, font, image, headers].map(kilobytes),
        shift.toFixed(4),
      ]);
    }
    return {
      title: "First load of a visitor",
      about:
        "Bytes on the wire, compressed as a browser gets them, at 360 × 740 without scrolling. Budgets: HTML 16 kB, JavaScript 120 kB, CSS 14 kB, layout shift 0.",
      header: ["Page", "HTML", "JavaScript", "CSS", "Fonts", "Pictures", "Headers of all", "Layout shift"],
      rows,
    };
  } finally {
    await browser.close();
    await shop.stop();
  }
}

async function weigh(browser: import("@playwright/test").Browser, url: string): Promise<Weight> {
  const page = await browser.newPage({ viewport: { width: 360, height: 740 } });
  const weight: Weight = { html: 0, script: 0, style: 0, font: 0, image: 0, headers: 0, shift: 0 };
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
  // Chromium counts headers with the body; the headers' share is what had arrived with them.
  protocol.on("Network.responseReceived", ({ requestId, type, response }) => {
    const kind = kinds[type];
    if (kind) kindOf.set(requestId, { kind, headers: response.encodedDataLength });
  });
  protocol.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
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
  weight.shift = await page.evaluate(() => (window as unknown as { shift: number }).shift);
  await page.close();
  for (const kind of ["html", "script", "style", "font"] as const)
    if (weight[kind] === 0) throw new Error(`${url} loaded no ${kind}`);
  return weight;
}
