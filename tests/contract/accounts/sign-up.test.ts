import { expect, onTestFinished, test } from "vitest";
import { createAccountsApi } from "#server/api/accounts/accounts-api.ts";
import type { Email } from "#server/emails/mail-server.ts";
import { newAccount, openAccounts, password, readShop, siteUrl } from "#tests/support/accounts.ts";
import { eventually } from "#tests/support/eventually.ts";
import { openSql } from "#tests/support/test-server.ts";

const email = "ama@example.com";
const signIn = "token?grant_type=password";

test("A sign-up is confirmed by the link of its email, which signs in on any device and works once", async () => {
  const accounts = await openAccounts();
  const data = { full_name: "Ama Mensah", phone: "+233201234567" };
  const signedUp = await accounts.send("signup?redirect_to=http%3A%2F%2Fshop.example%2Fcheckout", {
    email,
    password,
    data,
  });
  expect([signedUp.status, signedUp.body.email, signedUp.body.access_token]).toEqual([200, email, undefined]);
  const link = await accounts.linkTo(email);
  const { page, fragment } = await accounts.follow(link);
  expect([page, fragment.get("type"), fragment.get("expires_in")]).toEqual([
    `${siteUrl}/checkout`,
    "signup",
    "3600",
  ]);
  const { body } = await accounts.send("user", undefined, { token: fragment.get("access_token") ?? "" });
  expect(body).toMatchObject({ email, user_metadata: data });
  expect((await accounts.follow(link)).fragment.get("error_code")).toBe("otp_expired");
  expect((await accounts.send(signIn, { email, password })).body.user.id).toBe(body.id);
});

test("A link works for one hour", async () => {
  const accounts = await openAccounts();
  await accounts.send("signup", { email, password });
  const link = await accounts.linkTo(email);
  accounts.state.now += 60 * 60_000 + 1;
  expect((await accounts.follow(link)).fragment.get("error_code")).toBe("otp_expired");
});

for (const who of ["the stranger", "the owner"] as const) {
  test(`When two people sign up with an address and ${who} was last, no link opens the account with a password of theirs`, async () => {
    const accounts = await openAccounts();
    const other = who === "the owner" ? "the stranger" : "the owner";
    const links = [];
    for (const each of [other, who]) {
      await accounts.send("signup", { email, password: `${each}'s`, data: { full_name: each } });
      links.push(await accounts.linkTo(email));
      accounts.state.now += 61_000;
    }
    await accounts.send("resend", { email, type: "signup" });
    links.push(await accounts.linkTo(email));
    expect(new Set(links).size).toBe(3);
    for (const link of links) {
      const page = await (await accounts.ask(link.slice(siteUrl.length))).text();
      expect(page).toContain("Confirm and choose a password");
    }
    const { page, fragment } = await accounts.follow(links[who === "the owner" ? 0 : 1] ?? "");
    expect([page, fragment.get("type")]).toEqual([`${siteUrl}/auth/reset`, "recovery"]);
    for (const each of [other, who])
      expect((await accounts.send(signIn, { email, password: `${each}'s` })).body.error_code).toBe(
        "invalid_credentials",
      );
    const token = fragment.get("access_token") ?? "";
    const { body } = await accounts.send("user", undefined, { token });
    expect([body.email, body.user_metadata.full_name]).toEqual([email, undefined]);
    await accounts.send("user", { password: "chosen now" }, { method: "PUT", token });
    expect((await accounts.send(signIn, { email, password: "chosen now" })).status).toBe(200);
  });
}

test("A third sign-up with the first one's password does not bring that password back", async () => {
  const accounts = await openAccounts();
  for (const each of ["the stranger's", "the owner's", "the stranger's"]) {
    await accounts.send("signup", { email, password: each });
    await accounts.settle();
    accounts.state.now += 61_000;
  }
  expect((await accounts.follow(await accounts.linkTo(email))).page).toBe(`${siteUrl}/auth/reset`);
});

