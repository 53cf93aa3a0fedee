import { AsyncLocalStorage } from "node:async_hooks";
import bcrypt from "bcrypt";
import { expect, test } from "vitest";
import { type Accounts, newAccount, openAccounts, password } from "#tests/support/accounts.ts";

/*
 * What is done before the response is the same for every address, so its time reveals nothing; timing.long.test.ts measures
 * the time itself.
 */

/** An accounts API whose work is noted: each statement's text, and the cost of each hash. */
async function openNoted() {
  /** The request's own, not the background's. */
  const work = new AsyncLocalStorage<string[]>();
  const accounts = await openAccounts({
    hashPassword: ({ password: typed, salt }) => {
      work.getStore()?.push(`hash ${salt.slice(0, 6)}`);
      return bcrypt.hash(typed, salt);
    },
    note: (text) => void work.getStore()?.push(text),
    // After the response, when the test says so.
    taskDelayMs: [3_600_000, 3_600_000],
  });
  /** The work until the response to a first request. */
  async function workOf(call: (email: string) => ReturnType<Accounts["send"]>, email: string) {
    await accounts.sql.query("delete from private_shop.attempts");
    const done: string[] = [];
    const { status } = await work.run(done, () => call(email));
    await accounts.settle();
    return { status, done };
  }
  return { accounts, workOf };
}

test("Sign-in, sign-up, recovery and resending do the same for an account, a sign-up and an unknown address", {
  tags: "long",
}, async () => {
  const { accounts, workOf } = await openNoted();
  await newAccount(accounts, "ama@example.com");
  const calls: Record<string, (email: string) => ReturnType<Accounts["send"]>> = {
    "sign-in": (email) =>
      accounts.send("token?grant_type=password", { email, password: "a guess" }, { ip: "192.0.2.1" }),
    recovery: (email) => accounts.send("recover", { email }),
    resending: (email) => accounts.send("resend", { email, type: "signup" }),
    "sign-up": (email) => accounts.send("signup", { email, password }),
  };
  await accounts.send("signup", { email: "kofi@example.com", password });
  await accounts.settle();
  for (const [name, call] of Object.entries(calls)) {
    const unknown = await workOf(call, "nobody@example.com");
    expect(unknown.done.length).toBeGreaterThan(2);
    expect(unknown.done.filter((each) => each.startsWith("hash"))).toEqual(
      name.startsWith("sign-") ? ["hash $2b$10"] : [],
    );
    for (const known of ["ama@example.com", "kofi@example.com"])
      expect({ name, known, ...(await workOf(call, known)) }).toEqual({ name, known, ...unknown });
  }
});
