import { randomUUID } from "node:crypto";
import bcrypt from "bcrypt";
import { expect, test } from "vitest";
import { busy } from "#server/api/accounts/account-queue.ts";
import { newAccount, openAccounts, password } from "#tests/support/accounts.ts";

/** Accounts whose hashes are counted, and wait while the test holds them. */
async function openCounted() {
  const state = { hashed: [] as string[], held: null as Promise<void> | null, busy: false };
  const accounts = await openAccounts({
    passwordRounds: 4,
    hashPassword: async ({ password: typed, salt }) => {
      if (state.busy) throw busy();
      state.hashed.push(typed);
      await state.held;
      return bcrypt.hash(typed, salt);
    },
  });
  const signIn = (email: string, typed: string, ip?: string, signal?: AbortSignal) =>
    accounts.send("token?grant_type=password", { email, password: typed }, { ip, signal });
  return {
    accounts,
    state,
    signIn,
    /** Holds all hashes from now on; the returned function lets them continue. */
    hold: () => {
      let release = () => {};
      state.held = new Promise((resolve) => {
        release = () => {
          state.held = null;
          resolve();
        };
      });
      return release;
    },
    /** How many are waiting, neither hashed nor cancelled. */
    queued() {
      const { waiting, refused } = accounts.hashMetrics();
      return waiting + refused;
    },
    async hashesOf(work: () => Promise<unknown>) {
      const before = state.hashed.length;
      await work();
      return state.hashed.length - before;
    },
  };
}

test("A wrong password is hashed once, whether the email has an account, a sign-up, both or neither", async () => {
  const { accounts, signIn, hashesOf } = await openCounted();
  await newAccount(accounts, "ama@example.com");
  await newAccount(accounts, "both@example.com");
  for (const email of ["both@example.com", "kofi@example.com"])
    await accounts.send("signup", { email, password: "another password" });
  await accounts.settle();
  for (const who of ["ama", "both", "kofi", "nobody"])
    expect([who, await hashesOf(() => signIn(`${who}@example.com`, "a guess"))]).toEqual([who, 1]);
});

test("hashes a password typed with decomposed accents twice, whether or not the email has an account or the first hash is right", async () => {
  const { accounts, signIn, hashesOf } = await openCounted();
  const typed = "é a password".normalize("NFD");
  await newAccount(accounts, "ama@example.com");
  await accounts.sql.query("update auth.users set encrypted_password = $1 where email = 'ama@example.com'", [
    bcrypt.hashSync(typed.normalize("NFC"), 4),
  ]);
  for (const [who, guess, status] of [
    ["ama", typed, 200],
    ["ama", `${typed}2`, 400],
    ["nobody", typed, 400],
  ] as const) {
    const statuses: number[] = [];
    const hashes = await hashesOf(async () =>
      statuses.push((await signIn(`${who}@example.com`, guess)).status),
    );
    expect([who, guess, statuses, hashes]).toEqual([who, guess, [status], 2]);
  }
});

test("The password of an account imported with another salt is checked with one hash, even with a stranger's sign-up for the same email", async () => {
  const { accounts, signIn, hashesOf } = await openCounted();
  const email = "moved@example.com";
  await accounts.sql.query(
    `insert into auth.users (id, email, encrypted_password, email_confirmed_at)
     values ($1::text::uuid, $2, $3, now())`,
    [randomUUID(), email, bcrypt.hashSync(password, 4).replace("$2b$", "$2a$")],
  );
  await accounts.send("signup", { email, password: "a stranger's" });
  await accounts.settle();
  expect((await signIn(email, password)).status).toBe(200);
  expect((await signIn(email, "a stranger's")).body.error_code).toBe("email_not_confirmed");
  expect(await hashesOf(() => signIn(email, "a guess"))).toBe(1);
});

test("A stored hash that bcrypt can't read matches no password and takes as long", async () => {
  const { accounts, signIn, hashesOf } = await openCounted();
  for (const [n, hash] of [
    "",
    "$argon2id$v=19$m=65536",
    "$2b$03$i4LHdl/EVnrq6bjELu5j8u",
    "x".repeat(60),
  ].entries()) {
    const email = `${n}@example.com`;
    await accounts.sql.query(
      `insert into auth.users (id, email, encrypted_password, email_confirmed_at)
       values ($1::text::uuid, $2, $3, now())`,
      [randomUUID(), email, hash],
    );
    const responses: unknown[] = [];
    expect(await hashesOf(async () => responses.push((await signIn(email, hash || "a guess")).status))).toBe(
      1,
    );
    expect(responses).toEqual([400]);
  }
});

test("After 100 guesses at one account from 100 networks, another account's password is hashed next", async () => {
  const { accounts, state, signIn, hold, queued } = await openCounted();
  await newAccount(accounts, "ama@example.com", "192.0.2.1");
  const release = hold();
  const leaving = new AbortController();
  const guesses = Array.from({ length: 100 }, (_, n) =>
    signIn("victim@example.com", "a guess", `198.51.100.${n}`, leaving.signal),
  );
  await expect.poll(queued, { timeout: 30_000 }).toBe(98);
  const customer = signIn("ama@example.com", password, "192.0.2.2");
  await expect.poll(queued, { timeout: 30_000 }).toBe(99);
  state.hashed = [];
  release();
  expect((await customer).status).toBe(200);
  expect(state.hashed[0]).toBe(password);
  leaving.abort();
  await Promise.all(guesses);
});

test("The passwords of sign-ins that disconnect while waiting are not hashed", async () => {
  const { accounts, state, signIn, hold, queued } = await openCounted();
  const release = hold();
  const leaving = new AbortController();
  const left = Array.from({ length: 150 }, (_, n) =>
    signIn(`${n}@example.com`, "a guess", "198.51.100.7", leaving.signal),
  );
  await expect.poll(queued, { timeout: 30_000 }).toBe(148);
  leaving.abort();
  release();
  await Promise.all(left);
  expect([state.hashed.length, accounts.hashMetrics()]).toMatchObject([2, { finished: 2, waiting: 0 }]);
});

test("A sign-in refused because the shop is busy doesn't count as a guess, nor a sign-up towards the email limit", async () => {
  const { accounts, state, signIn } = await openCounted();
  state.busy = true;
  for (let n = 0; n < 12; n += 1) expect((await signIn("ama@example.com", password)).status).toBe(503);
  expect((await accounts.send("signup", { email: "ama@example.com", password })).status).toBe(503);
  state.busy = false;
  expect((await signIn("ama@example.com", password)).status).toBe(400);
  expect((await accounts.send("signup", { email: "ama@example.com", password })).status).toBe(200);
  expect(await accounts.linkTo("ama@example.com")).toContain("/auth/v1/verify");
});
