import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { isOwnPage } from "#app/features/offline/stored.ts";
import { SESSION_KEY } from "#app/lib/browser/env.ts";
import { addBook, dataOf, fillCart, newTitle, placeOrder } from "#tests/support/factories.ts";
import { expectMessage } from "#tests/support/messages.ts";
import { expect, expectAccessible, type Member, test } from "#tests/support/test.ts";
import { numberOf } from "../admin/back-office.ts";
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

/** An order, an offered quote and a profile of this member, with texts that no one else has. */
async function fillAccount(admin: Member, member: Member) {
  const book = await addBook(admin.client, { price: 45.5 });
  const street = `${newTitle("Castle")} Road`;
  const orderId = await placeOrder(member, book, 2, { shipping_address: street });
  await fillCart(member.client, book.id, 30);
  const quoteId = randomUUID();
  const school = newTitle("Baobab School");
  await dataOf(
    member.client.rpc("request_quote", {
      _quote_id: quoteId,
      _institution: school,
      _contact_name: "Bursar of the test",
      _contact_email: "bursar@school.example",
      _contact_phone: "+233201234567",
    }),
  );
  await dataOf(admin.client.rpc("send_quote", { _quote_id: quoteId, _version: 1 }));
  const name = newTitle("Reader");
  await dataOf(
    member.client.from("profiles").update({ full_name: name }).eq("id", member.id).select("id").single(),
  );
  return {
    name,
    street,
    school,
    orderNumber: await numberOf(admin, orderId),
    orderPath: `/order-confirmation/${orderId}`,
    quotePath: `/quotes/${quoteId}`,
  };
}

type Filled = Awaited<ReturnType<typeof fillAccount>>;

/** The pages, with something on each that only their owner may see. */
const ownPages = (filled: Filled) =>
  [
    ["/orders", `Order ${filled.orderNumber}`],
    [filled.orderPath, filled.street],
    ["/quotes", filled.school],
    [filled.quotePath, filled.school],
    ["/account", filled.name],
  ] as const;

/** On the account's page it is typed into a field. */
const isShown = async (page: Page, text: string) =>
  (await page.getByText(text).count()) > 0 ||
  (await page
    .locator("input")
    .evaluateAll((boxes: HTMLInputElement[], value) => boxes.some((box) => box.value === value), text));

const expectShown = (page: Page, text: string) =>
  expect.poll(() => isShown(page, text), { message: text, timeout: 20_000 }).toBe(true);

/** An order, a quote and the account: what is deleted, is deleted with the lists of them too. */
const singleOwnPages = (filled: Filled) =>
  ownPages(filled).filter(([path]) => /^\/(order-|quotes\/|account)/.test(path));

async function visitOwnPages(page: Page, pages: ReturnType<typeof singleOwnPages>): Promise<void> {
  await page.goto("/about");
  await untilControlled(page);
  for (const [path, text] of pages) {
    await page.goto(path);
    await expectShown(page, text);
    await untilStored(page, path);
  }
  for (const code of ["offline-area", "toaster", "session-backend"]) await untilFileStored(page, code);
}

/** Everything that this browser has stored for the site, as text. */
const everythingStored = (page: Page) =>
  page.evaluate(async () => {
    const texts = [JSON.stringify(localStorage), JSON.stringify(sessionStorage)];
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        texts.push(request.url);
        if (name.includes("pages")) texts.push((await (await cache.match(request))?.text()) ?? "");
      }
    }
    return texts.join("\n");
  });

test("A customer's own orders, quotes and details are readable offline with their time, and changes say that they failed", async ({
  page,
  context,
  admin,
  member,
  signIn,
  consoleLines,
}) => {
  test.slow();
  const filled = await fillAccount(admin, member);
  await signIn(context, member);
  await visitOwnPages(page, [...ownPages(filled)]);

  await context.setOffline(true);
  await expireToken(context);
  for (const [path, text] of ownPages(filled)) {
    await page.goto(path);
    await expectShown(page, text);
    await expect(
      page.getByText(/^Saved \d+ \w+ \d{4}, \d\d:\d\d\. It may have changed since\.$/),
    ).toBeVisible();
    await expect(banner(page).first()).toContainText("We can't reach the shop.");
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  }

  const offlineMessage = "We can't reach the shop right now. Check your connection and try again.";
  // From the list to an order by client-side navigation.
  await page.goto("/orders");
  await page.getByRole("link", { name: `Order ${filled.orderNumber}` }).click();
  await expectShown(page, filled.street);
  consoleLines.expect(/^Failed to cancel order/);
  await page.getByRole("button", { name: "Cancel Order" }).click();
  await page.getByRole("button", { name: "Yes, cancel it" }).click();
  await expectMessage(page, "Failed to cancel order", offlineMessage);
  await expect(level1(page, "Your order is placed")).toBeVisible();
  consoleLines.expect(/^Failed to add/);
  await page.getByRole("button", { name: "Order again" }).click();
  await expectMessage(page, "Failed to add to cart", offlineMessage);

  await page.goto(filled.quotePath);
  consoleLines.expect(/^Failed to decline the quote/);
  await page.getByRole("button", { name: "Decline Quote" }).click();
  await page.getByRole("button", { name: "Yes, decline it" }).click();
  await expectMessage(page, "Failed to decline the quote", offlineMessage);
  await expect(page.getByRole("button", { name: "Decline Quote" })).toBeVisible();

  await page.goto("/account");
  await page.getByLabel("Full Name").fill("Somebody else");
  await page.getByRole("button", { name: "Save Details" }).click();
  await expectMessage(page, "Failed to save your details", /^These are the details we saved earlier\./);
  consoleLines.expect(/^Failed to download your data/);
  await page.getByRole("heading", { name: "Your data and devices" }).click();
  await page.getByRole("button", { name: "Download My Data" }).click();
  await expectMessage(page, "Failed to download your data", offlineMessage);

  // An order that was not opened here isn't reported as missing, and a printable document is never stored.
  const other = "/order-confirmation/00000000-0000-4000-8000-000000000000";
  await page.goto(other);
  await expect(level1(page, "This page hasn't loaded")).toBeVisible();
  const list = page.getByRole("region", { name: "Pages you can read now" });
  for (const name of ["My Orders", "My Quotes", "My Account"])
    await expect(list.getByRole("link", { name })).toHaveCount(1);
  await expect(list.getByRole("link", { name: "Your order" })).toHaveCount(0);

  await context.setOffline(false);
  await page.goto(filled.orderPath);
  await expectShown(page, filled.street);
  await expect(banner(page)).toHaveCount(0);
  await expect(page.getByText(/^Saved/)).toHaveCount(0);
});

