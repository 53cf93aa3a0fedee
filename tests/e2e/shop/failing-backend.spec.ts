import { startFailingBackend } from "#tests/support/failing-backend.ts";
import { START_MS, startShop } from "#tests/support/shop-server.ts";
import { expect, expectAccessible, test } from "#tests/support/test.ts";

test("while the backend fails, the catalogue shows an accessible message and offers to try again", async ({
  page,
}) => {
  test.setTimeout(START_MS);
  const backend = await startFailingBackend();
  const broken = await startShop({
    SUPABASE_URL: backend.url,
    SUPABASE_PUBLISHABLE_KEY: "sb_publishable_test",
  });
  try {
    const response = await page.goto(`${broken.url}/shop`);
    expect(response?.status()).toBe(503);
    const alert = page.getByRole("alert");
    await expect(alert).toContainText(/^Failed to load books: [A-Z]/);
    await expectAccessible(page);
    await alert.getByRole("link", { name: "Try Again" }).click();
    await expect(alert).toContainText(/^Failed to load books: [A-Z]/);
  } finally {
    await broken.stop();
    await backend.stop();
  }
});
