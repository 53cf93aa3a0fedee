import type { Page, Request } from "@playwright/test";
import { addBook, fillCart } from "#tests/support/factories.ts";
import { expect, findOnShelf, test } from "#tests/support/test.ts";
import { cartButton, openCart, panel, quantity } from "./cart-steps.ts";

/** What is fetched only when it is needed: the cart's panel and the drawing side of the messages. */
const LATE_CODE = /\/assets\/(cart-panel|toaster)-/;

/** What code was requested, and whether it is there: parts of a page bring parts of their own. */
function watchScripts(page: Page) {
  const paths = (requests: Iterable<Request>) =>
    [...requests].map((request) => new URL(request.url()).pathname);
  const asked = new Set<Request>();
  const fetched = new Set<Request>();
  page.on("request", (request) => request.url().endsWith(".js") && asked.add(request));
  page.on("requestfinished", (request) => fetched.add(request));
  return {
    fetched: () => paths(fetched),
    onTheirWay: () => paths([...asked].filter((request) => !fetched.has(request))),
  };
}

test.describe("a connection that drops", () => {
  test("keeps the page when the cart's code cannot be fetched, and the next click opens it", {
    tag: "@gate",
  }, async ({ page, consoleLines }) => {
    consoleLines.expect(/^Failed to load cart/);
    consoleLines.expect(/^Failed to load the toaster/);
    // Before the page can fetch it on its own.
    await page.route(LATE_CODE, (route) => route.abort("internetdisconnected"));
    await page.goto("/shop");
    const messagesFailed = page.waitForEvent("console", (line) =>
      /^Failed to load the toaster/.test(line.text()),
    );
    await cartButton(page).click();
    await messagesFailed;
    await expect(page.getByRole("heading", { level: 1, name: "Shop Books" })).toBeVisible();

    await page.unroute(LATE_CODE);
    await page.evaluate(() => window.dispatchEvent(new Event("online")));
    await expect(page.getByText("Failed to load cart")).toBeVisible();
    await expect(page.getByText("We can't reach the shop right now.")).toBeVisible();
    await openCart(page);
    await expect(panel(page).getByText("Your cart is empty")).toBeVisible();
  });

  test("still shows a member's cart, and reverts a quantity that could not be saved", async ({
    page,
    context,
    admin,
    member,
    signIn,
    consoleLines,
  }) => {
    const book = await addBook(admin.client);
    await fillCart(member.client, book.id, 3);
    await signIn(context, member);
    const scripts = watchScripts(page);
    await findOnShelf(page, book.title);
    await expect(cartButton(page)).toHaveText(/3 items/);
    for (const late of ["cart-panel", "toaster"])
      await expect
        .poll(() => scripts.fetched().some((path) => path.startsWith(`/assets/${late}-`)))
        .toBe(true);
    await expect.poll(() => scripts.onTheirWay()).toEqual([]);
    consoleLines.expect(/^Failed to update quantity/);
    await context.setOffline(true);
    await openCart(page);
    await panel(page)
      .getByRole("button", { name: `Increase quantity of ${book.title}` })
      .click();
    await expect(page.getByText("Failed to update quantity")).toBeVisible();
    await expect(quantity(page, book.title)).toHaveValue("3");
    await context.setOffline(false);
  });
});
