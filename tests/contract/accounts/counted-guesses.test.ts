import { expect, test } from "vitest";
import { type Accounts, newAccount, openAccounts, password } from "#tests/support/accounts.ts";

const email = "teacher@example.com";
const school = "203.0.113.7";
const guess = async (accounts: Accounts, who: string, ip = school, word = "a guess") => {
  const { status, body } = await accounts.send(
    "token?grant_type=password",
    { email: who, password: word },
    { ip },
  );
  return status === 200 ? "signed in" : (body.error_code as string);
};

/** Counted attempts at each limit, the smallest first: the pair of account and network, the account, the network. */
const counts = async ({ sql }: Accounts) =>
  (
    await sql.query<{ attempts: number }>(
      "select attempts::int as attempts from private_shop.attempts where attempts > 0 order by 1",
    )
  ).map(({ attempts }) => attempts);

const forgetCounts = ({ sql }: Accounts) => sql.query("delete from private_shop.attempts");

test("A pending sign-up's password takes no guess back, neither the account's nor the network's", async () => {
  const accounts = await openAccounts();
  await newAccount(accounts, email, school);
  await accounts.send("signup", { email, password: "a probe" }, { ip: school });
  await forgetCounts(accounts);
  expect(await guess(accounts, email, school, "a probe")).toBe("email_not_confirmed");
  expect(await counts(accounts)).toEqual([1, 1, 1]);
});

test("The right password takes its own attempt back, and nothing where it was not counted", async () => {
  const accounts = await openAccounts();
  await newAccount(accounts, email, school);
  await forgetCounts(accounts);
  expect(await guess(accounts, email, school, password)).toBe("signed in");
  expect(await counts(accounts)).toEqual([]);
  for (let n = 0; n < 10; n += 1) await guess(accounts, email);
  expect(await counts(accounts)).toEqual([10, 10, 10]);
  expect(await guess(accounts, email, school, password)).toBe("signed in");
  // Its way past the limit was counted nowhere.
  expect(await counts(accounts)).toEqual([10, 10]);
});

test("What is not an address counts like one, however it is spelled, and so does the shop's own network", async () => {
  const accounts = await openAccounts();
  const spellings = [" Not-An-Address", "not-an-address ", "NOT-AN-ADDRESS"];
  for (const ip of [school, ""]) {
    for (let n = 0; n < 10; n += 1)
      expect(await guess(accounts, spellings[n % 3] ?? "", ip)).toBe("invalid_credentials");
    expect(await guess(accounts, "not-an-address", ip)).toBe("over_request_rate_limit");
  }
});

test("An unconfirmed account's own password says so, also when its sign-up has been tidied away", async () => {
  const accounts = await openAccounts();
  await accounts.send("signup", { email, password });
  await accounts.settle();
  await accounts.sql.query("delete from private_shop.sign_ups");
  expect(await guess(accounts, email, school, password)).toBe("email_not_confirmed");
  expect(await guess(accounts, email)).toBe("invalid_credentials");
});
