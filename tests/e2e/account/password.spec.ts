import type { Page } from "@playwright/test";
import { expectMessage } from "#tests/support/messages.ts";
import { findMail } from "#tests/support/outbox.ts";
import { expect, type Member, test } from "#tests/support/test.ts";
import { expectSignedIn, fillSignIn, followLink, openSignIn, signInByForm } from "./account-pages.ts";

const NEW_PASSWORD = "slate & chalk";

async function askForLink(page: Page, email: string): Promise<void> {
  await openSignIn(page);
  await page.getByRole("link", { name: "Forgot password?" }).click();
  // Until then the email is that of the form before.
  await expect(page.getByRole("button", { name: "Send the link" })).toBeVisible();
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Send the link" }).click();
  await expect(page.getByText(`If ${email} has an account here`)).toBeVisible();
}

async function findResetLink(dataDir: string, { email }: Member): Promise<string> {
  // The first mail of a member is the one that verified the address.
  const mail = await findMail(dataDir, email, 1);
  return mail.links.find((link) => link.includes("type=recovery")) ?? "";
}

test("A customer who forgot the password gets a link, chooses a new one and signs in with it", {
  tag: "@gate",
}, async ({ page, browser, shop, member }) => {
  await askForLink(page, member.email);
  await followLink(page, await findResetLink(shop.dataDir, member));
  await expect(page).toHaveURL("/auth/reset");
  await page.getByLabel("New password").fill(NEW_PASSWORD);
  await page.getByRole("button", { name: "Save new password" }).click();
  await expectMessage(page, "Your new password has been saved.");
  await expect(page).toHaveURL("/shop");
  await expectSignedIn(page, member.email);

  const elsewhere = await browser.newContext();
  const there = await elsewhere.newPage();
  await signInByForm(there, member);
  await expectMessage(there, "Invalid login credentials");
  await fillSignIn(there, { ...member, password: NEW_PASSWORD });
  await there.getByRole("button", { name: "Sign In" }).click();
  await expectMessage(there, "Welcome back!");
  await expectSignedIn(there, member.email);
  await elsewhere.close();
});

test("A new password below 6 characters is refused beside its field, even after a reload", async ({
  page,
  shop,
  member,
}) => {
  await askForLink(page, member.email);
  await followLink(page, await findResetLink(shop.dataDir, member));
  await expect(page.getByLabel("New password")).toBeVisible();
  await page.reload();
  await page.getByRole("button", { name: "Save new password" }).click();
  await expectMessage(page, "Please fill in all fields");
  await page.getByLabel("New password").fill("chalk");
  await page.getByRole("button", { name: "Save new password" }).click();
  await expect(page.getByText("Password should be at least 6 characters.")).toBeVisible();
  await page.getByLabel("New password").fill(NEW_PASSWORD);
  await page.getByRole("button", { name: "Save new password" }).click();
  await expect(page).toHaveURL("/shop");
});

test("The provider's own message about a new password is shown", async ({
  page,
  shop,
  member,
  consoleLines,
}) => {
  consoleLines.expect(/^Failed to save the new password \(BackendFailure: 422 same_password\)$/);
  await askForLink(page, member.email);
  await followLink(page, await findResetLink(shop.dataDir, member));
  await page.getByLabel("New password").fill(member.password);
  await page.getByRole("button", { name: "Save new password" }).click();
  await expectMessage(page, "New password should be different from the old password.");
});

test("A link that has been used says so and offers a new one", async ({ page, browser, shop, member }) => {
  await askForLink(page, member.email);
  const link = await findResetLink(shop.dataDir, member);
  await followLink(page, link);
  await expect(page.getByLabel("New password")).toBeVisible();

  const elsewhere = await browser.newContext();
  const there = await elsewhere.newPage();
  await there.goto(link);
  await expect(there).toHaveURL(`${shop.url}/auth/reset`);
  await expect(there.getByText("This link has expired or has already been used.")).toBeVisible();
  await expect(there.getByRole("button", { name: "Send the link" })).toBeVisible();
  await elsewhere.close();
});

test("/auth/reset without a link explains how to get one, to visitors and to members", async ({
  page,
  context,
  member,
  signIn,
}) => {
  await page.goto("/auth/reset");
  await expect(page.getByText("Open this page from the link in our email.")).toBeVisible();
  await expect(page.getByLabel("New password")).toBeHidden();
  await signIn(context, member);
  await page.goto("/auth/reset");
  await expect(page.getByRole("button", { name: "Account" })).toBeVisible();
  await expect(page.getByText("Open this page from the link in our email.")).toBeVisible();
  await expect(page.getByLabel("New password")).toBeHidden();
});