test("When no second email may be sent, the first one's link confirms the address and no password", async () => {
  const accounts = await openAccounts();
  await accounts.send("signup", { email, password: "the stranger's" });
  await accounts.send("signup", { email, password: "the owner's" });
  const link = await accounts.linkTo(email);
  expect(accounts.emails).toHaveLength(1);
  const { page, fragment } = await accounts.follow(link);
  expect([page, fragment.get("type")]).toEqual([`${siteUrl}/auth/reset`, "recovery"]);
});

test("A customer who clicks twice gets one email, and its link confirms their password", async () => {
  const accounts = await openAccounts();
  for (let attempt = 0; attempt < 3; attempt += 1)
    expect((await accounts.send("signup", { email, password })).status).toBe(200);
  await accounts.follow(await accounts.linkTo(email));
  expect(accounts.emails).toHaveLength(1);
  expect((await accounts.send(signIn, { email, password })).status).toBe(200);
});

test("A recovery confirms the address and drops the unconfirmed password", async () => {
  const accounts = await openAccounts();
  await accounts.send("signup", { email, password: "the stranger's", data: { full_name: "Stranger" } });
  const stranger = await accounts.linkTo(email);
  await accounts.send("recover", { email });
  const { fragment } = await accounts.follow(await accounts.linkTo(email));
  expect(fragment.get("type")).toBe("recovery");
  const { body } = await accounts.send("user", undefined, { token: fragment.get("access_token") ?? "" });
  expect(body.user_metadata.full_name).toBeUndefined();
  expect((await accounts.send(signIn, { email, password: "the stranger's" })).body.error_code).toBe(
    "invalid_credentials",
  );
  expect((await accounts.follow(stranger)).fragment.get("error_code")).toBe("otp_expired");
});

test("Signing up a customer's address, unconfirmed or confirmed, changes nothing and gets the same response as a new one", async () => {
  const accounts = await openAccounts();
  await newAccount(accounts, email);
  accounts.state.now += 61_000;
  const sent = accounts.emails.length;
  const existing = await accounts.send("signup", {
    email: "AMA@example.com ",
    password: "another one",
    data: { full_name: "X" },
  });
  const fresh = await accounts.send("signup", {
    email: "kofi@example.com",
    password,
    data: { full_name: "X" },
  });
  await accounts.settle();
  const shape = (value: unknown): unknown =>
    typeof value === "object" && value !== null
      ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shape(each)]))
      : typeof value;
  expect([existing.status, shape(existing.body)]).toEqual([fresh.status, shape(fresh.body)]);
  expect(accounts.emails.slice(sent).map(({ to }) => to)).toEqual(["kofi@example.com"]);
  expect((await accounts.send(signIn, { email, password })).status).toBe(200);
});

test.each([
  ["five characters", "five5"],
  ["73 bytes", "a".repeat(73)],
  ["37 accented letters, which bcrypt would cut", "é".repeat(37)],
])("A password of %s is refused, at sign-up and when it is changed", async (_, bad) => {
  const accounts = await openAccounts();
  expect((await accounts.send("signup", { email, password: bad })).body.error_code).toBe("weak_password");
  const { token } = await newAccount(accounts, email);
  const changed = await accounts.send("user", { password: bad }, { method: "PUT", token });
  expect([changed.status, changed.body.error_code]).toEqual([422, "weak_password"]);
});

test("A password of 72 bytes signs in, one letter more does not", async () => {
  const accounts = await openAccounts();
  const longest = "é".repeat(36);
  await accounts.send("signup", { email, password: longest });
  await accounts.follow(await accounts.linkTo(email));
  expect((await accounts.send(signIn, { email, password: longest })).status).toBe(200);
  expect((await accounts.send(signIn, { email, password: `${longest}x` })).body.error_code).toBe(
    "invalid_credentials",
  );
});

