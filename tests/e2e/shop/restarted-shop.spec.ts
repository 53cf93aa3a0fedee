import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { START_MS, startShop } from "#tests/support/shop-server.ts";
import { expect, test } from "#tests/support/test.ts";

test("a page that was open when the shop's process was killed works on", async ({ page }) => {
  test.setTimeout(START_MS);
  const shop = await startShop();
  const processId = async () =>
    (JSON.parse(await readFile(join(shop.dataDir, "backend.lock"), "utf8")) as { pid: number }).pid;
  try {
    await page.goto(`${shop.url}/shop`);
    const books = page.getByRole("main").getByRole("article");
    await expect(books.first()).toBeVisible();
    await expect(page.locator("html")).toHaveAttribute("data-alive", "");
    await page.evaluate(() => Object.assign(window, { isSameDocument: true }));
    const before = await processId();
    process.kill(before, "SIGKILL");
    await expect
      .poll(
        () =>
          fetch(`${shop.url}/readyz`).then(
            ({ ok }) => ok,
            () => false,
          ),
        { timeout: START_MS },
      )
      .toBe(true);
    expect(await processId()).not.toBe(before);
    await page.getByRole("searchbox").first().fill("maths");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/q=maths/);
    await expect(books.first()).toContainText(/maths/i);
    expect(await page.evaluate(() => "isSameDocument" in window)).toBe(true);
  } finally {
    await shop.stop();
  }
});
