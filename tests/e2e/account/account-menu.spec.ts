import { holdBack } from "#tests/support/intercept.ts";
import { expect } from "#tests/support/test.ts";
import { expectSignedOut, test } from "./account-pages.ts";

test("The Account menu shows the email as a disabled item, Wishlist with its count, the orders, the account, and Sign Out last", async ({
  memberPage: page,
  member,
}) => {
  await page.getByRole("button", { name: "Account" }).click();
  const menu = page.getByRole("menu", { name: "Account" });
  await expect(menu.getByRole("menuitem")).toHaveText([
    member.email,
    "Wishlist(0)",
    "My Orders",
    "My Account",
    "Sign Out",
  ]);
  await expect(menu.getByRole("menuitem", { name: member.email })).toBeDisabled();
  await menu.getByRole("menuitem", { name: "Wishlist" }).click();
  await expect(page).toHaveURL("/wishlist");
  await expect(menu).toBeHidden();
});

test("Arrow keys, Home, End, letters and Escape work in the Account menu", async ({
  memberPage: page,
  member,
}) => {
  const account = page.getByRole("button", { name: "Account" });
  const item = (name: string) => page.getByRole("menuitem", { name });
  await account.focus();
  await page.keyboard.press("Enter");
  await expect(item("Wishlist")).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect(item("My Account")).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect(item(member.email)).toBeFocused();
  await page.keyboard.press("End");
  await expect(item("Sign Out")).toBeFocused();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await expect(item("My Orders")).toBeFocused();
  await page.keyboard.press("Home");
  await expect(item(member.email)).toBeFocused();
  await page.keyboard.press("s");
  await expect(item("Sign Out")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("menu", { name: "Account" })).toBeHidden();
  await expect(account).toBeFocused();
  await page.keyboard.press("ArrowUp");
  await expect(item("Sign Out")).toBeFocused();
  await page.keyboard.press("Enter");
  await expectSignedOut(page);
});

test("Signed out, the header offers Sign In, which leads to /auth", async ({ page }) => {
  await page.goto("/shop");
  await expectSignedOut(page);
  await page.getByRole("banner").getByRole("link", { name: "Sign In" }).click();
  await expect(page).toHaveURL("/auth");
});

test("A member never sees the visitor's header, and nothing in it moves when the session arrives", async ({
  page,
  context,
  member,
  signIn,
}) => {
  await signIn(context, member);
  const release = await holdBack(page, /\/assets\/.*\.js$/);
  await page.goto("/shop", { waitUntil: "commit" });
  const account = page.getByRole("button", { name: "Account" });
  const signInLink = page.getByRole("banner").getByRole("link", { name: "Sign In" });
  await expect(account).toBeVisible();
  await expect(signInLink).toBeHidden();
  const before = await account.boundingBox();
  release();
  await expect(page.getByRole("menuitem", { name: member.email, includeHidden: true })).toBeAttached();
  expect(await account.boundingBox()).toEqual(before);
  await expect(signInLink).toBeHidden();
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the Sign In link and both tabs work, and the page says what is missing", async ({ page }) => {
    await page.goto("/shop");
    await page.getByRole("banner").getByRole("link", { name: "Sign In" }).click();
    await expect(page).toHaveURL("/auth");
    await expect(page.getByText("Accounts need JavaScript")).toBeVisible();
    await expect(page.getByRole("button", { name: "Sign In" })).toBeDisabled();
    await page.getByRole("tab", { name: "Sign Up" }).click();
    await expect(page).toHaveURL("/auth?tab=sign-up");
    await expect(page.getByLabel("Full Name")).toBeVisible();
    await expect(page.getByRole("button", { name: "Account" })).toBeHidden();
  });
});