test("Only the right password reveals that the address is not confirmed yet", async () => {
  const accounts = await openAccounts();
  await accounts.send("signup", { email, password });
  await accounts.settle();
  expect((await accounts.send(signIn, { email, password })).body.error_code).toBe("email_not_confirmed");
  expect((await accounts.send(signIn, { email, password: "a guess" })).body.error_code).toBe(
    "invalid_credentials",
  );
});

test("A sign-up with any password does not reveal whether the address has an account", async () => {
  const accounts = await openAccounts();
  await newAccount(accounts, email);
  accounts.state.now += 61_000;
  for (const address of [email, "nobody@example.com"]) {
    await accounts.send("signup", { email: address, password: "a probe" });
    await accounts.settle();
    const responses = [];
    for (const guess of ["a probe", "a guess"])
      responses.push((await accounts.send(signIn, { email: address, password: guess })).body.error_code);
    expect(responses).toEqual(["email_not_confirmed", "invalid_credentials"]);
  }
  expect((await accounts.send(signIn, { email, password })).status).toBe(200);
});

test("What was acknowledged before a crash is done after the next start, without another request", async () => {
  const { sql, close } = await openSql("prepared");
  const task = { kind: "sign-up", email, passwordHash: "none", data: {}, redirectTo: null, sendsEmail: true };
  await sql.query("insert into private_shop.account_tasks (task) values ($1::text::jsonb)", [
    JSON.stringify(task),
  ]);
  const emails: Email[] = [];
  const sendEmail = async (letter: Email) => void emails.push(letter);
  const api = createAccountsApi({
    sql,
    secrets: { jwtSecret: "x" },
    siteUrl,
    readShop,
    sendEmail,
    log: () => {},
  });
  onTestFinished(async () => {
    await api.stop();
    await close();
  });
  await eventually(() => expect(emails).toHaveLength(1), { timeout: 20_000 });
  expect(emails[0]).toMatchObject({ to: email, text: expect.stringContaining("/auth/v1/verify") });
});

test("A return URL with a NUL is a bad request, and nothing of it is stored", async () => {
  const accounts = await openAccounts();
  const { token } = await newAccount(accounts, "kofi@example.com");
  await accounts.sql.query("delete from private_shop.sign_ups");
  for (const call of ["signup", "recover", "resend"]) {
    const body = { email, password, type: "signup" };
    expect([call, (await accounts.send(`${call}?redirect_to=%00`, body)).status]).toEqual([call, 400]);
  }
  const change = await accounts.send("user?redirect_to=%00", { email }, { method: "PUT", token });
  expect(change.status).toBe(400);
  expect(await accounts.sql.query("select from private_shop.sign_ups")).toEqual([]);
  expect(await accounts.sql.query("select from auth.users where email_change is not null")).toEqual([]);
  expect(accounts.log).toEqual([]);
});

test("Deeply nested details are a bad request, not a server failure", async () => {
  const accounts = await openAccounts();
  for (const levels of [40, 7_500]) {
    const body = `{"email":"${email}","password":"${password}","data":{"a":${"[".repeat(levels)}${"]".repeat(levels)}}}`;
    expect((await accounts.ask("/auth/v1/signup", { method: "POST", body })).status).toBe(400);
  }
  expect(accounts.log).toEqual([]);
});

test("A field with half a character, or with a NUL, is a bad request, not a server failure", async () => {
  const accounts = await openAccounts();
  for (const half of ["Ama \ud800", "\udc00", "Ama \u0000"]) {
    const details = { email, password, data: { full_name: half } };
    expect((await accounts.send("signup", details)).status, JSON.stringify(half)).toBe(400);
    const nested = { email, password, data: { list: [{ [half]: 1 }] } };
    expect((await accounts.send("signup", nested)).status, JSON.stringify(half)).toBe(400);
  }
  expect(accounts.log).toEqual([]);
});
