import { startPreparedShop } from "#tests/support/prepared-folder.ts";
import { startShop } from "#tests/support/shop-server.ts";
import { expect, expectAccessible, test } from "#tests/support/test.ts";
import { cartButton, openCart, panel } from "./cart-steps.ts";
import {
  banner,
  expectNoSidewaysScroll,
  go,
  level1,
  storedPages,
  untilControlled,
  untilFileStored,
  untilStored,
} from "./offline-steps.ts";

test.use({ serviceWorkers: "allow", viewport: { width: 360, height: 740 } });

test("Pages visited before, as documents or inside the shop, are readable offline, and say so", async ({
  page,
  context,
  consoleLines,
}) => {
  consoleLines.expect(/^Failed to read books \(TypeError: Failed to fetch/);
  await page.goto("/about");
  await untilControlled(page);
  await go(page, "Collins");
  await expect(level1(page, /Collins/)).toBeVisible();
  await untilStored(page, "/about");
  await untilStored(page, "/products/collins");
  await page.goto("/shop");
  await untilStored(page, "/shop");
  for (const code of ["offline-area", "cart-panel", "toaster"]) await untilFileStored(page, code);
  const title = await page.getByRole("article").getByRole("heading").first().innerText();

  await context.setOffline(true);
  await expect(banner(page)).toContainText("You're offline. You can still read pages you've visited.");
  await page.reload();
  await expect(page.getByRole("article").getByRole("heading", { name: title })).toBeVisible();
  await expect(banner(page)).toContainText(/We can't reach the shop\. Saved \d+ \w+ \d{4}, \d\d:\d\d/);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await openCart(page);
  await expect(panel(page)).toContainText("Your cart is empty");
  await page.keyboard.press("Escape");

  // Inside the shop: one page is put together by the router, another one opens as the document that is stored.
  await go(page, "About Us");
  await expect(level1(page, "About Us")).toBeVisible();
  await go(page, "Collins");
  await expect(level1(page, /Collins/)).toBeVisible();
  await expect(banner(page)).toContainText("Saved");

  // A page that was never visited, inside the shop (another publisher's, whose code is there) and as a document.
  await go(page, "Cambridge University Press");
  await expect(page.getByRole("main").getByRole("alert")).toContainText(
    "We can't reach the catalogue right now",
  );
  await expect(cartButton(page)).toBeVisible();
  await page.goto("/events?from=mail");
  await expect(level1(page, "This page hasn't loaded")).toBeVisible();
  await expect(page.getByRole("banner")).toBeVisible();
  await expect(cartButton(page)).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page
    .getByRole("region", { name: "Pages you can read now" })
    .getByRole("link", { name: /Collins/ })
    .focus();
  await page.keyboard.press("Enter");
  await expect(level1(page, /Collins/)).toBeVisible();

  await page.goto("/events?from=mail");
  await context.setOffline(false);
  await page.getByRole("link", { name: "Try Again" }).focus();
  await page.keyboard.press("Enter");
  await expect(level1(page, /Events/)).toBeVisible();
  await expect(page).toHaveURL("/events?from=mail");
  await expect(banner(page)).toHaveCount(0);
});

test("While the shop responds, nothing stored is shown", async ({ page, context }) => {
  await page.goto("/contact");
  await untilControlled(page);
  await page.goto("/contact");
  await untilStored(page, "/contact");
  await page.evaluate(async () => {
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      const headers = { "Content-Type": "text/html" };
      if (await cache.match("/contact"))
        await cache.put("/contact", new Response("<h1>Old</h1>", { headers }));
    }
  });
  await page.goto("/contact");
  await expect(level1(page, "Contact Us")).toBeVisible();
  await context.setOffline(true);
  await page.reload();
  await expect(level1(page, "Contact Us")).toBeVisible();
  await context.setOffline(false);
});

test("The shop can be installed", { tag: "@gate" }, async ({ page, context }) => {
  await page.goto("/");
  const browser = await context.newCDPSession(page);
  const { data, errors } = await browser.send("Page.getAppManifest");
  expect(errors).toEqual([]);
  expect(JSON.parse(data ?? "{}")).toMatchObject({
    display: "standalone",
    start_url: "/",
    scope: "/",
    id: "/",
  });
  const { installabilityErrors } = await browser.send("Page.getInstallabilityErrors");
  // Each test's browser is a private window, in which nothing can be installed.
  expect(installabilityErrors.filter(({ errorId }) => errorId !== "in-incognito")).toEqual([]);
});

test("When the shop is down its pages are still readable, and the owner can remove the worker and everything it stored", async ({
  page,
}) => {
  test.slow();
  const shop = await startPreparedShop("demo");
  const { port } = new URL(shop.url);
  await page.goto(`${shop.url}/about`);
  await untilControlled(page);
  await page.goto(`${shop.url}/guidance`);
  await untilStored(page, "/guidance");
  await shop.kill();
  await page.reload();
  await expect(level1(page, /Guidance/)).toBeVisible();
  await expect(banner(page)).toContainText("We can't reach the shop. Saved");
  expect(await storedPages(page)).toContain("/guidance");

  const again = await startShop({ PORT: port, SHOP_DEMO: "0", OFFLINE_PAGES: "0" });
  await page.getByRole("button", { name: "Try Again" }).click();
  await expect(banner(page)).toHaveCount(0);
  const workers = () => page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length);
  await expect.poll(workers).toBe(0);
  await expect.poll(() => page.evaluate(() => caches.keys())).toEqual([]);
  // As a page does whose code comes later than that: the browser brings the removed worker back.
  await page.evaluate(() =>
    navigator.serviceWorker.register("/service-worker.js", { updateViaCache: "none" }),
  );
  await go(page, "About Us");
  await expect.poll(workers).toBe(0);
  await again.stop();
  await shop.stop();
});
