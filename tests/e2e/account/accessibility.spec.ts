import { addBook, fillCart, placeOrder } from "#tests/support/factories.ts";
import { expect, expectAccessibleAtWidths } from "#tests/support/test.ts";
import { openSignIn, openSignUp, test } from "./account-pages.ts";

// A toast that is still fading in has no contrast to judge.
test.use({ contextOptions: { reducedMotion: "reduce" } });

test("the account pages have no accessibility violation and do not scroll sideways", async ({ page }) => {
  for (const address of ["/auth", "/auth?tab=sign-up", "/auth?tab=forgot-password", "/auth/reset"]) {
    await page.goto(address);
    await expect(page.getByRole("button", { name: /^(Sign In|Sign Up|Send the link)$/ })).toBeEnabled();
    await expectAccessibleAtWidths(page);
  }
});

test("messages about fields have no accessibility violation", async ({ page }) => {
  await openSignUp(page);
  await page.getByRole("button", { name: "Sign Up" }).click();
  await expect(page.getByText("Please enter your name.")).toBeVisible();
  await expectAccessibleAtWidths(page);
  await openSignIn(page);
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page.getByText("Please enter your email.")).toBeVisible();
  await expectAccessibleAtWidths(page);
});

test("the open Account menu has no accessibility violation", async ({ memberPage: page }) => {
  await page.getByRole("button", { name: "Account" }).click();
  await expect(page.getByRole("menu", { name: "Account" })).toBeVisible();
  await expectAccessibleAtWidths(page);
});

test("checks a customer's orders, account and checkout with axe, on a phone", { tag: "@gate" }, async ({
  page,
  context,
  admin,
  member,
  signIn,
}) => {
  const book = await addBook(admin.client);
  await placeOrder(member, book);
  await fillCart(member.client, book.id);
  await signIn(context, member);
  for (const [path, loaded] of [
    ["/orders", page.getByRole("list", { name: "Orders" })],
    ["/account", page.getByRole("region", { name: "Details" }).getByLabel("Full Name")],
    ["/checkout", page.getByRole("button", { name: "Place Order" })],
  ] as const) {
    await page.goto(path);
    await expect(loaded).toBeVisible();
    await expectAccessibleAtWidths(page, [360]);
  }
});
