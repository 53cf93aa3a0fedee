import { expect, test } from "vitest";
import { codeOf, stepAt } from "#server/api/accounts/totp.ts";
import { type Accounts, newAccount, openAccounts, password } from "#tests/support/accounts.ts";
import { fromBase32 } from "#tests/support/second-step.ts";

const email = "ama@example.com";
const halfMinute = 30_000;

type Person = Awaited<ReturnType<typeof newAccount>> & { factorId: string; secret: Buffer };

const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as {
    aal: string;
    amr: { method: string }[];
    session_id: string;
  };

const currentCode = ({ secret }: Pick<Person, "secret">, accounts: Accounts, away = 0) =>
  codeOf(secret, stepAt(accounts.state.now) + away);

async function answer(
  accounts: Accounts,
  { token, factorId }: Pick<Person, "token" | "factorId">,
  code: string,
  ip?: string,
) {
  const { body } = await accounts.send(`factors/${factorId}/challenge`, {}, { token });
  return accounts.send(`factors/${factorId}/verify`, { challenge_id: body.id, code }, { token, ip });
}

async function enrol(accounts: Accounts, token: string) {
  const { body, status } = await accounts.send("factors", { factor_type: "totp" }, { token });
  expect(status).toBe(200);
  return { factorId: body.id as string, secret: fromBase32(body.totp.secret) };
}

/** A person whose second step is set up, in a session that has taken it; the next code is another one. */
async function withSecondStep(accounts: Accounts, who = email): Promise<Person> {
  const account = await newAccount(accounts, who);
  const person = { ...account, ...(await enrol(accounts, account.token)) };
  const { body, status } = await answer(accounts, person, currentCode(person, accounts));
  expect(status).toBe(200);
  accounts.state.now += halfMinute;
  return { ...person, token: body.access_token, refreshToken: body.refresh_token };
}

const signIn = async (accounts: Accounts, who = email) =>
  (await accounts.send("token?grant_type=password", { email: who, password })).body;

const subjects = async (accounts: Accounts, to = email) => {
  await accounts.settle();
  return accounts.emails.filter((one) => one.to === to).map(({ subject }) => subject.replace(/^.*?: /, ""));
};

test("An app becomes active with its first code: other sessions end, this one has passed the step, and the user is emailed", async () => {
  const accounts = await openAccounts();
  const here = await newAccount(accounts, email);
  const there = await signIn(accounts);
  const factor = await enrol(accounts, here.token);
  expect((await accounts.send("user", undefined, { token: here.token })).body.factors).toMatchObject([
    { id: factor.factorId, status: "unverified", factor_type: "totp" },
  ]);
  expect(claimsOf((await signIn(accounts)).access_token).aal).toBe("aal1");
  const { body } = await answer(accounts, { ...here, ...factor }, currentCode(factor, accounts));
  expect(claimsOf(body.access_token)).toMatchObject({
    aal: "aal2",
    session_id: claimsOf(here.token).session_id,
  });
  expect(
    claimsOf(body.access_token)
      .amr.map(({ method }) => method)
      .toSorted(),
  ).toEqual(["password", "totp"]);
  expect(body.user.factors).toMatchObject([{ status: "verified" }]);
  expect((await accounts.send("user", undefined, { token: there.access_token })).status).toBe(403);
  const renewed = await accounts.send("token?grant_type=refresh_token", {
    refresh_token: body.refresh_token,
  });
  expect(claimsOf(renewed.body.access_token).aal).toBe("aal2");
  expect(claimsOf((await signIn(accounts)).access_token)).toMatchObject({
    aal: "aal1",
    amr: [{ method: "password" }],
  });
  expect(await subjects(accounts)).toContain("signing in now needs a code");
});

test("The secret is shown once and stored encrypted; neither it nor a code appears in a later response, log or email", async () => {
  const accounts = await openAccounts();
  const person = await withSecondStep(accounts);
  const [row] = await accounts.sql.query<{ secret: string }>("select secret from auth.mfa_factors");
  for (const form of ["hex", "base64", "latin1"] as const)
    expect(row?.secret).not.toContain(person.secret.toString(form).slice(0, 10));
  const shown = JSON.stringify([
    (await accounts.send("user", undefined, { token: person.token })).body,
    await signIn(accounts),
    accounts.log,
    accounts.emails,
  ]);
  expect(shown).not.toContain(row?.secret);
});