test("A visitor's browser stores no customer pages", async ({ page }) => {
  await page.goto("/about");
  await untilControlled(page);
  for (const path of ["/orders", "/account", "/quotes"]) {
    await page.goto(path);
    await expect(page).toHaveURL(/\/auth/);
  }
  await page.goto("/shop");
  await untilStored(page, "/shop");
  expect((await storedPages(page)).filter(isOwnPage)).toEqual([]);
});

test("Signing out deletes everything personal in every tab, so that nothing can be read offline", async ({
  page,
  context,
  admin,
  member,
  signIn,
}) => {
  test.slow();
  const filled = await fillAccount(admin, member);
  await signIn(context, member);
  await visitOwnPages(page, singleOwnPages(filled));
  const other = await context.newPage();
  await other.goto("/checkout");
  await other.getByLabel("City").fill("Cape Coast");
  await expect.poll(() => keptKeys(other)).toContain("adwene-checkout");
  await expect.poll(() => keptKeys(page)).toContain("adwene-saved-cart");
  expect((await storedPages(page)).filter((path) => /checkout|receipt|\/new/.test(path))).toEqual([]);

  await page.bringToFront();
  await page.getByRole("button", { name: "Account", exact: true }).click();
  await page.getByRole("menuitem", { name: "Sign Out" }).click();
  await expect(page.getByRole("banner").getByRole("link", { name: "Sign In" })).toBeVisible();
  await expect.poll(() => storedPages(page)).toEqual([]);
  for (const tab of [page, other]) await expect.poll(() => keptKeys(tab)).toEqual([]);
  await expect(level1(other, "Checkout")).toHaveCount(0);

  await context.setOffline(true);
  for (const [path, text] of singleOwnPages(filled)) {
    await page.goto(path);
    await expect(level1(page, "This page hasn't loaded")).toBeVisible();
    expect(await everythingStored(page)).not.toContain(text);
  }
  await context.setOffline(false);
});

test("When a session ends or someone else signs in, stored pages are deleted and never shown", async ({
  page,
  context,
  admin,
  member,
  newMember,
  signIn,
}) => {
  test.slow();
  const filled = await fillAccount(admin, member);
  const next = await newMember();
  await signIn(context, member);
  await visitOwnPages(page, singleOwnPages(filled));

  // The server has ended it; the browser learns that when it renews its token.
  await member.client.auth.signOut({ scope: "global" });
  await expireToken(context);
  await page.goto("/about");
  await expect(page.getByRole("banner").getByRole("link", { name: "Sign In" })).toBeVisible();
  await expect.poll(async () => (await storedPages(page)).filter((path) => path !== "/about")).toEqual([]);
  for (const [, text] of singleOwnPages(filled)) expect(await everythingStored(page)).not.toContain(text);

  // The same browser, as if the first session had stayed and the next person had signed in over it.
  const { data } = await next.client.auth.getSession();
  await page.evaluate(([key, session]) => localStorage.setItem(key, session), [
    SESSION_KEY,
    JSON.stringify(data.session),
  ] as const);
  for (const [path, text] of singleOwnPages(filled)) {
    await page.goto(path);
    await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
    expect(await isShown(page, text)).toBe(false);
  }
  await context.setOffline(true);
  for (const [path, text] of singleOwnPages(filled)) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    expect(await isShown(page, text)).toBe(false);
    expect(await everythingStored(page)).not.toContain(text);
  }
  await context.setOffline(false);
});

test("Stored pages are deleted when another account signs in without a sign-out", async ({
  page,
  context,
  admin,
  member,
  newMember,
  signIn,
  consoleLines,
}) => {
  test.slow();
  consoleLines.expect(/^Failed to (load|read|fetch)/);
  const filled = await fillAccount(admin, member);
  const next = await newMember();
  await signIn(context, member);
  await visitOwnPages(page, [...ownPages(filled)]);
  const { data } = await next.client.auth.getSession();
  await page.evaluate(([key, session]) => localStorage.setItem(key, session), [
    SESSION_KEY,
    JSON.stringify(data.session),
  ] as const);
  // Even before the shop responds: the stored pages contain no data, and the saved copies are another user's.
  await context.setOffline(true);
  for (const [path, text] of ownPages(filled)) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
    expect(await isShown(page, text)).toBe(false);
  }
  await context.setOffline(false);
  await page.goto("/shop");
  await expect.poll(async () => (await storedPages(page)).filter(isOwnPage)).toEqual([]);
  for (const [, text] of ownPages(filled))
    await expect.poll(async () => (await everythingStored(page)).includes(text)).toBe(false);
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
