import { expect, test } from "vitest";
import { type Accounts, newAccount, openAccounts, password } from "#tests/support/accounts.ts";

const email = "ama@example.com";

const spend = (accounts: Accounts, token: string) =>
  accounts.send("token?grant_type=refresh_token", { refresh_token: token });

const signIn = async (accounts: Accounts, who = email, word = password) =>
  (await accounts.send("token?grant_type=password", { email: who, password: word })).body;

test("A refresh token spent twelve times concurrently makes one chain", async () => {
  const accounts = await openAccounts();
  const { refreshToken } = await newAccount(accounts, email);
  const responses = await Promise.all(Array.from({ length: 12 }, () => spend(accounts, refreshToken)));
  expect(responses.map(({ status }) => status)).toEqual(Array(12).fill(200));
  expect(new Set(responses.map(({ body }) => body.refresh_token)).size).toBe(1);
  const [row] = await accounts.sql.query<{ live: number }>(
    `select count(*)::int as live from auth.refresh_tokens
     where not revoked and session_id = (select session_id from auth.refresh_tokens where token = $1)`,
    [refreshToken],
  );
  expect(row?.live).toBe(1);
});

test("A spent token still gets its successor for half a minute; later it ends the session", async () => {
  const accounts = await openAccounts();
  const { refreshToken } = await newAccount(accounts, email);
  const first = (await spend(accounts, refreshToken)).body.refresh_token;
  accounts.state.now += 30_000;
  expect((await spend(accounts, refreshToken)).body.refresh_token).toBe(first);
  accounts.state.now += 1;
  const late = await spend(accounts, refreshToken);
  expect([late.status, late.body.error_code]).toEqual([400, "refresh_token_already_used"]);
  expect((await spend(accounts, first)).body.error_code).toBe("refresh_token_not_found");
});

test("A token whose successor was spent too ends the session, however soon", async () => {
  const accounts = await openAccounts();
  const { refreshToken } = await newAccount(accounts, email);
  const second = (await spend(accounts, refreshToken)).body.refresh_token;
  const third = (await spend(accounts, second)).body.refresh_token;
  expect((await spend(accounts, refreshToken)).status).toBe(400);
  expect((await spend(accounts, third)).status).toBe(400);
});

test("A new password ends this person's other sessions, not this one, and no one else's", async () => {
  const accounts = await openAccounts();
  const here = await newAccount(accounts, email);
  const there = await signIn(accounts);
  const other = await newAccount(accounts, "kofi@example.com");
  const change = { password: "a new password" };
  expect(
    (await accounts.send("user", { data: { full_name: "Ama" } }, { method: "PUT", token: here.token }))
      .status,
  ).toBe(200);
  expect((await accounts.send("user", undefined, { token: there.access_token })).status).toBe(200);
  expect((await accounts.send("user", change, { method: "PUT", token: here.token })).status).toBe(200);
  expect((await accounts.send("user", undefined, { token: here.token })).status).toBe(200);
  expect((await spend(accounts, here.refreshToken)).status).toBe(200);
  expect((await accounts.send("user", undefined, { token: there.access_token })).status).toBe(403);
  expect((await spend(accounts, there.refresh_token)).status).toBe(400);
  expect((await accounts.send("user", undefined, { token: other.token })).status).toBe(200);
  expect((await spend(accounts, other.refreshToken)).status).toBe(200);
});

test.each([
  ["local", [403, 200, 200]],
  ["others", [200, 403, 200]],
  ["global", [403, 403, 200]],
])("Signing out with the scope %s ends the right sessions", async (scope, expected) => {
  const accounts = await openAccounts();
  const here = await newAccount(accounts, email);
  const there = await signIn(accounts);
  const other = await newAccount(accounts, "kofi@example.com");
  expect((await accounts.send(`logout?scope=${scope}`, {}, { token: here.token })).status).toBe(204);
  const statuses = [];
  for (const token of [here.token, there.access_token, other.token])
    statuses.push((await accounts.send("user", undefined, { token })).status);
  expect(statuses).toEqual(expected);
});

test("A banned account can neither sign in nor refresh nor be recovered, and its token is refused", async () => {
  const accounts = await openAccounts();
  const { refreshToken, token, id } = await newAccount(accounts, email);
  await accounts.sql.query("update auth.users set banned_until = '2999-12-31' where id = $1", [id]);
  expect((await signIn(accounts)).error_code).toBe("user_banned");
  expect((await signIn(accounts, email, "a guess")).error_code).toBe("invalid_credentials");
  expect((await spend(accounts, refreshToken)).body.error_code).toBe("user_banned");
  expect((await accounts.send("user", undefined, { token })).status).toBe(403);
  const sent = accounts.emails.length;
  expect((await accounts.send("recover", { email })).status).toBe(200);
  await accounts.settle();
  expect(accounts.emails).toHaveLength(sent);
});

test("A token that is missing, forged, expired or a key is refused", async () => {
  const accounts = await openAccounts();
  const { token } = await newAccount(accounts, email);
  const [head, claims, signature] = token.split(".");
  const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString("base64url");
  expect((await accounts.send("user")).status).toBe(401);
  expect((await accounts.send("user", undefined, { token: "sb_publishable_x" })).status).toBe(401);
  for (const bad of [
    `${none}.${claims}.`,
    `${none}.${claims}.${signature}`,
    `${head}.${claims}.x`,
    "a.b.c",
    "a",
  ])
    expect((await accounts.send("user", undefined, { token: bad })).status).toBe(403);
  accounts.state.now += 3_600_000;
  expect((await accounts.send("user", undefined, { token })).body.error_code).toBe("bad_jwt");
});

test("A wrong request gets a 4xx with a message, never a 5xx", async () => {
  const accounts = await openAccounts();
  const { token } = await newAccount(accounts, email);
  const bodies: unknown[] = [
    null,
    [],
    "x",
    1,
    { email: {} },
    { email: "a@b.example", password: [] },
    { email: "a\0@b.example", password },
    { data: "x" },
    { type: 1 },
    { refresh_token: {} },
    { __proto__: null, constructor: 1 },
  ];
  for (const call of [
    "signup",
    "token?grant_type=password",
    "token?grant_type=refresh_token",
    "token",
    "verify",
    "recover",
    "resend",
    "logout?scope=x",
  ])
    for (const body of bodies) {
      const { status } = await accounts.send(call, body, { token });
      const isFine = status < 500 && (status >= 400 || call === "recover");
      expect([call, JSON.stringify(body), isFine]).toEqual([call, JSON.stringify(body), true]);
    }
  const raw = await accounts.ask("/auth/v1/signup", { method: "POST", body: "{" });
  expect(raw.status).toBe(400);
  const large = await accounts.ask("/auth/v1/signup", { method: "POST", body: `"${"x".repeat(20_000)}"` });
  expect(large.status).toBe(413);
  expect((await accounts.ask("/auth/v1/signup")).status).toBe(405);
  for (const path of ["otp", "admin/users", "constructor", "magiclink", "authorize", ""])
    expect((await accounts.send(path, {})).status).toBe(404);
  expect(accounts.log).toEqual([]);
});
