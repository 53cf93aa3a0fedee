import { startPreparedShop } from "#tests/support/prepared-folder.ts";
import { type ShopServer, START_MS } from "#tests/support/shop-server.ts";
import { test as base, expect, expectAccessibleAtWidths } from "#tests/support/test.ts";

const BOOKS = 2_430;

/** A separate shop, because its catalogue is larger than other tests expect. */
const test = base.extend<object, { shop: ShopServer }>({
  shop: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from the pattern
    async ({}, use) => {
      const shop = await startPreparedShop("empty");
      await use(shop);
      await shop.stop();
    },
    { scope: "worker", timeout: START_MS + 10_000 },
  ],
});

test("a sorted catalogue says where it ends and links to a narrower search and to the rest by title", async ({
  page,
  browser,
  baseURL,
  admin,
}) => {
  for (let start = 0; start < BOOKS; start += 405) {
    const books = Array.from({ length: 405 }, (_, at) => ({
      title: `Reader ${String(start + at).padStart(4, "0")}`,
      publisher: at < 5 ? "Sedco" : "Collins",
      price: 1 + start + at,
      stock_quantity: 1,
    }));
    expect((await admin.client.from("books").insert(books)).error).toBeNull();
  }
  const end = page.getByText("This order ends after 2,400 of 2,430 books.");
  const more = page.getByRole("link", { name: "More books" });

  await page.goto("/shop?sort=price&page=99");
  await expect(page.getByText("Page 99 of 100")).toBeVisible();
  await expect(end).toHaveCount(0);
  await more.click();
  await expect(page.getByText("Pages 99 to 100 of 100")).toBeVisible();
  await expect(end).toBeVisible();
  await expect(more).toHaveCount(0);
  await expectAccessibleAtWidths(page);

  await page.getByRole("link", { name: "Narrow your search" }).click();
  await expect(page.getByRole("searchbox", { name: "Search the catalogue" })).toBeInViewport();
  await page.getByRole("link", { name: "go through all of them by title" }).click();
  await expect(page).toHaveURL("/shop");
  await expect(page.getByText("Page 1 of 102")).toBeVisible();

  // A narrower search ends with its last book, and the order of titles goes on beyond the numbered pages.
  await page.goto("/shop?publisher=Sedco&sort=price&page=2");
  await expect(page.getByText("Page 2 of 2")).toBeVisible();
  await expect(end).toHaveCount(0);
  await page.goto("/shop?page=100");
  await expect(page.getByText("Page 100 of 102")).toBeVisible();
  await expect(end).toHaveCount(0);
  await expect(more).toBeVisible();

  const withoutScript = await browser.newContext({ javaScriptEnabled: false, baseURL });
  const plain = await withoutScript.newPage();
  await plain.goto("/shop?sort=newest&page=100");
  await expect(plain.getByText("This order ends after 2,400 of 2,430 books.")).toBeVisible();
  await withoutScript.close();
});
