import { expectMessage } from "#tests/support/messages.ts";
import { findMail } from "#tests/support/outbox.ts";
import { expect, test } from "#tests/support/test.ts";
import {
  chooseTab,
  expectSignedIn,
  expectSignedOut,
  fillSignUp,
  followLink,
  newVisitor,
  openSignUp,
  signUp,
} from "./account-pages.ts";

const verifyLink = (links: string[]) => links.find((link) => link.includes("/auth/v1/verify")) ?? "";

test(
  "A visitor signs up, and the emailed link signs in on /shop on another device",
  { tag: "@gate" },
  async ({ page, browser, shop }, info) => {
    const visitor = newVisitor(info.testId);
    await signUp(page, visitor);
    await expect(page).toHaveURL("/auth?tab=sign-up");
    await expect(page.getByLabel("Full Name")).toHaveValue("");
    await expect(page.getByText(`We've sent an email to ${visitor.email}`)).toBeVisible();
    await expectSignedOut(page);

    const mail = await findMail(shop.dataDir, visitor.email);
    const phone = await browser.newContext();
    const there = await phone.newPage();
    await followLink(there, verifyLink(mail.links));
    await expect(there).toHaveURL(`${shop.url}/shop`);
    await expectMessage(there, "Your email is verified. You're signed in.");
    await expectSignedIn(there, visitor.email);
    await there.reload();
    await expectSignedIn(there, visitor.email);
    await phone.close();
  },
);

test(
  "The tokens of a followed link are in no URL that the back button reaches",
  { tag: "@gate" },
  async ({ page, shop }, info) => {
    const visitor = newVisitor(info.testId);
    await signUp(page, visitor);
    const mail = await findMail(shop.dataDir, visitor.email);
    await followLink(page, verifyLink(mail.links));
    await expectSignedIn(page, visitor.email);
    expect(page.url()).toBe(`${shop.url}/shop`);
    await page.goBack();
    expect(page.url()).not.toContain("access_token");
  },
);

test("A link that has been used is explained on /auth", async ({ page, browser, shop }, info) => {
  const visitor = newVisitor(info.testId);
  await signUp(page, visitor);
  const link = verifyLink((await findMail(shop.dataDir, visitor.email)).links);
  await followLink(page, link);
  await expectSignedIn(page, visitor.email);

  const elsewhere = await browser.newContext();
  const there = await elsewhere.newPage();
  await there.goto(link);
  await expect(there.getByText("This link has expired or has already been used.")).toBeVisible();
  await expect(there).toHaveURL(`${shop.url}/auth`);
  await elsewhere.close();
});

test("The profile gets the name and the number with its country code", async ({
  page,
  shop,
  admin,
}, info) => {
  const visitor = newVisitor(info.testId);
  await openSignUp(page);
  await fillSignUp(page, visitor);
  await page.getByLabel("Country Code").selectOption({ label: "+44 United Kingdom" });
  await page.getByLabel("Phone Number").fill("020 7946 0018");
  await page.getByRole("button", { name: "Sign Up" }).click();
  await findMail(shop.dataDir, visitor.email);
  const { data } = await admin.client.from("profiles").select("full_name, phone").eq("email", visitor.email);
  expect(data).toEqual([{ full_name: visitor.fullName, phone: "+442079460018" }]);
});

test("The list offers 20 country codes, with Ghana chosen first", async ({ page }) => {
  await openSignUp(page);
  const countries = page.getByLabel("Country Code");
  await expect(countries.getByRole("option")).toHaveCount(20);
  await expect(countries.getByRole("option", { selected: true })).toHaveText("+233 Ghana");
});

test("Leaving any field empty shows 'Please fill in all fields', and nothing is sent", async ({
  page,
}, info) => {
  let calls = 0;
  page.on("request", (request) => {
    if (request.url().includes("/auth/v1/")) calls += 1;
  });
  const visitor = newVisitor(info.testId);
  for (const label of ["Full Name", "Email", "Password", "Phone Number"]) {
    await openSignUp(page);
    await fillSignUp(page, visitor);
    await page.getByLabel(label).fill(label === "Password" ? "" : "  ");
    await page.getByRole("button", { name: "Sign Up" }).click();
    await expectMessage(page, "Please fill in all fields");
    await expect(page.getByLabel(label)).toBeFocused();
    await expect(page.getByLabel(label)).toHaveAttribute("aria-invalid", "true");
  }
  expect(calls).toBe(0);
});

test("Short passwords, incomplete addresses and letters in a phone number are explained beside their field", async ({
  page,
}, info) => {
  await openSignUp(page);
  await fillSignUp(page, { ...newVisitor(info.testId), password: "chalk", email: "visitor", phone: "none" });
  await page.getByRole("button", { name: "Sign Up" }).click();
  await expect(page.getByText("Password should be at least 6 characters.")).toBeVisible();
  await expect(page.getByText("Please enter a valid email address")).toBeVisible();
  await expect(page.getByText("Please enter a valid phone number.")).toBeVisible();
  await expect(page.getByLabel("Email")).toBeFocused();
  await page.getByLabel("Password").fill("chalks");
  await expect(page.getByText("Password should be at least 6 characters.")).toBeHidden();
});

test(
  "However often the button is pressed, one account is requested",
  { tag: "@gate" },
  async ({ page }, info) => {
    let calls = 0;
    await page.route("**/auth/v1/signup**", async (route) => {
      calls += 1;
      await route.continue();
    });
    await openSignUp(page);
    await fillSignUp(page, newVisitor(info.testId));
    await page.getByRole("button", { name: "Sign Up" }).dblclick();
    await page.getByLabel("Phone Number").press("Enter");
    await expectMessage(page, "Account created! Please check your email to verify your account.");
    expect(calls).toBe(1);
  },
);

test("When the shop cannot be reached, it says so and keeps what was typed", async ({
  page,
  consoleLines,
}, info) => {
  const visitor = newVisitor(info.testId);
  consoleLines.expect(/^Sign-up failed \(BackendFailure: 0 no_response\)$/);
  await openSignUp(page);
  await fillSignUp(page, visitor);
  await page.route("**/auth/v1/signup**", (route) => route.abort());
  await page.getByRole("button", { name: "Sign Up" }).click();
  await expectMessage(page, "We can't reach the shop right now. Please try again in a moment.");
  await expect(page.getByLabel("Full Name")).toHaveValue(visitor.fullName);
  await expect(page.getByLabel("Password")).toHaveValue(visitor.password);
  await expect(page.getByLabel("Phone Number")).toHaveValue(visitor.phone);
  await page.unroute("**/auth/v1/signup**");
  await page.getByRole("button", { name: "Sign Up" }).click();
  await expectMessage(page, "Account created! Please check your email to verify your account.");
});

test("Switching to the other tab and back loses only the password", async ({ page }, info) => {
  const visitor = newVisitor(info.testId);
  await openSignUp(page);
  await fillSignUp(page, visitor);
  await chooseTab(page, "Sign In");
  await expect(page).toHaveURL("/auth");
  await expect(page.getByLabel("Email")).toHaveValue(visitor.email);
  await chooseTab(page, "Sign Up");
  await expect(page.getByLabel("Full Name")).toHaveValue(visitor.fullName);
  await expect(page.getByLabel("Phone Number")).toHaveValue(visitor.phone);
  await expect(page.getByLabel("Password")).toHaveValue("");
});
