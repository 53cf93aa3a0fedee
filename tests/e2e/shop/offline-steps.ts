import type { BrowserContext, Page } from "@playwright/test";
import { CACHES } from "#app/features/offline/stored.ts";
import { expect } from "#tests/support/test.ts";

export const banner = (page: Page) => page.getByRole("status").filter({ hasText: /offline|can't reach/ });
export const level1 = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name });

/** Follows a link of the footer, which every page has. */
export const go = (page: Page, name: string) =>
  page.getByRole("contentinfo").getByRole("link", { name, exact: true }).click();

export const expectNoSidewaysScroll = async (page: Page) =>
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth),
  ).toBe(true);

/** Waits until the service worker looks after the page. */
export async function untilControlled(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(() => Boolean(navigator.serviceWorker.controller))).toBe(true);
}

/** The paths that are stored in this browser. */
export const storedPages = (page: Page): Promise<string[]> =>
  page.evaluate(async (name) => {
    const requests = await (await caches.open(name)).keys();
    return requests.map(({ url }) => new URL(url).pathname + new URL(url).search);
  }, CACHES.pages);

export const untilStored = (page: Page, path: string) =>
  expect.poll(() => storedPages(page), { message: `${path} is stored` }).toContain(path);

/** Waits until code that is needed later is stored. */
export const untilFileStored = (page: Page, name: string) =>
  expect
    .poll(() =>
      page.evaluate(async (cache) => {
        const requests = await (await caches.open(cache)).keys();
        return requests.map(({ url }) => url).join();
      }, CACHES.files),
    )
    .toContain(`/assets/${name}-`);

/** What this browser keeps of a user, apart from the session. */
export const keptKeys = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...Object.keys(localStorage), ...Object.keys(sessionStorage)].filter((key) =>
      /^adwene-|book-/.test(key),
    ),
  );

/** As if the access token had expired while the browser was closed. */
export const expireToken = (context: BrowserContext) =>
  context.addInitScript(() => {
    const stored = JSON.parse(localStorage.getItem("adwene-session") ?? "null");
    if (!stored || sessionStorage.getItem("expired-by-test")) return;
    sessionStorage.setItem("expired-by-test", "yes");
    localStorage.setItem("adwene-session", JSON.stringify({ ...stored, expires_at: 1, expires_in: 0 }));
  });
