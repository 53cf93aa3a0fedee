import { SESSION_KEY } from "#app/lib/env.ts";
import { addBook, fillCart } from "#tests/support/factories.ts";
import { expect, expectAccessible, test } from "#tests/support/test.ts";
import { openCart, panel, quantity } from "./cart-steps.ts";
import {
  banner,
  expectNoSidewaysScroll,
  expireToken,
  keptKeys,
  level1,
  storedPages,
  untilControlled,
  untilFileStored,
  untilStored,
} from "./offline-steps.ts";

test.use({ serviceWorkers: "allow", viewport: { width: 360, height: 740 } });

test("Cart and wishlist are readable offline, even once the session would have to be renewed; a failed change says so", async ({
  page,
  context,
  admin,
  member,
  signIn,
  consoleLines,
}) => {
  const [inCart, wished] = [await addBook(admin.client), await addBook(admin.client)];
  await fillCart(member.client, inCart.id, 3);
  await member.client.from("wishlists").insert({ user_id: member.id, book_id: wished.id });
  await signIn(context, member);
  await page.goto("/about");
  await untilControlled(page);
  await page.goto("/wishlist");
  await expect(page.getByRole("heading", { name: wished.title })).toBeVisible();
  await untilStored(page, "/wishlist");
  for (const code of ["offline-area", "cart-panel", "toaster", "session-backend"])
    await untilFileStored(page, code);
  await expect.poll(() => keptKeys(page)).toContain("adwene-saved-cart");

  await context.setOffline(true);
  await expireToken(context);
  await page.reload();
  await expect(banner(page).first()).toContainText("We can't reach the shop.");
  await expect(page.getByRole("heading", { name: wished.title })).toBeVisible();
  await openCart(page);
  await expect(panel(page)).toContainText(inCart.title);
  await expect(panel(page)).toContainText(/We can't reach the shop\. Saved \d+ \w+ \d{4}/);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);

  consoleLines.expect(/^Failed to update quantity/);
  await panel(page)
    .getByRole("button", { name: `Increase quantity of ${inCart.title}` })
    .click();
  await expect(page.getByText("Failed to update quantity")).toBeVisible();
  await expect(quantity(page, inCart.title)).toHaveValue("3");

  await context.setOffline(false);
  await page.reload();
  await expect(banner(page)).toHaveCount(0);
  await openCart(page);
  await expect(quantity(page, inCart.title)).toHaveValue("3");
  await expect(panel(page)).not.toContainText("We can't reach the shop");
});

test("A form that cannot be sent keeps what was typed", async ({ page, context, member, consoleLines }) => {
  await page.goto("/about");
  await untilControlled(page);
  await page.goto("/auth");
  await untilFileStored(page, "toaster");
  await page.getByLabel("Email").fill(member.email);
  await page.getByLabel("Password").fill(member.password);
  await context.setOffline(true);
  consoleLines.expect(/^Sign-in failed/);
  await page.getByRole("main").getByRole("button", { name: "Sign In" }).click();
  await expect(page.getByText(/We can't reach the shop right now/)).toBeVisible();
  await expect(page.getByLabel("Email")).toHaveValue(member.email);
  await expect(page.getByLabel("Password")).toHaveValue(member.password);
  await context.setOffline(false);
  await page.getByRole("main").getByRole("button", { name: "Sign In" }).click();
  await expect(page).toHaveURL("/shop");
});

test("Personal pages are never stored, and after signing out nothing personal stays, in any tab", async ({
  page,
  context,
  admin,
  member,
  signIn,
}) => {
  const book = await addBook(admin.client);
  await fillCart(member.client, book.id);
  await signIn(context, member);
  await page.goto("/about");
  await untilControlled(page);
  for (const path of ["/orders", "/account", "/quotes", "/shop"]) await page.goto(path);
  await untilStored(page, "/shop");
  const other = await context.newPage();
  await other.goto("/checkout");
  await other.getByLabel("City").fill("Cape Coast");
  await expect.poll(() => keptKeys(other)).toContain("adwene-checkout");
  await expect.poll(() => keptKeys(page)).toContain("adwene-saved-cart");
  expect(
    (await storedPages(page)).filter((path) => /^\/(orders|account|quotes|checkout)/.test(path)),
  ).toEqual([]);

  await page.bringToFront();
  await page.getByRole("button", { name: "Account" }).click();
  await page.getByRole("menuitem", { name: "Sign Out" }).click();
  await expect(page.getByRole("banner").getByRole("link", { name: "Sign In" })).toBeVisible();
  await expect.poll(() => storedPages(page)).toEqual([]);
  for (const tab of [page, other]) await expect.poll(() => keptKeys(tab)).toEqual([]);
  await expect(level1(other, "Checkout")).toHaveCount(0);
});

test("A personal page that the Back button restores after signing out is closed", async ({
  page,
  context,
  member,
  signIn,
}) => {
  await signIn(context, member);
  await page.goto("/orders");
  await expect(level1(page, "My Orders")).toBeVisible();
  // As the browser does: it keeps the page as it was, and fires pageshow when it is shown again.
  await page.evaluate((key) => {
    localStorage.removeItem(key);
    window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
  }, SESSION_KEY);
  await expect(page).toHaveURL(/\/auth/);
});
