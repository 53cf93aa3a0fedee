import { expect, test } from "vitest";
import { newAccount, openAccounts, password, siteUrl } from "#tests/support/accounts.ts";

const email = "ama@example.com";
const form = { "content-type": "application/x-www-form-urlencoded" };
const tokenOf = (link: string) => new URL(link).searchParams.get("token") ?? "";

const outcome = {
  error: "access_denied",
  error_code: "otp_expired",
  error_description: "Email link is invalid or has expired",
};

test("A client of the API spends a link's token, under either of its names, and gets the session", async () => {
  const accounts = await openAccounts();
  for (const [who, type, name] of [
    ["ama@example.com", "email", "token_hash"],
    ["kofi@example.com", "signup", "token"],
  ] as const) {
    await accounts.send("signup", { email: who, password });
    const token = tokenOf(await accounts.linkTo(who));
    for (const [wrong, spent] of [
      ["recovery", token],
      ["constructor", token],
      [type, ""],
    ])
      expect((await accounts.send("verify", { type: wrong, [name]: spent })).status).toBe(403);
    const { status, body } = await accounts.send("verify", { type, [name]: token });
    expect([status, body.user.email, body.user.confirmed_at !== undefined]).toEqual([200, who, true]);
    expect((await accounts.send("user", undefined, { token: body.access_token })).status).toBe(200);
    expect((await accounts.send("verify", { type, [name]: token })).status).toBe(403);
  }
});

test("A link that no longer works redirects with the reason, whether it is opened or confirmed", async () => {
  const accounts = await openAccounts();
  for (const [query, page] of [
    ["", "/"],
    ["type=signup&token=x", "/"],
    [`type=signup&token=x&redirect_to=${encodeURIComponent(`${siteUrl}/shop?q=a`)}`, "/shop?q=a"],
    [`type=x&token=x&redirect_to=${encodeURIComponent("http://evil.example/")}`, "/"],
  ])
    for (const init of [{}, { method: "POST", headers: form }]) {
      const response = await accounts.ask(`/auth/v1/verify?${query}`, init);
      const landing = new URL(response.headers.get("location") ?? "");
      expect([response.status, landing.origin + landing.pathname + landing.search]).toEqual([
        ...[303, siteUrl + page],
      ]);
      expect(Object.fromEntries(new URLSearchParams(landing.hash.slice(1)))).toEqual(outcome);
    }
});

test("A link is followed only from the shop's own page or from no page at all", async () => {
  const accounts = await openAccounts();
  await accounts.send("signup", { email, password });
  const path = (await accounts.linkTo(email)).slice(siteUrl.length);
  const click = (from: string) =>
    accounts.ask(path, { method: "POST", headers: { ...form, "sec-fetch-site": from } });
  const refused = await click("same-site");
  expect([refused.status, await refused.json()]).toEqual([
    ...[403, { code: 403, error_code: "cross_site_request", msg: "Open the link in your email again." }],
  ]);
  expect((await click("same-origin")).headers.get("location")).toContain("access_token=");
  await accounts.send("recover", { email });
  const recovery = (await accounts.linkTo(email)).slice(siteUrl.length);
  const typed = await accounts.ask(recovery, {
    method: "POST",
    headers: { ...form, "sec-fetch-site": "none" },
  });
  expect(typed.headers.get("location")).toContain("access_token=");
});

test("A page of a link says what pressing its button does, and does not offer what the account no longer needs", async () => {
  const accounts = await openAccounts();
  const { token } = await newAccount(accounts, email);
  accounts.state.now += 61_000;
  await accounts.send("recover", { email });
  const recovery = await accounts.linkTo(email);
  const newEmail = "ama.mensah@example.com";
  await accounts.send("user", { email: newEmail }, { method: "PUT", token });
  const change = await accounts.linkTo(newEmail);
  await accounts.send("signup", { email: "kofi@example.com", password });
  const signup = await accounts.linkTo("kofi@example.com");
  const pages = [];
  for (const link of [recovery, change, signup])
    pages.push(await (await accounts.ask(link.slice(siteUrl.length))).text());
  const buttons = pages.map((page) => /<button[^>]*>([^<]*)</.exec(page)?.[1]);
  expect(new Set(buttons).size).toBe(3);
  for (const page of pages) expect(page).not.toContain("Confirm and choose a password");
});

