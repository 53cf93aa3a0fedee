import type { Page } from "@playwright/test";
import { expect } from "./test.ts";

/** Public pages may be a second old: opens one until it shows this. */
export async function openUntil(
  page: Page,
  path: string,
  shown: (page: Page) => Promise<void>,
): Promise<void> {
  await expect(async () => {
    await page.goto(path);
    await shown(page);
  }).toPass({ timeout: 20_000 });
}
