import type { Page } from "@playwright/test";
import { SESSION_KEY } from "#app/lib/env.ts";
import { expectMessage } from "#tests/support/messages.ts";
import { expect } from "#tests/support/test.ts";
import { expectSignedIn, expectSignedOut, signInByForm, test } from "./account-pages.ts";

async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Account" }).click();
  await page.getByRole("menuitem", { name: "Sign Out" }).click();
}

const storedSession = (page: Page) => page.evaluate((key) => localStorage.getItem(key), SESSION_KEY);

test("Signing out empties this browser, and its other tabs follow", async ({
  memberPage: page,
  context,
  member,
}) => {
  const other = await context.newPage();
  await other.goto("/shop");
  await expectSignedIn(other, member.email);

  await signOut(page);
  await expectSignedOut(page);
  await expect(page).toHaveURL("/shop");
  expect(await storedSession(page)).toBeNull();
  await expectSignedOut(other);
  await other.reload();
  await expectSignedOut(other);
});

test("Signing in reaches a tab that has not loaded the backend's client", async ({
  page,
  context,
  member,
}) => {
  const scripts: string[] = [];
  page.on("request", (request) => scripts.push(request.url()));
  await page.goto("/shop");
  await expectSignedOut(page);
  expect(scripts.filter((url) => url.includes("backend-client"))).toEqual([]);

  const other = await context.newPage();
  await signInByForm(other, member);
  await expectSignedIn(other, member.email);
  await expectSignedIn(page, member.email);
});

test("When somebody else signs in in another tab, this tab shows the new person", async ({
  page,
  context,
  newMember,
  signIn,
}) => {
  const [first, second] = [await newMember(), await newMember()];
  await signIn(context, first);
  await page.goto("/shop");
  await expectSignedIn(page, first.email);
  const other = await context.newPage();
  await other.goto("/shop");
  await signOut(other);
  await expectSignedOut(other);
  await signInByForm(other, second);
  await expectSignedIn(other, second.email);
  await expectSignedIn(page, second.email);
});

test("Other devices stay signed in when one signs out", async ({ memberPage: page, browser, member }) => {
  const elsewhere = await browser.newContext();
  const there = await elsewhere.newPage();
  await signInByForm(there, member);
  await expectSignedIn(there, member.email);

  await signOut(page);
  await expectSignedOut(page);
  await there.reload();
  await expectSignedIn(there, member.email);
  await elsewhere.close();
});

test("A session that is about to expire is refreshed by itself", async ({
  page,
  context,
  member,
  signIn,
}) => {
  await signIn(context, member);
  // Runs after the fixture's script: the stored session ends within the margin of three refresh ticks.
  await context.addInitScript((key) => {
    const stored = localStorage.getItem(key);
    if (!stored || sessionStorage.getItem("aged-by-test")) return;
    sessionStorage.setItem("aged-by-test", "yes");
    const session = JSON.parse(stored);
    localStorage.setItem(key, JSON.stringify({ ...session, expires_at: Math.floor(Date.now() / 1000) + 60 }));
  }, SESSION_KEY);
  await page.goto("/shop");
  await expectSignedIn(page, member.email);
  const { refresh_token, expires_at } = JSON.parse((await storedSession(page)) ?? "{}");
  const { data } = await member.client.auth.getSession();
  expect(refresh_token).not.toBe(data.session?.refresh_token);
  expect(expires_at).toBeGreaterThan(Date.now() / 1000 + 600);
});

for (const [what, stored] of [
  ["that has expired and cannot be refreshed", expiredSession()],
  ["that nobody can read", "{not json"],
  ["of another shape", JSON.stringify({ user: "somebody" })],
] as const)
  test(`A stored session ${what} ends quietly`, async ({ page, context }) => {
    await context.addInitScript(
      ([key, text]) => {
        if (sessionStorage.getItem("stored-by-test")) return;
        sessionStorage.setItem("stored-by-test", "yes");
        localStorage.setItem(key, text);
      },
      [SESSION_KEY, stored] as const,
    );
    await page.goto("/shop");
    await expectSignedOut(page);
    await expect.poll(() => storedSession(page)).toBeNull();
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  });

test("With local storage blocked signing in works for the visit", async ({ page, context, member }) => {
  await context.addInitScript(() => {
    Object.defineProperty(window, "localStorage", {
      get: () => {
        throw new DOMException("The user denied permission.", "SecurityError");
      },
    });
  });
  await signInByForm(page, member);
  await expectMessage(page, "Welcome back!");
  await expect(page).toHaveURL("/shop");
  await expectSignedIn(page, member.email);
  await page.getByRole("link", { name: "home" }).first().click();
  await expectSignedIn(page, member.email);
});

test("Signing out works without a connection", async ({ memberPage: page, context, consoleLines }) => {
  consoleLines.expect(/^Signed out here, but the server was not told/);
  await context.setOffline(true);
  await signOut(page);
  await expectSignedOut(page);
  expect(await storedSession(page)).toBeNull();
  await context.setOffline(false);
});

/** A session of nobody that ended an hour ago, with a refresh token that was never given out. */
function expiredSession(): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
  const endedAt = Math.floor(Date.now() / 1000) - 3600;
  const claims = { sub: "6a0f1f4e-7a0e-4c58-9b1e-000000000000", role: "authenticated", exp: endedAt };
  return JSON.stringify({
    access_token: `${encode({ alg: "HS256", typ: "JWT" })}.${encode(claims)}.c2lnbmF0dXJl`,
    refresh_token: "never-given-out",
    token_type: "bearer",
    expires_in: 3600,
    expires_at: endedAt,
    user: { id: claims.sub, email: "nobody@school.example" },
  });
}
