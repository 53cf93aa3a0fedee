import { readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { BrowserContext, Page } from "@playwright/test";

/** Lets calls of the backend fail inside it, until the returned function is called. */
export async function breakCalls(
  target: Page | BrowserContext,
  path: RegExp,
  method: string,
): Promise<() => Promise<void>> {
  await target.route(path, (route) =>
    route.request().method() === method
      ? route.fulfill({ status: 500, json: { code: "XX000", message: "broken by a test" } })
      : route.fallback(),
  );
  return () => target.unroute(path);
}

/** Resolves when a failed page has looked for the shop in vain: until then it may still come back without a click of Try Again. */
export const vainLook = (page: Page) =>
  page.waitForEvent("requestfailed", { predicate: (request) => request.url().endsWith("/healthz") });

/** Holds back requests to an address until released, to see what is shown until then. */
export async function holdBack(page: Page, address: RegExp): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(address, async (route) => {
    await released;
    await route.fallback();
  });
  return release;
}

const assets = join(import.meta.dirname, "../../build/client/assets");

/** Holds back the file of the page's code that contains these words until released; `asked` resolves once the page wants it. */
export async function holdBackCode(
  page: Page,
  words: string,
): Promise<{ asked: Promise<void>; release: () => void }> {
  const names = (await readdir(assets)).filter((name) => name.endsWith(".js"));
  const name = names.find((one) => readFileSync(join(assets, one), "utf8").includes(words));
  if (!name) throw new Error(`No code contains “${words}”`);
  const asked = page.waitForRequest(new RegExp(name)).then(() => {});
  return { asked, release: await holdBack(page, new RegExp(name)) };
}

/**
 * Lets POST calls reach the backend but drops the connection before the first answers come back.
 * @returns how many calls were sent so far
 */
export async function dropAnswers(page: Page, path: RegExp, responses: number): Promise<() => number> {
  let sent = 0;
  await page.route(path, async (route) => {
    if (route.request().method() !== "POST") return route.fallback();
    sent += 1;
    if (sent > responses) return route.fallback();
    await route.fetch();
    await route.abort("connectionreset");
  });
  return () => sent;
}
