import type { Locator, Page } from "@playwright/test";
import { shop } from "#shared/owner/shop.ts";

/** Amounts of money and the headings of columns that are drawn on more than one line. */
export const brokenAmounts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const broken: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const text = walker.currentNode as Text;
      const parent = text.parentElement;
      if (!parent?.checkVisibility()) continue;
      const parts = parent.closest("thead th") ? [text.data.trim()] : text.data.match(/GH₵[\d,.]+/g);
      for (const part of parts ?? []) {
        const range = document.createRange();
        range.setStart(text, text.data.indexOf(part));
        range.setEnd(text, text.data.indexOf(part) + part.length);
        if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1)
          broken.push(part);
      }
    }
    return broken;
  });

/** Whether a click at the element's centre reaches it: it is inside the window and nothing covers it. */
export const isReachable = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    return hit !== null && (element === hit || element.contains(hit));
  });

/** How far from the content's left edge the shop's name in the header is printed on A4, in pixels. */
export async function printedHeaderOffset(page: Page): Promise<number> {
  const before = page.viewportSize();
  await page.setViewportSize({ width: 794, height: 1123 });
  await page.emulateMedia({ media: "print" });
  const left = (part: Locator) => part.evaluate((element) => element.getBoundingClientRect().left);
  const content = page.getByRole("main").locator("> div").first();
  const offset = (await left(page.getByRole("link", { name: `${shop.name}, home` }))) - (await left(content));
  await page.emulateMedia({ media: null });
  if (before) await page.setViewportSize(before);
  return offset;
}
