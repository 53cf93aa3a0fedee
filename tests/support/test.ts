import { readFile } from "node:fs/promises";
import { type BrowserContext, test as base, expect, type Page } from "@playwright/test";
import axe, { type RunOptions } from "axe-core";
import { SESSION_KEY } from "#app/lib/browser/env.ts";
import { type Member, newMember, signInMember } from "./factories.ts";
import { findMail } from "./outbox.ts";
import { startPreparedShop } from "./prepared-folder.ts";
import { connect } from "./shop-client.ts";
import { ADMIN, type ShopServer, START_MS } from "./shop-server.ts";
import { watchStaffWrites } from "./staff-writes.ts";

export type { Member };
export { expect };

type Console = {
  /** Announces a console error that the specification states; each one must then appear. */
  expect: (line: RegExp) => void;
};

type TestFixtures = {
  consoleLines: Console;
  /** A verified customer of this test only, signed in through the backend but not yet in the browser. */
  member: Member;
  /** The shop's admin. */
  admin: Member;
  /** Makes further verified customers. */
  newMember: () => Promise<Member>;
  /** Puts a member's session into a browser context, as if they had signed in there. */
  signIn: (context: BrowserContext, member: Member) => Promise<void>;
};

/** Lines that say nothing about the shop: failed requests reported by browser and backend client, and a blocked service worker. */
const browserNoise =
  /^Failed to load resource|^AuthRetryableFetchError: Failed to fetch|^Service Worker registration blocked/;

export const test = base.extend<TestFixtures, { shop: ShopServer }>({
  shop: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from the pattern
    async ({}, use) => {
      const shop = await startPreparedShop("demo");
      await use(shop);
      await shop.stop();
    },
    // A little longer than the start itself waits: its error says what the shop printed.
    { scope: "worker", timeout: START_MS + 10_000 },
  ],

  baseURL: async ({ shop }, use) => use(shop.url),

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from the pattern
  extraHTTPHeaders: async ({}, use, info) => use({ "X-Forwarded-For": addressOf(info.testId) }),

  consoleLines: [
    async ({ context, javaScriptEnabled }, use) => {
      const problems: string[] = [];
      const expected: { line: RegExp; seen: boolean }[] = [];
      const watch = (page: Page) => {
        page.on("console", (message) => {
          if (message.type() !== "error" && message.type() !== "warning") return;
          const text = message.text();
          const announced = expected.find(({ line }) => line.test(text));
          if (announced) announced.seen = true;
          else if (!browserNoise.test(text)) problems.push(`${page.url()}: ${text}`);
        });
        page.on("pageerror", (error) => problems.push(`${page.url()}: ${error.message}`));
      };
      context.on("page", watch);
      const writes = await watchStaffWrites(context);
      if (javaScriptEnabled !== false) context.on("page", waitForLife);
      await context.addInitScript(() => {
        document.addEventListener("securitypolicyviolation", (event) =>
          console.error(`Security policy violated: ${event.violatedDirective} ${event.blockedURI}`),
        );
      });
      await use({ expect: (line) => expected.push({ line, seen: false }) });
      // A line may follow what is shown: it is waited for like that.
      await expect
        .poll(() => expected.filter(({ seen }) => !seen).map(({ line }) => String(line)), {
          message: "stated console lines that did not appear",
        })
        .toEqual([]);
      expect(problems, "unexpected console lines").toEqual([]);
      if (!process.env.RECORD_WRITES) expect(writes, "writes of staff").toEqual([]);
    },
    { auto: true },
  ],

  newMember: async ({ shop }, use, info) => {
    let made = 0;
    await use(async () => {
      made += 1;
      const email = `reader-${info.testId}-${info.retry}-${made}@school.example`;
      const client = await connect(shop, addressOf(`${info.testId}${made}`));
      const account = { email, password: "a password for reading", full_name: "Reader of the test" };
      return newMember(client, { ...account, phone: "+233201234567" }, (to) => findMail(shop.dataDir, to));
    });
  },

  member: async ({ newMember }, use) => use(await newMember()),

  admin: async ({ shop }, use, info) =>
    use(
      await signInMember(await connect(shop, addressOf(`admin${info.testId}`)), ADMIN.email, ADMIN.password),
    ),

  signIn: async ({ shop }, use) => {
    await use(async (context, member) => {
      const { data } = await member.client.auth.getSession();
      await context.addInitScript(
        ([key, origin, session]) => {
          // Only once per tab: signing out in the test must last.
          if (location.origin !== origin || sessionStorage.getItem("signed-in-by-test")) return;
          sessionStorage.setItem("signed-in-by-test", "yes");
          localStorage.setItem(key, session);
        },
        [SESSION_KEY, shop.url, JSON.stringify(data.session)] as const,
      );
    });
  },
});

