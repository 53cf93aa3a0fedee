import { createHash, createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { emailLimits, networkLimits, pairKey, signInLimits } from "#server/api/accounts/limits.ts";
import { checkNewPassword, createPasswords } from "#server/api/accounts/passwords.ts";
import { createSignInThrottle } from "#server/api/accounts/sign-in-throttle.ts";
import { hashToken, randomToken, signToken } from "#server/api/accounts/tokens.ts";
import { isBanned, toUser, type UserRow } from "#server/api/accounts/users.ts";
import { bareAddress, networkOf } from "#server/lib/network.ts";

/** At bcrypt's lowest cost. */
const quickPasswords = () => createPasswords("a secret", 4);

const noSignal = new AbortController().signal;

test("Limits state whose, how many and for how long", () => {
  const pair = { key: "sign-in a@b.c 192.0.2.1", most: 10, windowMs: 300_000 };
  const account = { key: "sign-in a@b.c", most: 100, windowMs: 900_000 };
  const limit = { key: "sign-ins 192.0.2.1", most: 300, windowMs: 300_000 };
  expect(signInLimits("a@b.c", "192.0.2.1")).toEqual([pair, account, limit]);
  expect(signInLimits("a@b.c", null)).toEqual([{ ...pair, key: "sign-in a@b.c here" }, account]);
  expect(pairKey("a@b.c", "192.0.2.1")).toBe(pair.key);
  expect(networkLimits("emails", "192.0.2.1")).toEqual([
    { key: "emails 192.0.2.1", most: 100, windowMs: 3_600_000 },
  ]);
  expect(networkLimits("sign-ups", null)).toEqual([]);
  expect(emailLimits("signup", "a@b.c")).toEqual([
    { key: "signup minute a@b.c", most: 1, windowMs: 60_000 },
    { key: "signup hour a@b.c", most: 6, windowMs: 3_600_000 },
  ]);
});

test.each([
  [" 192.0.2.1 ", "192.0.2.1", "192.0.2.1"],
  ["192.0.2.1:80", "192.0.2.1", "192.0.2.1"],
  ["192.0.222.133:4711", "192.0.222.133", "192.0.222.133"],
  ["x192.0.2.1:80", "x192.0.2.1:80", null],
  ["192.0.2.1:80x", "192.0.2.1:80x", null],
  ["::ffff:192.0.2.1", "192.0.2.1", "192.0.2.1"],
  ["::FFFF:192.0.2.1", "192.0.2.1", "192.0.2.1"],
  ["a::ffff:1.2.3.4", "a::ffff:1.2.3.4", "a:0:0:0"],
  ["[2001:db8:1:2::1]:443", "2001:db8:1:2::1", "2001:db8:1:2"],
  ["[2001:db8::1]", "2001:db8::1", "2001:db8:0:0"],
  ["x[2001:db8::1]", "x[2001:db8::1]", null],
  ["[2001:db8::1]x", "[2001:db8::1]x", null],
  ["fe80::1%eth0", "fe80::1", "fe80:0:0:0"],
  ["::1", "::1", null],
  ["127.0.0.1", "127.0.0.1", null],
  ["::2", "::2", "0:0:0:0"],
  ["1::2:3:4:5:6:7", "1::2:3:4:5:6:7", "1:0:2:3"],
  ["2001:0DB8:0001:0000:1:2:3:4", "2001:0DB8:0001:0000:1:2:3:4", "2001:db8:1:0"],
  ["unknown", "unknown", null],
  ["", "", null],
])("The network of %j", (client, bare, network) => {
  expect([bareAddress(client), networkOf(client)]).toEqual([bare, network]);
});

test("A new password has six characters and at most 72 bytes", () => {
  for (const password of ["sixsix", "a".repeat(72)]) expect(() => checkNewPassword(password)).not.toThrow();
  const weak = { status: 422, code: "weak_password" };
  expect(() => checkNewPassword("fives")).toThrow(
    expect.objectContaining({ ...weak, message: "Password should be at least 6 characters." }),
  );
  expect(() => checkNewPassword("é".repeat(37))).toThrow(
    expect.objectContaining({
      ...weak,
      message: "Password should be at most 72 bytes: 72 plain letters, fewer with accents or emoji.",
    }),
  );
});

test("The same password has the same hash for one address and another for another, and matches only itself", async () => {
  const passwords = quickPasswords();
  const [one, again, other] = await Promise.all([
    passwords.hash("a password", "a@b.c"),
    passwords.hash("a password", "a@b.c"),
    passwords.hash("a password", "d@b.c"),
  ]);
  expect(one).toMatch(/^\$2b\$\d\d\$[./A-Za-z0-9]{53}$/);
  expect([one === again, one === other]).toEqual([true, false]);
  const salt = createHmac("sha256", "a secret")
    .update("salt a@b.c")
    .digest()
    .subarray(0, 16)
    .toString("base64");
  const standard = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const bcrypts = "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  const expected = [...salt.slice(0, 21)].map((letter) => bcrypts[standard.indexOf(letter)]).join("");
  expect(one?.slice(7, 28)).toBe(expected);
  const matches = async (typed: string, hash: string | null = one ?? "") => {
    const client = {
      email: "a@b.c",
      network: null,
      isKnownNetwork: false,
      sinceMs: performance.now(),
      signal: noSignal,
    };
    const isPassword = await passwords.check(client, typed, hash);
    return isPassword(hash);
  };
  expect(
    await Promise.all([matches("a password"), matches("a passwore"), matches("a password", null)]),
  ).toEqual([true, false, false]);
  const longest = await passwords.hash("a".repeat(72), "a@b.c");
  expect(await matches("a".repeat(72), longest)).toBe(true);
  expect(await matches("a".repeat(73), longest)).toBe(false);
});

test("throttled sign-ins to one account run one at a time, with a pause in between", {
  tags: "long",
}, async () => {
  const throttle = createSignInThrottle(20);
  const throttled = <Result>(key: string, work: () => Promise<Result>) => throttle(key, noSignal, work);
  let running = 0;
  const seen: number[] = [];
  const work = async () => {
    running += 1;
    seen.push(running);
    await Promise.resolve();
    running -= 1;
    return "done";
  };
  const startedAt = performance.now();
  const turns = Array.from({ length: 20 }, () => throttled("ama", work));
  await expect(throttled("ama", work)).rejects.toMatchObject({
    status: 429,
    headers: { "retry-after": "1" },
  });
  await expect(throttled("kofi", async () => 1)).resolves.toBe(1);
  expect(await Promise.all(turns)).toEqual(Array(20).fill("done"));
  expect(performance.now() - startedAt).toBeGreaterThan(19 * 20);
  expect(Math.max(...seen)).toBe(1);
  await expect(throttled("ama", () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  await expect(throttled("ama", work)).resolves.toBe("done");
});

test("throttled sign-ins skip clients that have disconnected", async () => {
  const throttled = createSignInThrottle(60_000);
  const leaving = new AbortController();
  leaving.abort();
  const done: string[] = [];
  const left = Array.from({ length: 20 }, () =>
    throttled("ama", leaving.signal, async () => done.push("left")).catch(() => "refused"),
  );
  expect(await Promise.all(left)).toEqual(Array(20).fill("refused"));
  const begun = new Promise((resolve) => {
    void throttled("ama", noSignal, async () => resolve("begun"));
  });
  expect([await begun, done]).toEqual(["begun", []]);
});

test("Tokens are signed, random and stored as hashes", () => {
  const token = signToken({ sub: "a" }, "a secret");
  const [head, body, signature] = token.split(".");
  const read = (part: string | undefined) => JSON.parse(Buffer.from(part ?? "", "base64url").toString());
  expect([read(head), read(body)]).toEqual([{ alg: "HS256", typ: "JWT" }, { sub: "a" }]);
  expect(signature).toBe(createHmac("sha256", "a secret").update(`${head}.${body}`).digest("base64url"));
  expect(randomToken()).toMatch(/^[\w-]{32}$/);
  expect(hashToken("a")).toBe(createHash("sha256").update("a").digest("hex"));
});

const row: UserRow = {
  id: "1",
  aud: null,
  role: null,
  email: "a@b.c",
  encrypted_password: "x",
  email_confirmed_at: null,
  confirmation_sent_at: null,
  recovery_sent_at: null,
  email_change: null,
  email_change_sent_at: null,
  last_sign_in_at: null,
  raw_app_meta_data: null,
  raw_user_meta_data: null,
  banned_until: null,
  deleted_at: null,
  created_at: null,
  updated_at: null,
};

test("An account is shown as the hosted accounts API shows it", () => {
  const data = { email: "a@b.c", email_verified: false, phone_verified: false, sub: "1" };
  const shown = {
    id: "1",
    aud: "authenticated",
    role: "authenticated",
    email: "a@b.c",
    phone: "",
    is_anonymous: false,
    app_metadata: { provider: "email", providers: ["email"] },
    user_metadata: data,
    identities: [
      { identity_id: "1", id: "1", user_id: "1", identity_data: data, provider: "email", email: "a@b.c" },
    ],
  };
  expect(JSON.parse(JSON.stringify(toUser(row)))).toEqual(shown);
  const full = toUser({
    ...row,
    aud: "x",
    role: "y",
    email_confirmed_at: "1",
    confirmation_sent_at: "2",
    recovery_sent_at: "3",
    email_change: "d@b.c",
    email_change_sent_at: "4",
    last_sign_in_at: "5",
    created_at: "6",
    updated_at: "7",
    raw_app_meta_data: { extra: 1 },
    raw_user_meta_data: { full_name: "Ama" },
  });
  expect(full).toMatchObject({
    aud: "x",
    role: "y",
    email_confirmed_at: "1",
    confirmed_at: "1",
    confirmation_sent_at: "2",
    recovery_sent_at: "3",
    new_email: "d@b.c",
    email_change_sent_at: "4",
    last_sign_in_at: "5",
    created_at: "6",
    updated_at: "7",
    app_metadata: { provider: "email", providers: ["email"], extra: 1 },
    user_metadata: { full_name: "Ama", email_verified: true },
    identities: [
      { last_sign_in_at: "5", created_at: "6", updated_at: "7", identity_data: { full_name: "Ama" } },
    ],
  });
  expect(toUser({ ...row, email: null }).email).toBe("");
  expect(toUser({ ...row, email_change_sent_at: "4" }).email_change_sent_at).toBeUndefined();
});

test("An account is banned for good, or until a time", () => {
  const at = Date.parse("2026-01-01T00:00:00Z");
  expect(isBanned(row, at)).toBe(false);
  expect(isBanned({ ...row, deleted_at: "2020-01-01T00:00:00Z" }, at)).toBe(true);
  expect(isBanned({ ...row, banned_until: "2026-01-01T00:00:01Z" }, at)).toBe(true);
  expect(isBanned({ ...row, banned_until: "2026-01-01T00:00:00Z" }, at)).toBe(false);
});