test("A banned account's link opens nothing, and is used up", async () => {
  const accounts = await openAccounts();
  await newAccount(accounts, email);
  accounts.state.now += 61_000;
  await accounts.send("recover", { email });
  const link = await accounts.linkTo(email);
  await accounts.sql.query("update auth.users set banned_until = '2999-12-31'");
  expect((await accounts.follow(link)).fragment.get("error_code")).toBe("otp_expired");
  await accounts.sql.query("update auth.users set banned_until = null");
  expect((await accounts.follow(link)).fragment.get("error_code")).toBe("otp_expired");
});

test("A link to an address that the account has left since opens nothing", async () => {
  const accounts = await openAccounts();
  await newAccount(accounts, email);
  accounts.state.now += 61_000;
  await accounts.send("recover", { email });
  const link = await accounts.linkTo(email);
  await accounts.sql.query("update auth.users set email = 'ama.mensah@example.com'");
  expect((await accounts.follow(link)).fragment.get("error_code")).toBe("otp_expired");
});

test("A followed link makes the account's other links worthless, and no one else's", async () => {
  const accounts = await openAccounts();
  await newAccount(accounts, email);
  await accounts.send("signup", { email: "kofi@example.com", password });
  const others = await accounts.linkTo("kofi@example.com");
  const links = [];
  for (let n = 0; n < 2; n += 1) {
    accounts.state.now += 61_000;
    await accounts.send("recover", { email });
    links.push(await accounts.linkTo(email));
  }
  expect((await accounts.follow(links[1] ?? "")).fragment.get("type")).toBe("recovery");
  expect((await accounts.follow(links[0] ?? "")).fragment.get("error_code")).toBe("otp_expired");
  expect((await accounts.follow(others)).fragment.get("type")).toBe("signup");
});

test("A recovery of a confirmed account keeps its password and details until a new one is chosen", async () => {
  const accounts = await openAccounts();
  const { token } = await newAccount(accounts, email);
  await accounts.send("user", { data: { full_name: "Ama" } }, { method: "PUT", token });
  accounts.state.now += 61_000;
  await accounts.send("recover", { email });
  expect((await accounts.follow(await accounts.linkTo(email))).fragment.get("type")).toBe("recovery");
  const { status, body } = await accounts.send("token?grant_type=password", { email, password });
  expect([status, body.user.user_metadata.full_name]).toEqual([200, "Ama"]);
});

test("A link opened as one of another kind shows no page, nor does it after more than an hour", async () => {
  const accounts = await openAccounts();
  await accounts.send("signup", { email, password });
  const link = (await accounts.linkTo(email)).slice(siteUrl.length);
  const look = async (path: string) => (await accounts.ask(path)).headers.get("location");
  expect(await look(link.replace("type=signup", "type=recovery"))).toContain("error_code=otp_expired");
  expect(await look(link)).toBeNull();
  accounts.state.now += 60 * 60_000 + 1;
  expect(await look(link)).toContain("error_code=otp_expired");
});

test("A change of address that was replaced by another one cannot be confirmed", async () => {
  const accounts = await openAccounts();
  const { token } = await newAccount(accounts, email);
  await accounts.send("user", { email: "first@example.com" }, { method: "PUT", token });
  const link = await accounts.linkTo("first@example.com");
  await accounts.sql.query("update auth.users set email_change = 'second@example.com'");
  expect((await accounts.follow(link)).fragment.get("error_code")).toBe("otp_expired");
  expect((await accounts.send("user", undefined, { token })).body).toMatchObject({
    email,
    new_email: "second@example.com",
  });
});

test("A recovery redirects to the requested page, also for an account that never had a password", async () => {
  const accounts = await openAccounts();
  await newAccount(accounts, email);
  await accounts.sql.query("update auth.users set encrypted_password = null");
  accounts.state.now += 61_000;
  await accounts.send(`recover?redirect_to=${encodeURIComponent(`${siteUrl}/shop`)}`, { email });
  const link = await accounts.linkTo(email);
  const page = await (await accounts.ask(link.slice(siteUrl.length))).text();
  expect(page).not.toContain("used to sign up more than once");
  const followed = await accounts.follow(link);
  expect([followed.page, followed.fragment.get("type")]).toEqual([`${siteUrl}/shop`, "recovery"]);
});
