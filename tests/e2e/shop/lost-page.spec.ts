import type { Page } from "@playwright/test";
import { vainLook } from "#tests/support/intercept.ts";
import { startPreparedShop } from "#tests/support/prepared-folder.ts";
import { expect, expectAccessible, test } from "#tests/support/test.ts";
import { cartButton, openCart, panel } from "./cart-steps.ts";

const header = (page: Page) => page.getByRole("banner");
const alert = (page: Page) => page.getByRole("main").getByRole("alert");
const tryAgain = (page: Page) => alert(page).getByRole("link", { name: "Try Again" });
const level1 = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name });

async function expectFrame(page: Page) {
  await expect(header(page).getByLabel("Search books").filter({ visible: true })).toBeVisible();
  await expect(cartButton(page)).toBeVisible();
  await expect(page.getByRole("contentinfo")).toBeVisible();
}

/** Marks the document: a new one has no mark. */
const mark = (page: Page) => page.evaluate(() => document.documentElement.setAttribute("data-marked", ""));
const isMarked = (page: Page) => page.evaluate(() => document.documentElement.hasAttribute("data-marked"));

const openBulkOrder = (page: Page) =>
  page.getByRole("contentinfo").getByRole("link", { name: "Bulk orders" }).click();

const noBooks = "Failed to load books: We can't reach the catalogue right now";
const moves: {
  what: string;
  go: (page: Page) => Promise<void>;
  says: string | RegExp;
  there: string | RegExp;
  /** What of the page is lost first: its data, or its code, for which the page looks by itself too. */
  lost: "code" | "data";
}[] = [
  {
    what: "Shop Books",
    go: (page) => header(page).getByRole("link", { name: "Shop Books" }).click(),
    says: noBooks,
    there: "Shop Books",
    lost: "code",
  },
  {
    what: "the header's search",
    go: async (page) => {
      await header(page).getByLabel("Search books").filter({ visible: true }).fill("atlas");
      await page.keyboard.press("Enter");
    },
    says: noBooks,
    there: /atlas/,
    lost: "code",
  },
  {
    what: "a page without books",
    go: (page) => header(page).getByRole("link", { name: "Contact Us" }).click(),
    says: "We can't reach the shop right now",
    there: "Contact Us",
    lost: "data",
  },
  {
    what: "a page without data",
    go: openBulkOrder,
    says: "We can't reach the shop right now",
    there: "Bulk orders",
    lost: "code",
  },
];

test.describe("navigating the shop without a connection", () => {
  test.use({ viewport: { width: 1280, height: 900 } });

  for (const { what, go, says, there, lost } of moves)
    test(`${what}: header, cart and footer stay, and Try Again works once it is back`, async ({
      page,
      context,
      consoleLines,
    }) => {
      consoleLines.expect(/^Failed to show a page \(TypeError: Failed to fetch/);
      await page.goto("/about");
      await openCart(page);
      await page.keyboard.press("Escape");
      await context.setOffline(true);
      const looked = lost === "code" && vainLook(page);
      await go(page);
      await expect(alert(page)).toContainText(says);
      await expectFrame(page);
      await expectAccessible(page);
      await openCart(page);
      await expect(panel(page)).toBeVisible();
      await page.keyboard.press("Escape");
      await looked;
      const lookedAgain = lost === "code" && vainLook(page);
      await tryAgain(page).click();
      await expect(alert(page)).toContainText(says);
      await expectFrame(page);

      await lookedAgain;
      await context.setOffline(false);
      await tryAgain(page).click();
      await expect(level1(page, there)).toBeVisible();
      await expect(alert(page)).toHaveCount(0);
    });

  test("one click on Try Again is enough even if the first request after coming back still fails", async ({
    page,
    context,
    consoleLines,
  }) => {
    consoleLines.expect(/^Failed to show a page \(TypeError: Failed to fetch/);
    await page.goto("/about");
    await context.setOffline(true);
    const looked = vainLook(page);
    await openBulkOrder(page);
    await expect(alert(page)).toContainText("We can't reach the shop right now");
    await looked;
    await context.setOffline(false);
    await page.route("**/healthz", (route) => route.abort("internetdisconnected"), { times: 1 });
    await tryAgain(page).click();
    await expect(level1(page, "Bulk orders")).toBeVisible();
  });

  test("a filter: the filters stay, and Try Again fetches the books without a new document", async ({
    page,
    context,
    consoleLines,
  }) => {
    consoleLines.expect(/^Failed to read books \(TypeError: Failed to fetch/);
    await page.goto("/shop");
    await mark(page);
    await context.setOffline(true);
    const publisher = page.getByRole("search", { name: "Books" }).getByLabel("Publisher");
    await publisher.selectOption("Collins");
    await expect(alert(page)).toContainText(noBooks);
    await expect(publisher).toHaveValue("Collins");
    await expectFrame(page);
    await context.setOffline(false);
    await tryAgain(page).click();
    await expect(page.getByText("Book(s) Found")).toBeVisible();
    await expect(page).toHaveURL("/shop?publisher=Collins");
    expect(await isMarked(page)).toBe(true);
  });

  test("More books: those already shown stay, and Try Again adds to them", async ({
    page,
    context,
    consoleLines,
  }) => {
    consoleLines.expect(/^Failed to read books \(TypeError: Failed to fetch/);
    await page.goto("/shop");
    const books = page.getByRole("list", { name: "Books" }).getByRole("article");
    const shown = await books.count();
    await context.setOffline(true);
    await page.getByRole("link", { name: "More books" }).click();
    await expect(page.getByText(noBooks)).toBeVisible();
    await expect(books).toHaveCount(shown);
    const again = page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Try Again" });
    await expect(again).toBeFocused();
    await context.setOffline(false);
    await again.click();
    await expect.poll(() => books.count()).toBeGreaterThan(shown);
    await expect(page.getByText(noBooks)).toHaveCount(0);
    await expect(page.getByRole("link", { name: "More books" })).toBeVisible();
  });
});

test("A page of an older release, whose code no longer exists, opens the next one as a new document", async ({
  page,
  consoleLines,
}) => {
  consoleLines.expect(/^Failed to show a page \(TypeError: Failed to fetch/);
  await page.goto("/about");
  await mark(page);
  await page.route(/\/assets\/contact-/, (route) => route.fulfill({ status: 404 }), { times: 1 });
  await header(page).getByRole("link", { name: "Contact Us" }).click();
  await expect(level1(page, "Contact Us")).toBeVisible();
  expect(await isMarked(page)).toBe(false);
});

test("When the server is down, navigating the shop says so inside the page", async ({
  page,
  consoleLines,
}) => {
  test.slow();
  consoleLines.expect(/^Failed to read books \(TypeError: Failed to fetch/);
  consoleLines.expect(/^Failed to show a page \(TypeError: Failed to fetch/);
  const shop = await startPreparedShop("demo");
  await page.goto(`${shop.url}/shop`);
  await shop.kill();
  await page.getByRole("search", { name: "Books" }).getByLabel("Publisher").selectOption("Collins");
  await expect(alert(page)).toContainText(noBooks);
  await header(page).getByRole("link", { name: "About Us" }).click();
  await expect(alert(page)).toContainText("We can't reach the shop right now");
  await expectFrame(page);
  await shop.stop();
});
