import { expectMessage } from "#tests/support/messages.ts";
import { findMail } from "#tests/support/outbox.ts";
import { expect, test } from "#tests/support/test.ts";
import {
  chooseTab,
  expectSignedIn,
  expectSignedOut,
  newVisitor,
  openSignIn,
  signInByForm,
  signUp,
} from "./account-pages.ts";

test("A customer signs in, is welcomed and lands on /shop", { tag: "@gate" }, async ({ page, member }) => {
  await signInByForm(page, member);
  await expectMessage(page, "Welcome back!");
  await expect(page).toHaveURL("/shop");
  await expectSignedIn(page, member.email);
});

test("A signed-in customer is redirected from /auth to /shop", async ({ page, context, member, signIn }) => {
  await signIn(context, member);
  for (const address of ["/auth", "/auth?tab=sign-up", "/auth?tab=forgot-password"]) {
    await page.goto(address);
    await expect(page).toHaveURL("/shop");
  }
});

test("A wrong password shows the provider's own message, and the email stays filled in", {
  tag: "@gate",
}, async ({ page, member, consoleLines }) => {
  consoleLines.expect(/^Sign-in failed \(BackendFailure: 400 invalid_credentials\)$/);
  await signInByForm(page, { ...member, password: "not this one" });
  await expectMessage(page, "Invalid login credentials");
  await expect(page).toHaveURL("/auth");
  await expect(page.getByLabel("Email")).toHaveValue(member.email);
  await expectSignedOut(page);
});

test("Empty fields show 'Please fill in all fields'", async ({ page, member }) => {
  await openSignIn(page);
  await page.getByRole("button", { name: "Sign In" }).click();
  await expectMessage(page, "Please fill in all fields");
  await expect(page.getByLabel("Email")).toBeFocused();
  await page.getByLabel("Email").fill(member.email);
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page.getByLabel("Password")).toBeFocused();
});

test(
  "No one can sign in before following the emailed link, and the email can be sent again",
  { tag: "@gate" },
  async ({ page, shop, consoleLines }, info) => {
    const visitor = newVisitor(info.testId);
    consoleLines.expect(/^Sign-in failed \(BackendFailure: 400 email_not_confirmed\)$/);
    consoleLines.expect(
      /^Failed to send the verification email \(BackendFailure: 429 over_email_send_rate_limit\)$/,
    );
    await signUp(page, visitor);
    await findMail(shop.dataDir, visitor.email);
    await chooseTab(page, "Sign In");
    await page.getByLabel("Password").fill(visitor.password);
    await page.getByRole("button", { name: "Sign In" }).click();
    await expectMessage(page, "Email not confirmed");
    await expect(page.getByText("One last step")).toBeVisible();
    // The first mail has only just been sent.
    await page.getByRole("button", { name: "Send it again" }).click();
    await expect(page.getByText("For security purposes, you can only request this after")).toBeVisible();
  },
);

test("Signing in works with only the keyboard", async ({ page, member }) => {
  await openSignIn(page);
  await page.getByRole("tab", { name: "Sign In" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("tab", { name: "Sign Up" })).toBeFocused();
  await expect(page.getByRole("tab", { name: "Sign Up" })).toHaveAttribute("aria-selected", "true");
  await expect(page.getByLabel("Full Name")).toBeVisible();
  await page.keyboard.press("Home");
  await expect(page.getByRole("tab", { name: "Sign In" })).toBeFocused();
  await expect(page.getByRole("tab", { name: "Sign In" })).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Tab");
  await page.keyboard.type(member.email);
  await page.keyboard.press("Tab");
  await page.keyboard.type(member.password);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/shop");
  await expectSignedIn(page, member.email);
});

test("A password can be shown while it is typed", async ({ page }) => {
  await openSignIn(page);
  const password = page.getByLabel("Password");
  await password.fill("chalk & slate");
  await expect(password).toHaveAttribute("type", "password");
  await page.getByRole("button", { name: "Show password" }).click();
  await expect(password).toHaveAttribute("type", "text");
  await page.getByRole("button", { name: "Hide password" }).click();
  await expect(password).toHaveAttribute("type", "password");
  await expect(password).toHaveValue("chalk & slate");
});

test("Fields are labelled for password managers", async ({ page }) => {
  await openSignIn(page);
  await expect(page.getByLabel("Email")).toHaveAttribute("autocomplete", "username");
  await expect(page.getByLabel("Password")).toHaveAttribute("autocomplete", "current-password");
  await chooseTab(page, "Sign Up");
  await expect(page.getByLabel("Full Name")).toHaveAttribute("autocomplete", "name");
  await expect(page.getByLabel("Email")).toHaveAttribute("autocomplete", "email");
  await expect(page.getByLabel("Password")).toHaveAttribute("autocomplete", "new-password");
  await expect(page.getByLabel("Country Code")).toHaveAttribute("autocomplete", "tel-country-code");
  await expect(page.getByLabel("Phone Number")).toHaveAttribute("autocomplete", "tel-national");
});