/**
 * Lets `goto` and `reload` wait until the page answers clicks: what the server has rendered is seen before that. A test
 * about these first moments says itself how far to wait, with `waitUntil`.
 */
function waitForLife(page: Page): void {
  const isAlive = () => page.waitForSelector("html[data-alive]", { state: "attached" });
  const { goto, reload } = page;
  page.goto = async (url, options) => {
    const response = await goto.call(page, url, options);
    if (!options?.waitUntil) await isAlive();
    return response;
  };
  page.reload = async (options) => {
    const response = await reload.call(page, options);
    if (!options?.waitUntil) await isAlive();
    return response;
  };
}

const WCAG_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Half as long as what the package exports, which every page has to read anew. */
const axeSource = readFile(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** Accessibility of what is shown now: no violation of WCAG 2.2 A or AA. */
export async function expectAccessible(page: Page): Promise<void> {
  // Half faded in or out, any text has too little contrast: nothing fades while it is looked at.
  await page.emulateMedia({ reducedMotion: "reduce" });
  // What has begun to fade goes on doing so.
  await page.evaluate(() => {
    for (const animation of document.getAnimations())
      if (animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY) animation.finish();
  });
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(await axeSource);
  const { violations } = await page.evaluate(
    (options) => axe.run(document, options),
    // Passed checks are not reported: collecting them takes longer than the checks. No rule of these tags reads style
    // sheets, which axe would fetch once more otherwise.
    { runOnly: WCAG_TAGS, resultTypes: ["violations"], preload: { assets: ["media"] } } satisfies RunOptions,
  );
  const found = violations.map(
    ({ id, help, nodes }) => `${id}: ${help}\n${nodes.map((n) => n.html).join("\n")}`,
  );
  await page.emulateMedia({ reducedMotion: null });
  expect(found).toEqual([]);
}

/** Checks a phone's and a laptop's width in one page load, including that nothing is wider than the window; restores the size. */
export async function expectAccessibleAtWidths(page: Page, widths = [360, 1280]): Promise<void> {
  const size = page.viewportSize();
  for (const width of widths) {
    await page.setViewportSize({ width, height: size?.height ?? 800 });
    await expectAccessible(page);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow, `${width} px`).toBeLessThanOrEqual(0);
  }
  if (size) await page.setViewportSize(size);
}

/** Opens the catalogue at one book. */
export async function findOnShelf(page: Page, title: string): Promise<void> {
  await page.goto(`/shop?q=${encodeURIComponent(title)}`);
}

/**
 * An address in a network of its own in the documentation range 2001:db8::/32, the same for the same test: limits count
 * networks, and an hour of tests signs up more people than one network may.
 */
function addressOf(testId: string): string {
  let hash = 0;
  for (const character of testId) hash = (Math.imul(hash, 31) + character.charCodeAt(0)) >>> 0;
  return `2001:db8:${(hash >>> 16).toString(16)}:${(hash & 0xffff).toString(16)}::1`;
}
