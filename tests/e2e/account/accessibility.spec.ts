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