test.each([
  [-2, 422],
  [-1, 200],
  [0, 200],
  [1, 200],
  [2, 422],
])("A phone whose clock is %i steps off gets %i", async (away, status) => {
  const accounts = await openAccounts();
  const person = await withSecondStep(accounts);
  accounts.state.now += 10 * halfMinute;
  const { access_token: token } = await signIn(accounts);
  expect((await answer(accounts, { ...person, token }, currentCode(person, accounts, away))).status).toBe(
    status,
  );
});

test("A code works once: not again, not in another session, and no earlier code after it", async () => {
  const accounts = await openAccounts();
  const person = await withSecondStep(accounts);
  const sessions = [await signIn(accounts), await signIn(accounts)];
  const code = currentCode(person, accounts);
  const statuses = [];
  for (const { access_token: token } of [...sessions, ...sessions])
    statuses.push((await answer(accounts, { ...person, token }, code)).status);
  expect(statuses).toEqual([200, 422, 422, 422]);
  const token = sessions[1]?.access_token;
  expect((await answer(accounts, { ...person, token }, currentCode(person, accounts, -1))).status).toBe(422);
  expect((await answer(accounts, { ...person, token }, currentCode(person, accounts, 1))).status).toBe(200);
});

test("Of eight simultaneous requests with the same code from different sessions, one succeeds", {
  tags: "long",
}, async () => {
  const accounts = await openAccounts();
  const person = await withSecondStep(accounts);
  const tokens = [];
  for (let n = 0; n < 8; n += 1) tokens.push((await signIn(accounts)).access_token);
  const code = currentCode(person, accounts);
  const challenges: string[] = [];
  for (const token of tokens)
    challenges.push((await accounts.send(`factors/${person.factorId}/challenge`, {}, { token })).body.id);
  const statuses = await Promise.all(
    tokens.map(
      async (token, n) =>
        (
          await accounts.send(
            `factors/${person.factorId}/verify`,
            { challenge_id: challenges[n], code },
            { token, ip: `203.0.113.${n + 10}` },
          )
        ).status,
    ),
  );
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  expect(statuses.filter((status) => status === 422)).toHaveLength(7);
});

test("A challenge belongs to its factor and expires after five minutes", async () => {
  const accounts = await openAccounts();
  const person = await withSecondStep(accounts);
  const other = await withSecondStep(accounts, "kofi@example.com");
  const { body } = await accounts.send(`factors/${person.factorId}/challenge`, {}, { token: person.token });
  const verify = (challenge_id: string, one = person) =>
    accounts.send(
      `factors/${one.factorId}/verify`,
      { challenge_id, code: currentCode(one, accounts) },
      { token: one.token },
    );
  accounts.state.now += halfMinute;
  expect((await verify(body.id, other)).body.error_code).toBe("mfa_challenge_expired");
  accounts.state.now += 5 * 60_000;
  expect((await verify(body.id)).body.error_code).toBe("mfa_challenge_expired");
  expect(
    (await accounts.send(`factors/${other.factorId}/challenge`, {}, { token: person.token })).status,
  ).toBe(404);
  expect(
    (await accounts.send(`factors/${other.factorId}`, undefined, { token: person.token, method: "DELETE" }))
      .status,
  ).toBe(404);
});

