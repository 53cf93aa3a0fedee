import type { Page } from "@playwright/test";
import { expectMessage } from "#tests/support/messages.ts";
import { test as base, expect } from "#tests/support/test.ts";

/** With `memberPage`: /shop as `member` sees it, who is signed in there. */
export const test = base.extend<{ memberPage: Page }>({
  memberPage: async ({ page, context, member, signIn }, use) => {
    await signIn(context, member);
    await page.goto("/shop");
    await expectSignedIn(page, member.email);
    await use(page);
  },
});

/** A new visitor's answers in the sign-up form; each test has an address of its own. */
export function newVisitor(testId: string) {
  return {
    fullName: "Visitor of the test",
    email: `visitor-${testId}@school.example`,
    password: "chalk & slate",
    phone: "024 412 3456",
  };
}

export type Visitor = ReturnType<typeof newVisitor>;

export async function openSignUp(page: Page): Promise<void> {
  await page.goto("/auth?tab=sign-up");
  await expect(page.getByRole("button", { name: "Sign Up" })).toBeEnabled();
}

export async function openSignIn(page: Page): Promise<void> {
  await page.goto("/auth");
  await expect(page.getByRole("button", { name: "Sign In" })).toBeEnabled();
}

/** Switches to the other form. Both have an email and a password: what is typed next must not reach the one that is closing. */
export async function chooseTab(page: Page, name: "Sign In" | "Sign Up"): Promise<void> {
  const tab = page.getByRole("tab", { name });
  await tab.click();
  await expect(tab).toHaveAttribute("aria-selected", "true");
}

export async function fillSignUp(page: Page, visitor: Visitor): Promise<void> {
  await page.getByLabel("Full Name").fill(visitor.fullName);
  await page.getByLabel("Email").fill(visitor.email);
  await page.getByLabel("Password").fill(visitor.password);
  await page.getByLabel("Phone Number").fill(visitor.phone);
}

export async function signUp(page: Page, visitor: Visitor): Promise<void> {
  await openSignUp(page);
  await fillSignUp(page, visitor);
  await page.getByRole("button", { name: "Sign Up" }).click();
  await expectMessage(page, "Account created! Please check your email to verify your account.");
}

/** Opens an email's link and clicks the button of the page behind it. */
export async function followLink(page: Page, link: string): Promise<void> {
  // Not one of the shop's pages: it is complete as it comes.
  await page.goto(link, { waitUntil: "load" });
  await page.getByRole("main").getByRole("button").click();
}

export async function fillSignIn(page: Page, who: { email: string; password: string }): Promise<void> {
  await page.getByLabel("Email").fill(who.email);
  await page.getByLabel("Password").fill(who.password);
}

/** Opens /auth and signs in as people do. */
export async function signInByForm(page: Page, who: { email: string; password: string }): Promise<void> {
  await openSignIn(page);
  await fillSignIn(page, who);
  await page.getByRole("button", { name: "Sign In" }).click();
}

export async function expectSignedIn(page: Page, email: string): Promise<void> {
  const account = page.getByRole("button", { name: "Account" });
  await expect(account).toBeVisible();
  await account.click();
  await expect(page.getByRole("menuitem", { name: email })).toBeVisible();
  await page.keyboard.press("Escape");
}

export async function expectSignedOut(page: Page): Promise<void> {
  await expect(page.getByRole("banner").getByRole("link", { name: "Sign In" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Account" })).toBeHidden();
}
