import { type FailingBackend, startFailingBackend } from "#tests/support/failing-backend.ts";
import { type ShopServer, START_MS, startShop } from "#tests/support/shop-server.ts";
import { expect, expectAccessible, test } from "#tests/support/test.ts";

test.describe("while the backend fails", () => {
  // In one worker after each other, or each test would start a shop of its own.
  test.describe.configure({ mode: "default" });
  let backend: FailingBackend;
  let broken: ShopServer;

  test.beforeAll(async () => {
    test.setTimeout(START_MS);
    backend = await startFailingBackend();
    broken = await startShop({ SUPABASE_URL: backend.url, SUPABASE_PUBLISHABLE_KEY: "sb_publishable_test" });
  });
  test.afterAll(async () => {
    await broken?.stop();
    await backend?.stop();
  });

  for (const path of ["/shop", "/search?q=maths", "/products/cambridge", "/products/cgp"]) {
    test(`${path} says that books could not be loaded, and offers to try again`, async ({ browser }) => {
      // The way out works without JavaScript too.
      for (const javaScriptEnabled of [true, false]) {
        const context = await browser.newContext({ javaScriptEnabled });
        const page = await context.newPage();
        const response = await page.goto(broken.url + path);
        expect(response?.status()).toBe(503);
        const alert = page.getByRole("alert");
        await expect(alert).toContainText(/^Failed to load books: [A-Z]/);
        await expect(page.getByText("private words")).toHaveCount(0);
        await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
        await expect(alert.getByRole("link", { name: "Try Again" })).toHaveAttribute("href", path);
        if (javaScriptEnabled) await expectAccessible(page);
        await context.close();
      }
    });
  }

  for (const path of ["/", "/about", "/contact", "/guidance", "/events", "/products", "/search"]) {
    test(`${path} is still shown`, async ({ request }) => {
      expect((await request.get(broken.url + path)).status()).toBe(200);
    });
  }
});