test("Of 200 wrong codes, ten are compared per network and thirty per account in an hour; after that, the right one is refused too", {
  tags: "long",
}, async () => {
  const accounts = await openAccounts();
  const person = await withSecondStep(accounts);
  const { access_token: token } = await signIn(accounts);
  const { body } = await accounts.send(`factors/${person.factorId}/challenge`, {}, { token });
  const guess = (code: string, ip: string) =>
    accounts.send(`factors/${person.factorId}/verify`, { challenge_id: body.id, code }, { token, ip });
  const right = currentCode(person, accounts);
  const wrong = right === "000000" ? "000001" : "000000";
  const own = [];
  for (let n = 0; n < 20; n += 1) own.push((await guess(wrong, "198.51.100.1")).status);
  expect(own).toEqual([...Array(10).fill(422), ...Array(10).fill(429)]);
  const others = await Promise.all(
    Array.from(
      { length: 180 },
      async (_, n) => (await guess(wrong, `198.51.${100 + (n % 9)}.${2 + n}`)).status,
    ),
  );
  expect(others.filter((status) => status === 422)).toHaveLength(20);
  expect(others.filter((status) => status === 429)).toHaveLength(160);
  const refused = await guess(right, "192.0.2.9");
  expect([refused.status, refused.body.error_code]).toEqual([429, "over_request_rate_limit"]);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(60);
  const recovery = await accounts.send(
    "factors/recovery-codes/verify",
    { code: "aaaaa-aaaaa" },
    { token, ip: "192.0.2.9" },
  );
  expect(recovery.status).toBe(429);
  accounts.state.now += 61 * 60_000;
  expect(
    (
      await answer(
        accounts,
        { ...person, token: (await signIn(accounts)).access_token },
        currentCode(person, accounts),
      )
    ).status,
  ).toBe(200);
});

test("Right codes don't use up the limit", async () => {
  const accounts = await openAccounts();
  const person = await withSecondStep(accounts);
  for (let n = 0; n < 35; n += 1) {
    accounts.state.now += halfMinute;
    expect((await answer(accounts, person, currentCode(person, accounts))).status).toBe(200);
  }
});

test("A second app, another password or address, removal and new codes need the second step", async () => {
  const accounts = await openAccounts();
  const person = await withSecondStep(accounts);
  const { access_token: token } = await signIn(accounts);
  const refused = async (call: string, body: unknown, method: string) => {
    const answered = await accounts.send(call, body, { token, method });
    return [answered.status, answered.body.error_code];
  };
  expect(await refused("user", { password: "another password" }, "PUT")).toEqual([401, "insufficient_aal"]);
  expect(await refused("user", { email: "thief@example.com" }, "PUT")).toEqual([401, "insufficient_aal"]);
  expect(await refused(`factors/${person.factorId}`, undefined, "DELETE")).toEqual([401, "insufficient_aal"]);
  expect(await refused("factors/recovery-codes", {}, "POST")).toEqual([401, "insufficient_aal"]);
  expect(await refused("factors", { factor_type: "totp" }, "POST")).toEqual([
    422,
    "too_many_enrolled_mfa_factors",
  ]);
  expect((await accounts.send("user", { data: { full_name: "Ama" } }, { token, method: "PUT" })).status).toBe(
    200,
  );
  const change = { password: "another password" };
  expect((await accounts.send("user", change, { token: person.token, method: "PUT" })).status).toBe(200);
});

test("A token issued before the step stays at the first level, although its session has passed the step", async () => {
  const accounts = await openAccounts();
  const person = await withSecondStep(accounts);
  const { access_token: token } = await signIn(accounts);
  expect((await answer(accounts, { ...person, token }, currentCode(person, accounts))).status).toBe(200);
  const change = { password: "another password" };
  expect((await accounts.send("user", change, { token, method: "PUT" })).status).toBe(401);
});

test("Removal needs a code from the last ten minutes; it ends the other sessions and lowers this one's level", async () => {
  const accounts = await openAccounts();
  const person = await withSecondStep(accounts);
  const there = await signIn(accounts);
  accounts.state.now += 11 * 60_000;
  const remove = (token: string) =>
    accounts.send(`factors/${person.factorId}`, undefined, { token, method: "DELETE" });
  expect((await remove(person.token)).body.error_code).toBe("insufficient_aal");
  const { body } = await answer(accounts, person, currentCode(person, accounts));
  expect((await remove(body.access_token)).body).toEqual({ id: person.factorId });
  expect((await accounts.send("user", undefined, { token: there.access_token })).status).toBe(403);
  const renewed = await accounts.send("token?grant_type=refresh_token", {
    refresh_token: body.refresh_token,
  });
  expect(claimsOf(renewed.body.access_token)).toMatchObject({ aal: "aal1", amr: [{ method: "password" }] });
  expect(renewed.body.user.factors).toBeUndefined();
  expect(await subjects(accounts)).toContain("the second step at sign-in was removed");
});

