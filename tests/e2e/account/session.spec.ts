import type { Page } from "@playwright/test";
import { SESSION_KEY } from "#app/lib/browser/env.ts";
import { expectMessage } from "#tests/support/messages.ts";
import { expect, expectAccessible, type Member } from "#tests/support/test.ts";
import { openCart } from "../shop/cart-steps.ts";
import { expectSignedIn, expectSignedOut, signInByForm, test } from "./account-pages.ts";

async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Account" }).click();
  await page.getByRole("menuitem", { name: "Sign Out" }).click();
}

const storedSession = (page: Page) => page.evaluate((key) => localStorage.getItem(key), SESSION_KEY);

test("Signing out clears this browser, and its other tabs follow", { tag: "@gate" }, async ({
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

test("Signing in also updates a tab that has not loaded the backend's client", async ({
  page,
  context,
  member,
}) => {
  const scripts: string[] = [];
  page.on("request", (request) => scripts.push(request.url()));
  await page.goto("/shop");
  await expectSignedOut(page);
  const client = () => scripts.filter((url) => url.includes("session-backend"));
  expect(client()).toEqual([]);

  const other = await context.newPage();
  await signInByForm(other, member);
  await expectSignedIn(other, member.email);
  await expectSignedIn(page, member.email);
  expect(client()).toHaveLength(1);
});

test("When someone else signs in in another tab, this tab shows the new user", async ({
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

test("Other devices stay signed in after a sign-out", async ({ memberPage: page, browser, member }) => {
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

test("A session that is about to expire is refreshed automatically", async ({
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

test("A device whose clock is two days ahead keeps the session that it got", async ({
  page,
  context,
  member,
}) => {
  await context.addInitScript(() => {
    const now = Date.now.bind(Date);
    Date.now = () => now() + 2 * 24 * 60 * 60 * 1000;
  });
  const renewals: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("grant_type=refresh_token")) renewals.push(request.url());
  });
  await signInByForm(page, member);
  await expectSignedIn(page, member.email);
  for (const path of ["/shop", "/wishlist", "/orders"]) {
    await page.goto(path);
    await expectSignedIn(page, member.email);
  }
  expect(renewals).toEqual([]);
});

test("A stored session that has expired and cannot be refreshed ends quietly", async ({ page, context }) => {
  await context.addInitScript(
    ([key, text]) => {
      if (sessionStorage.getItem("stored-by-test")) return;
      sessionStorage.setItem("stored-by-test", "yes");
      localStorage.setItem(key, text);
    },
    [SESSION_KEY, expiredSession()] as const,
  );
  await page.goto("/shop");
  await expectSignedOut(page);
  await expect.poll(() => storedSession(page)).toBeNull();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
});

test("With local storage blocked, signing in works for the visit", async ({ page, context, member }) => {
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

test("Signing out works without a connection", { tag: "@gate" }, async ({
  memberPage: page,
  context,
  consoleLines,
}) => {
  consoleLines.expect(/^Signed out in this browser, but not on the server/);
  await context.setOffline(true);
  await signOut(page);
  await expectSignedOut(page);
  expect(await storedSession(page)).toBeNull();
  await context.setOffline(false);
});

/** A session of no account that expired an hour ago, with a refresh token that was never issued. */
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

/** The member's session with an access token that the server refuses although its end lies ahead. */
async function refusedSession(member: Member, refreshToken?: string) {
  const { data } = await member.client.auth.getSession();
  const session = data.session;
  if (!session) throw new Error("The member has no session");
  const [head, claims] = session.access_token.split(".");
  return JSON.stringify({
    ...session,
    access_token: `${head}.${claims}.c2lnbmF0dXJl`,
    refresh_token: refreshToken ?? session.refresh_token,
  });
}

/** Stores a session once for all tabs, as if it had been made here earlier. */
async function store(page: Page, session: string): Promise<void> {
  await page.goto("/robots.txt", { waitUntil: "load" });
  await page.evaluate(([key, text]) => localStorage.setItem(key, text), [SESSION_KEY, session] as const);
}

test("A refused session with a valid refresh token continues without a message", { tag: "@gate" }, async ({
  page,
  member,
}) => {
  await store(page, await refusedSession(member));
  const renewed = page.waitForResponse(/auth\/v1\/token\?grant_type=refresh_token/);
  await page.goto("/shop");
  expect((await renewed).status()).toBe(200);
  await expectSignedIn(page, member.email);
  await openCart(page);
  await expect(page.getByText("Your cart is empty")).toBeVisible();
  await expect(page.getByText("You have been signed out")).toHaveCount(0);
});

test("A refused session that cannot be renewed ends in every tab, with one message, and the form opens", async ({
  page,
  context,
  member,
}) => {
  const other = await context.newPage();
  await store(other, await refusedSession(member, "never-given-out"));
  await page.goto("/shop");
  await expectMessage(page, "You have been signed out. Sign in and try again.");
  await expect(page.getByText("You have been signed out. Sign in and try again.")).toHaveCount(1);
  await expectSignedOut(page);
  await expect.poll(() => storedSession(page)).toBeNull();
  await other.goto("/shop");
  await expectSignedOut(other);
  await signInByForm(page, member);
  await expectSignedIn(page, member.email);
});

test("/auth does not redirect a session that the server refuses: it says so and stays", async ({
  page,
  member,
}) => {
  await store(page, await refusedSession(member, "never-given-out"));
  const visited: string[] = [];
  page.on("framenavigated", (frame) => visited.push(new URL(frame.url()).pathname));
  await page.goto("/auth");
  await expectMessage(page, "You have been signed out. Sign in and try again.");
  await expectSignedOut(page);
  expect(visited).not.toContain("/shop");
  await signInByForm(page, member);
  await expect(page).toHaveURL("/shop");
  await expectSignedIn(page, member.email);
});

test("/auth redirects signed-in customers, even when the server does not respond", async ({
  memberPage: page,
}) => {
  await page.route(/rest\/v1\/rpc\/get_user_role/, (route) => route.abort());
  await page.goto("/auth");
  await expect(page).toHaveURL("/shop");
});

/** A mail's link as it arrives in the address, for a member. */
async function linkOf(member: Member): Promise<string> {
  const { data } = await member.client.auth.getSession();
  const { access_token = "", refresh_token = "" } = data.session ?? {};
  return `/shop#${new URLSearchParams({ access_token, refresh_token, expires_in: "3600", token_type: "bearer", type: "signup" })}`;
}

test("An emailed link does not replace another person's session unless they agree", async ({
  page,
  newMember,
}) => {
  const [here, other] = [await newMember(), await newMember()];
  await signInByForm(page, here);
  await expectSignedIn(page, here.email);
  const open = async () => {
    await page.goto("about:blank", { waitUntil: "load" });
    await page.goto(await linkOf(other));
    const question = page.getByRole("alertdialog", { name: `You're signed in as ${here.email}` });
    await expect(question).toBeVisible();
    expect(page.url()).not.toContain("#");
    return question;
  };
  const question = await open();
  await expectAccessible(page);
  await question.getByRole("button", { name: "Cancel" }).click();
  await expectSignedIn(page, here.email);
  await page.reload();
  await expectSignedIn(page, here.email);

  await (await open()).getByRole("button", { name: `Continue as ${other.email}` }).click();
  await expectMessage(page, "Your email is verified. You're signed in.");
  await expectSignedIn(page, other.email);
});
