/**
 * Photographs every page of the shop at three widths, signed out and signed in, into ./screenshots: `npm run
 * screenshots`, or only pages whose path starts with an argument, as in `npm run screenshots -- /shop /about`. It
 * starts the built shop itself, with a temporary data folder.
 */
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { type BrowserContext, chromium, type Page } from "@playwright/test";
import { createClient } from "@supabase/supabase-js";
import { publicPages, searchPath } from "#app/features/site/navigation.ts";
import { SESSION_KEY } from "#app/lib/browser/env.ts";
import { bookSearch } from "#shared/books/book-search.ts";
import type { Database } from "#shared/calls/database.types.ts";
import { chromium as chromiumOptions, requireChromium } from "#tests/support/chromium.ts";
import { ADMIN, startShop } from "#tests/support/shop-server.ts";

const folder = join(import.meta.dirname, "../screenshots");
const widths = [360, 768, 1280];

const forEverybody = [
  ...publicPages.map(({ to }) => to),
  "/products",
  searchPath("mathematics"),
  searchPath("mathematics", { tab: "subjects" }),
  "/shop?subject=Science",
  "/auth",
  "/no-such-page",
];
const forMembers = [
  "/",
  "/shop",
  "/account",
  "/checkout",
  "/orders",
  "/quotes",
  "/wishlist",
  "/products/cambridge",
];
const forAdmins = [
  "/admin",
  "/admin/users",
  "/admin/books",
  "/admin/books/import",
  "/admin/books/digital",
  "/admin/orders",
  "/admin/reviews",
  "/admin/activity",
  "/admin/counts",
  "/admin/suppliers",
  "/admin/purchases",
  "/admin/receiving",
  "/admin/events",
  "/admin/consultations",
  "/admin/payments",
  "/admin/payments?view=closing",
  "/admin/payments?view=statement",
  "/admin/reports",
  "/admin/reports?report=margin",
  "/admin/reports?report=takings",
  "/admin/reports?report=owed",
  "/admin/reports?report=unsold",
  "/admin/reports?report=wanted",
  "/admin/reports?report=demand",
];

const wanted = process.argv.slice(2);
const isWanted = (path: string) =>
  wanted.length === 0 || wanted.some((start) => (start === "/" ? path === start : path.startsWith(start)));

requireChromium();
const shop = await startShop();
const browser = await chromium.launch(chromiumOptions());
try {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const session = await signInWithFullCart();
  for (const width of widths) {
    await photograph("visitor", width, forEverybody.filter(isWanted), null);
    await photograph("member", width, forMembers.filter(isWanted), session);
    await photograph("admin", width, forAdmins.filter(isWanted), session);
  }
} finally {
  await browser.close();
  await shop.stop();
}
console.log(`The pictures are in ${folder}.`);

/** The shop's admin with three books in the cart and one on the wishlist; the session as local storage keeps it. */
async function signInWithFullCart(): Promise<string> {
  const key = /<meta name="backend-key" content="([^"]+)"/.exec(await (await fetch(shop.url)).text())?.[1];
  const client = createClient<Database>(shop.url, key ?? "", { auth: { persistSession: false } });
  const { data, error } = await client.auth.signInWithPassword(ADMIN);
  if (error) throw error;
  const { data: books } = await client.rpc("search_books", { _search: bookSearch({ page_size: 4 }) });
  for (const book of books?.slice(0, 3) ?? []) await client.rpc("add_to_cart", { _book_id: book.id });
  const wish = books?.at(3);
  if (wish) await client.from("wishlists").insert({ user_id: data.user.id, book_id: wish.id });
  return JSON.stringify(data.session);
}

async function photograph(
  who: string,
  width: number,
  paths: string[],
  session: string | null,
): Promise<void> {
  const context: BrowserContext = await browser.newContext({
    baseURL: shop.url,
    viewport: { width, height: width < 500 ? 740 : 900 },
    reducedMotion: "reduce",
  });
  if (session) {
    await context.addInitScript(([name, value]) => localStorage.setItem(name, value), [
      SESSION_KEY,
      session,
    ] as const);
  }
  for (const path of paths) {
    const page = await context.newPage();
    await page.goto(path, { waitUntil: "load" });
    await settle(page);
    await page.screenshot({ path: join(folder, `${nameOf(path)}-${who}-${width}.png`), fullPage: true });
    await page.close();
  }
  await context.close();
}

/** Lazy pictures load when they are near the viewport: scrolling through the page once loads all of them. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    for (let y = 0; y < document.body.scrollHeight; y += window.innerHeight) {
      window.scrollTo(0, y);
      await new Promise(requestAnimationFrame);
    }
    window.scrollTo(0, 0);
  });
  await page.waitForFunction(() =>
    [...document.images].every(
      (image) => image.complete || !image.checkVisibility({ visibilityProperty: true }),
    ),
  );
  // Anything still loading on a member's page is marked as busy or has a placeholder.
  await page.waitForFunction(() => !document.querySelector('[aria-busy="true"], .animate-pulse'));
}

function nameOf(path: string): string {
  return path.replace(/^\//, "").replaceAll(/[^a-z0-9]+/gi, "-") || "home";
}
