import type { Locator, Page } from "@playwright/test";
import { expect, test } from "#tests/support/test.ts";

const HOME = { path: "/", label: "From our shelves", intervalMs: 4_000 };
const ABOUT = { path: "/about", label: "Our story in pictures", intervalMs: 2_000 };

const START = Date.UTC(2026, 8, 7, 8, 30);

const carousel = (page: Page, label: string) => page.getByRole("region", { name: label });
const dots = (shown: Locator) => shown.getByRole("button", { name: /^Go to slide \d+$/ });
const pictures = (shown: Locator) => shown.getByRole("img");
const current = (shown: Locator, slide: number) =>
  expect(shown.getByRole("button", { name: `Go to slide ${slide}`, exact: true })).toHaveAttribute(
    "aria-current",
    "true",
  );

/** Opens a page whose clock only moves when the test says so. */
async function open(page: Page, { path, label }: typeof HOME): Promise<Locator> {
  await page.clock.install({ time: START });
  await page.clock.pauseAt(START + 1_000);
  const opened = page.goto(path);
  // The page's code starts a frame after the page has been painted.
  await page.waitForEvent("domcontentloaded");
  await page.clock.runFor(100);
  await opened;
  return carousel(page, label);
}

test.describe("the home carousel", () => {
  test("shows 16 pictures, two at a time, advances every 4 seconds, wraps around, and begins anew in another layout", async ({
    page,
  }) => {
    const shown = await open(page, HOME);
    await expect(dots(shown)).toHaveCount(8);
    await expect(pictures(shown)).toHaveCount(2);
    await current(shown, 1);
    for (const slide of [2, 3, 4, 5, 6, 7, 8, 1]) {
      await page.clock.runFor(HOME.intervalMs - 1);
      await page.clock.runFor(1);
      await current(shown, slide);
    }
    await page.clock.runFor(HOME.intervalMs - 1);
    await current(shown, 1);
    await page.clock.runFor(1);
    await current(shown, 2);
    await page.setViewportSize({ width: 767, height: 800 });
    await expect(dots(shown)).toHaveCount(16);
    await expect(pictures(shown)).toHaveCount(1);
    await current(shown, 1);
    await page.clock.runFor(HOME.intervalMs);
    await current(shown, 2);
    await page.setViewportSize({ width: 1000, height: 800 });
    await expect(dots(shown)).toHaveCount(8);
    await current(shown, 1);
  });

  test("the carousel shows a chosen slide and stops advancing", async ({ page }) => {
    const shown = await open(page, HOME);
    await shown.getByRole("button", { name: "Previous slide" }).click();
    await current(shown, 8);
    await shown.getByRole("button", { name: "Next slide" }).click();
    await current(shown, 1);
    await dots(shown).nth(4).click();
    await current(shown, 5);
    await page.mouse.move(0, 0);
    await shown.getByRole("button", { name: "Next slide" }).focus();
    await shown.getByRole("button", { name: "Next slide" }).blur();
    await page.clock.runFor(10 * HOME.intervalMs);
    await current(shown, 5);
  });

  test("pauses while the pointer is over it, the focus is in it or the tab is hidden, and until it is resumed", async ({
    page,
  }) => {
    const shown = await open(page, HOME);
    await shown.hover();
    await page.clock.runFor(3 * HOME.intervalMs);
    await current(shown, 1);
    await page.mouse.move(0, 0);
    await page.clock.runFor(HOME.intervalMs);
    await current(shown, 2);
    await shown.getByRole("button", { name: "Next slide" }).focus();
    await page.clock.runFor(3 * HOME.intervalMs);
    await current(shown, 2);
    await shown.getByRole("button", { name: "Next slide" }).blur();
    await page.clock.runFor(HOME.intervalMs);
    await current(shown, 3);

    const setHidden = (hidden: boolean) =>
      page.evaluate((value) => {
        Object.defineProperty(document, "hidden", { configurable: true, get: () => value });
        document.dispatchEvent(new Event("visibilitychange"));
      }, hidden);
    await setHidden(true);
    await page.clock.runFor(3 * HOME.intervalMs);
    await current(shown, 3);
    await setHidden(false);
    await page.clock.runFor(HOME.intervalMs);
    await current(shown, 4);

    const pause = shown.getByRole("button", { name: "Pause" });
    const leave = async () => {
      await page.mouse.move(0, 0);
      await pause.blur();
    };
    await pause.click();
    await leave();
    await page.clock.runFor(3 * HOME.intervalMs);
    await current(shown, 4);
    await pause.click();
    await leave();
    await page.clock.runFor(HOME.intervalMs);
    await current(shown, 5);
  });

  test("the carousel does not move with reduced motion, and loads only the current and the next slide", async ({
    page,
  }) => {
    const requested = new Set<string>();
    page.on("request", (request) => {
      if (/\/pictures\/home/.test(request.url())) requested.add(request.url().replace(/-\d+\.\w+$/, ""));
    });
    await page.emulateMedia({ reducedMotion: "reduce" });
    const shown = await open(page, HOME);
    await page.clock.runFor(5 * HOME.intervalMs);
    await current(shown, 1);
    await shown.scrollIntoViewIfNeeded();
    await expect.poll(() => requested.size).toBe(4);
    await shown.getByRole("button", { name: "Next slide" }).click();
    await current(shown, 2);
    await expect.poll(() => requested.size).toBe(6);
  });
});

test.describe("the carousel of the about page", () => {
  test("shows 9 pictures, one at a time, and fades to the next every 2 seconds", async ({ page }) => {
    const shown = await open(page, ABOUT);
    await expect(dots(shown)).toHaveCount(9);
    await expect(pictures(shown)).toHaveCount(1);
    for (const slide of [2, 3, 4, 5, 6, 7, 8, 9, 1]) {
      await page.clock.runFor(ABOUT.intervalMs);
      await current(shown, slide);
    }
    const fade = await shown
      .getByRole("listitem")
      .first()
      .evaluate((item) => {
        const { transitionProperty, transitionDuration } = getComputedStyle(item);
        return `${transitionProperty} ${transitionDuration}`;
      });
    expect(fade).toContain("opacity");
    expect(fade).toContain("0.2s");
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });
  test("a carousel shows its first pictures, without buttons that would do nothing", async ({ page }) => {
    await page.goto("/");
    const shown = carousel(page, HOME.label);
    await expect(pictures(shown)).toHaveCount(2);
    await expect(shown.getByRole("button")).toHaveCount(0);
  });
});
