import { expect, test, vi } from "vitest";
import { newAccount, openAccounts, password, siteUrl } from "#tests/support/accounts.ts";

const email = "ama@example.com";
const signIn = "token?grant_type=password";
const refresh = "token?grant_type=refresh_token";

const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8"));

test("A session and its token hold what a hosted project's do, and say how the person signed in", async () => {
  const accounts = await openAccounts();
  await accounts.send("signup", { email, password, data: { full_name: "Ama" } });
  const { fragment } = await accounts.follow(await accounts.linkTo(email));
  const issuedAt = Math.floor(accounts.state.now / 1000);
  const { body } = await accounts.send(signIn, { email, password });
  const renewed = (await accounts.send(refresh, { refresh_token: body.refresh_token })).body;
  const again = (await accounts.send(refresh, { refresh_token: body.refresh_token })).body;
  for (const session of [body, renewed, again])
    expect(session).toMatchObject({
      token_type: "bearer",
      expires_in: 3600,
      expires_at: issuedAt + 3600,
      user: { id: body.user.id, email },
    });
  const common = {
    iss: `${siteUrl}/auth/v1`,
    sub: body.user.id,
    aud: "authenticated",
    role: "authenticated",
    iat: issuedAt,
    exp: issuedAt + 3600,
    email,
    phone: "",
    aal: "aal1",
    is_anonymous: false,
    app_metadata: { provider: "email", providers: ["email"] },
    user_metadata: body.user.user_metadata,
    session_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
  };
  expect(body.user.user_metadata).toMatchObject({ full_name: "Ama", email_verified: true });
  for (const [token, method] of [
    ...[body, renewed, again].map((session) => [session.access_token, "password"]),
    [fragment.get("access_token"), "otp"],
  ])
    expect(claimsOf(token)).toEqual({ ...common, amr: [{ method, timestamp: issuedAt }] });
  expect(Object.fromEntries(fragment)).toEqual({
    access_token: expect.any(String),
    refresh_token: expect.any(String),
    expires_at: `${issuedAt + 3600}`,
    expires_in: "3600",
    token_type: "bearer",
    type: "signup",
  });
});

test("Each refusal says what is wrong", async () => {
  const accounts = await openAccounts();
  const { token, id, refreshToken } = await newAccount(accounts, email);
  const refusalOf = async (call: string, body?: unknown, options?: Parameters<typeof accounts.send>[2]) => {
    const { status, body: response } = await accounts.send(call, body, options);
    return [status, response.error_code, response.msg];
  };
  const put = { method: "PUT", token };
  const [invalid, both] = ["validation_failed", "An email address and a password are needed."];
  const badEmail = "Unable to validate email address: invalid format";
  for (const [call, body, options, expected] of [
    [signIn, { email }, {}, [400, invalid, both]],
    [signIn, { password }, {}, [400, invalid, both]],
    [refresh, {}, {}, [400, invalid, "refresh_token is needed."]],
    [
      ...([refresh, { refresh_token: "x" }, {}] as const),
      [400, "refresh_token_not_found", "Invalid Refresh Token: Refresh Token Not Found"],
    ],
    ["token", {}, {}, [400, "unsupported_grant_type", "This grant_type is not offered."]],
    ["signup", { password }, {}, [400, invalid, "An email address is needed."]],
    ["signup", { email: "ama", password }, {}, [400, invalid, badEmail]],
    ["signup", { email: "kofi@example.com" }, {}, [400, invalid, "Signup requires a valid password"]],
    ["recover", {}, {}, [400, invalid, "An email address is needed."]],
    ["resend", { email, type: "recovery" }, {}, [400, invalid, 'The type must be "signup".']],
    ["user", { email: "ama" }, put, [400, invalid, badEmail]],
    [
      ...(["user", { password }, put] as const),
      [422, "same_password", "New password should be different from the old password."],
    ],
    [
      ...(["logout?scope=x", {}, { token }] as const),
      [400, invalid, "The scope must be global, local or others."],
    ],
    [
      ...(["user", undefined, {}] as const),
      [401, "no_authorization", "This endpoint requires a valid Bearer token"],
    ],
    ["user", undefined, { token: "a.b.c" }, [403, "bad_jwt", expect.stringMatching(/^invalid JWT: ./)]],
    [
      ...(["verify", { type: "signup", token_hash: "x" }, {}] as const),
      [403, "otp_expired", "Email link is invalid or has expired"],
    ],
    ["magiclink", {}, {}, [404, "not_found", "There is nothing at this address."]],
    ["token", undefined, {}, [405, "method_not_allowed", "This method is not allowed here."]],
  ] as const)
    expect([call, body, ...(await refusalOf(call, body, options))]).toEqual([call, body, ...expected]);

  await accounts.send(refresh, { refresh_token: refreshToken });
  accounts.state.now += 31_000;
  expect(await refusalOf(refresh, { refresh_token: refreshToken })).toEqual([
    400,
    "refresh_token_already_used",
    "Invalid Refresh Token: Already Used",
  ]);
  expect(await refusalOf("user", undefined, { token })).toEqual([
    403,
    "session_not_found",
    "Session from session_id claim in JWT does not exist",
  ]);
  const session = (await accounts.send(signIn, { email, password })).body;
  await accounts.sql.query("update auth.users set banned_until = '2999-12-31' where id = $1::text::uuid", [
    id,
  ]);
  const banned = ["user_banned", "User is banned"];
  expect(await refusalOf(signIn, { email, password })).toEqual([400, ...banned]);
  expect(await refusalOf(refresh, { refresh_token: session.refresh_token })).toEqual([400, ...banned]);
  expect(await refusalOf("user", undefined, { token: session.access_token })).toEqual([403, ...banned]);
  await accounts.send("signup", { email: "kofi@example.com", password });
  expect(await refusalOf(signIn, { email: "kofi@example.com", password })).toEqual([
    400,
    "email_not_confirmed",
    "Email not confirmed",
  ]);
});

