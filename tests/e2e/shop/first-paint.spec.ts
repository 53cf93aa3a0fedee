import type { Page } from "@playwright/test";
import { holdBack } from "#tests/support/intercept.ts";
import { expect, test } from "#tests/support/test.ts";

/** Opens a page that is not painted until `paint`. @returns the scripts that it has requested */
async function openUnpainted(page: Page, path: string) {
  const scripts: string[] = [];
  page.on("request", (request) => {
    if (request.resourceType() === "script") scripts.push(request.url());
  });
  await page.addInitScript(() => {
    const frames: FrameRequestCallback[] = [];
    const request = window.requestAnimationFrame;
    window.requestAnimationFrame = (callback) => frames.push(callback);
    window.addEventListener("test:paint", () => {
      window.requestAnimationFrame = request;
      for (const callback of frames) callback(performance.now());
    });
  });
  await page.goto(path, { waitUntil: "domcontentloaded" });
  await page.waitForLoadState("load");
  const tell = (event: string) => page.evaluate((name) => void dispatchEvent(new Event(name)), event);
  return { scripts, paint: () => tell("test:paint"), hide: () => tell("visibilitychange") };
}

const isAlive = (page: Page) => expect(page.locator("html[data-alive]")).toBeAttached();

test("a page's code is fetched only once the page has been painted", async ({ page }) => {
  const { scripts, paint } = await openUnpainted(page, "/shop");
  await expect(page.getByRole("contentinfo")).toBeAttached();
  expect(scripts).toEqual([]);
  await paint();
  await isAlive(page);
  expect(scripts.length).toBeGreaterThan(3);
  expect(new Set(scripts).size, "fetched once").toBe(scripts.length);
});

test("a page whose tab is hidden before it has been painted starts all the same", async ({ page }) => {
  const { scripts, hide } = await openUnpainted(page, "/shop");
  expect(scripts).toEqual([]);
  await hide();
  await isAlive(page);
});

test("a page in a background tab, which paints nothing, starts all the same", async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(document, "hidden", { value: true });
    window.requestAnimationFrame = () => 0;
  });
  await page.goto("/shop");
  await isAlive(page);
});

test("the style sheet is named in a header, ahead of the page", async ({ page, request }) => {
  const response = await request.get("/shop");
  const [, path] = /<link rel="stylesheet" href="([^"#]+)/.exec(await response.text()) ?? [];
  expect(response.headers().link).toBe(`<${path}>; rel=preload; as=style`);
  const sheets: string[] = [];
  page.on("request", (sent) => {
    if (sent.resourceType() === "stylesheet" || sent.url().includes(".css")) sheets.push(sent.url());
  });
  await page.goto("/shop");
  expect(sheets, "fetched once").toHaveLength(1);
});

/** What React last rendered the footer with: another object after each render. */
const footerProps = (page: Page) =>
  page.evaluateHandle(() => {
    const footer = document.querySelector("footer");
    const key = Object.keys(footer ?? {}).find((name) => name.startsWith("__reactProps$"));
    if (!footer || !key) throw new Error("React keeps what it renders an element with somewhere else now");
    return (footer as unknown as Record<string, object>)[key];
  });

test("the code that arrives once the page has settled does not render the page again", async ({ page }) => {
  const release = await holdBack(page, /offline-area.*\.js/);
  const requested = page.waitForRequest(/offline-area.*\.js/);
  await page.goto("/about");
  await requested;
  const before = await footerProps(page);
  release();
  await expect(page.locator("footer ~ [role=status]")).toBeAttached();
  const after = await footerProps(page);
  expect(await before.evaluate((props, other) => props === other, after)).toBe(true);
});