test("Ten recovery codes are stored as hashes, each works once even in 20 simultaneous requests, and an email says how many are left", async () => {
  const accounts = await openAccounts();
  const person = await withSecondStep(accounts);
  const { body } = await accounts.send("factors/recovery-codes", {}, { token: person.token });
  const codes: string[] = body.codes;
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) expect(code).toMatch(/^[a-hjkmnp-z2-9]{5}-[a-hjkmnp-z2-9]{5}$/);
  const stored = JSON.stringify(await accounts.sql.query("select * from private_shop.recovery_codes"));
  for (const code of codes) expect(stored).not.toContain(code.slice(0, 5));
  const sessions = [];
  for (let n = 0; n < 20; n += 1) sessions.push((await signIn(accounts)).access_token);
  const use = (token: string, code: string | undefined, ip: string) =>
    accounts.send("factors/recovery-codes/verify", { code }, { token, ip });
  const statuses = await Promise.all(
    sessions.map(async (token, n) => (await use(token, codes[0], `203.0.113.${n + 10}`)).status),
  );
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  expect(statuses.filter((status) => status === 422)).toHaveLength(19);
  const sloppy = ` ${codes[1]?.toUpperCase().replace("-", " ")} `;
  const used = await use(sessions[3], sloppy, "203.0.113.200");
  expect(claimsOf(used.body.access_token)).toMatchObject({ aal: "aal2" });
  expect(claimsOf(used.body.access_token).amr.map(({ method }) => method)).toContain("recovery_code");
  expect(
    (await accounts.send("factors/recovery-codes", undefined, { token: person.token })).body,
  ).toMatchObject({
    total: 10,
    remaining: 8,
  });
  await accounts.settle();
  const told = accounts.emails.findLast(({ subject }) => subject.includes("recovery code"));
  expect(told?.text).toContain("8 are left");
  expect(JSON.stringify(accounts.emails)).not.toContain(codes[1]);
});

test("New recovery codes replace the old ones, and work only for their owner", async () => {
  const accounts = await openAccounts();
  const person = await withSecondStep(accounts);
  const other = await withSecondStep(accounts, "kofi@example.com");
  const make = async (token: string, call = "factors/recovery-codes"): Promise<string[]> =>
    (await accounts.send(call, {}, { token })).body.codes;
  const [old] = await make(person.token);
  const [current] = await make(person.token, "factors/recovery-codes/regenerate");
  const [theirs] = await make(other.token);
  const { access_token: token } = await signIn(accounts);
  const use = async (code: string | undefined) =>
    (await accounts.send("factors/recovery-codes/verify", { code }, { token })).status;
  expect([await use(old), await use(theirs), await use(current)]).toEqual([422, 422, 200]);
});

test("A sign-in in a new browser sends an email, one in a known browser and the first one don't", async () => {
  const accounts = await openAccounts();
  await newAccount(accounts, email);
  const phone =
    "Mozilla/5.0 (Linux; Android 14; SM-A155F) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Mobile Safari/537.36";
  const signInWith = (headers: Record<string, string>) =>
    accounts.ask("/auth/v1/token?grant_type=password", {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify({ email, password }),
    });
  const told = async () => (await subjects(accounts)).filter((text) => text.includes("new device")).length;
  expect(await told()).toBe(0);
  await signInWith({ "user-agent": phone });
  expect(await told()).toBe(1);
  expect(accounts.emails.at(-1)?.text).toContain("Chrome on an Android phone");
  await signInWith({ "user-agent": phone });
  expect(await told()).toBe(1);
  // The same kind of browser, another phone.
  const id = crypto.randomUUID();
  await signInWith({ "user-agent": phone, "x-device": id });
  await signInWith({ "user-agent": phone, "x-device": id });
  expect(await told()).toBe(2);
  const stored = JSON.stringify(await accounts.sql.query("select * from private_shop.known_devices"));
  expect(stored).not.toContain(id);
});