test("What the API says of itself, and which methods it takes", async () => {
  const accounts = await openAccounts();
  expect((await accounts.send("health")).body).toEqual({
    name: "GoTrue",
    description: "The shop's own accounts API",
  });
  expect((await accounts.send("settings")).body).toEqual({
    external: { email: true, phone: false, anonymous_users: false },
    disable_signup: false,
    mailer_autoconfirm: false,
    phone_autoconfirm: false,
  });
  const methods = async (path: string) =>
    (await accounts.ask(`/auth/v1/${path}`, { method: "DELETE" })).headers.get("allow");
  expect([await methods("user"), await methods("verify"), await methods("er")]).toEqual([
    "GET, PUT",
    "GET, HEAD, POST",
    null,
  ]);
  expect((await accounts.ask("/other/v1/health")).status).toBe(404);
});

test("A refusal by a database rule is returned as it is; any other failure is logged without its text", async () => {
  const accounts = await openAccounts();
  const { token } = await newAccount(accounts, email);
  const rename = () => accounts.send("user", { data: { full_name: "Kofi" } }, { method: "PUT", token });
  const raise = (code: string) =>
    accounts.sql.exec(`
      create or replace function private_shop.refuse() returns trigger language plpgsql as
      $$ begin raise exception 'Not this name' using errcode = '${code}'; end $$;
      create or replace trigger refuse before update on auth.users
      for each row execute function private_shop.refuse()`);
  try {
    await raise("PT409");
    const refused = await rename();
    expect([refused.status, refused.body]).toEqual([
      409,
      { code: 409, error_code: "refused", msg: "Not this name" },
    ]);
    expect(accounts.log).toEqual([]);
    await raise("PT500");
    const failed = await rename();
    expect([failed.status, failed.headers.get("retry-after"), failed.body]).toEqual([
      503,
      "5",
      {
        code: 503,
        error_code: "unexpected_failure",
        msg: "The shop is temporarily unavailable. Please try again in a moment.",
      },
    ]);
    vi.spyOn(accounts.sql, "query").mockRejectedValueOnce(new TypeError(email));
    expect((await accounts.send("recover", { email })).status).toBe(503);
    expect(accounts.log).toEqual([
      "accounts: a request failed (PT500)",
      "accounts: a request failed (TypeError)",
    ]);
  } finally {
    await accounts.sql.exec("drop function private_shop.refuse cascade");
  }
});
