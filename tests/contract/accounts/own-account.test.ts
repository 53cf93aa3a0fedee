import { randomUUID } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { requireSession } from "#server/api/accounts/bearer.ts";
import type { Call, Context } from "#server/api/accounts/parts.ts";
import { signToken } from "#server/api/accounts/tokens.ts";
import { audience, issuerOf } from "#server/api/caller.ts";
import { newAccount, openAccounts, password } from "#tests/support/accounts.ts";
import { openSql } from "#tests/support/test-server.ts";

const email = "ama@example.com";

test("Changed details are merged, a null removes one, and no email is sent", async () => {
  const accounts = await openAccounts();
  const { token } = await newAccount(accounts, email);
  const sent = accounts.emails.length;
  const change = async (body: unknown) =>
    (await accounts.send("user", body, { method: "PUT", token })).body.user_metadata;
  expect(await change({ data: { full_name: "Ama", phone: "1" } })).toMatchObject({
    full_name: "Ama",
    phone: "1",
  });
  const left = await change({ data: { phone: null } });
  expect([left.full_name, "phone" in left]).toEqual(["Ama", false]);
  await accounts.settle();
  expect([accounts.emails.length - sent, accounts.log]).toEqual([0, []]);
});

test("A change to the address that the account has changes nothing", async () => {
  const accounts = await openAccounts();
  const { token } = await newAccount(accounts, email);
  const sent = accounts.emails.length;
  const { status, body } = await accounts.send(
    "user",
    { email: " AMA@example.com" },
    { method: "PUT", token },
  );
  expect([status, body.email, body.new_email]).toEqual([200, email, undefined]);
  await accounts.settle();
  expect(accounts.emails).toHaveLength(sent);
});

test("One customer's change of address uses up no one else's", async () => {
  const accounts = await openAccounts();
  const [ama, kofi] = [await newAccount(accounts, email), await newAccount(accounts, "kofi@example.com")];
  const move = async (token: string, to: string) =>
    (await accounts.send("user", { email: to }, { method: "PUT", token })).status;
  expect([await move(ama.token, "a@example.com"), await move(kofi.token, "b@example.com")]).toEqual([
    200, 200,
  ]);
  expect(await move(ama.token, "c@example.com")).toBe(429);
});

test("Signing out ends all sessions where no scope is named", async () => {
  const accounts = await openAccounts();
  const here = await newAccount(accounts, email);
  const there = (await accounts.send("token?grant_type=password", { email, password })).body;
  expect((await accounts.send("logout", {}, { token: here.token })).status).toBe(204);
  expect((await accounts.send("user", undefined, { token: there.access_token })).status).toBe(403);
});

test("A signed token that names no account or no session is refused, not looked up", async () => {
  const { sql, close } = await openSql("prepared");
  onTestFinished(close);
  const secrets = { jwtSecret: "a secret" };
  const siteUrl = "http://shop.example";
  const context = { sql, secrets, siteUrl, now: Date.now } as Context;
  const exp = Math.floor(Date.now() / 1000) + 60;
  const id = randomUUID();
  for (const claims of [
    {},
    { sub: id },
    { session_id: id },
    { sub: "x", session_id: id },
    { sub: id, session_id: 1 },
  ]) {
    const shared = { iss: issuerOf(siteUrl), aud: audience, role: "authenticated", exp };
    const token = signToken({ ...shared, ...claims }, secrets.jwtSecret);
    const request = new Request("http://shop.example", { headers: { authorization: `Bearer ${token}` } });
    await expect(requireSession(context, { request } as Call)).rejects.toMatchObject({
      status: 403,
      code: "session_not_found",
    });
  }
});

test("A confirmed address gets no second confirmation, and one that cannot exist gets no email", async () => {
  const accounts = await openAccounts();
  await newAccount(accounts, email);
  await accounts.sql.query("update auth.users set confirmation_sent_at = null, recovery_sent_at = null");
  accounts.state.now += 61_000;
  const sent = accounts.emails.length;
  const ask = async (call: string, who: string) => {
    expect((await accounts.send(call, { email: who, type: "signup" })).status).toBe(200);
    await accounts.settle();
    return accounts.emails.slice(sent).map(({ to }) => to);
  };
  expect(await ask("resend", email)).toEqual([]);
  expect(await ask("recover", email)).toEqual([email]);
  expect(
    await accounts.sql.query(
      "select confirmation_sent_at as confirmation, recovery_sent_at is not null as recovery from auth.users",
    ),
  ).toEqual([{ confirmation: null, recovery: true }]);
  await accounts.sql.query("update auth.users set email = 'admin@shop.invalid'");
  expect(await ask("recover", "admin@shop.invalid")).toEqual([email]);
});

test("A new change of address makes the earlier one's link invalid, also when it is requested again", async () => {
  const accounts = await openAccounts();
  const { token } = await newAccount(accounts, email);
  const links: string[] = [];
  for (const newEmail of ["first@example.com", "second@example.com", "first@example.com"]) {
    await accounts.send("user", { email: newEmail }, { method: "PUT", token });
    links.push(await accounts.linkTo(newEmail));
    accounts.state.now += 61_000;
  }
  expect((await accounts.follow(links[0] ?? "")).fragment.get("error_code")).toBe("otp_expired");
  expect((await accounts.follow(links[2] ?? "")).fragment.get("type")).toBe("email_change");
});
