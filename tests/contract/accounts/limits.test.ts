import { expect, test } from "vitest";
import { type Accounts, newAccount, openAccounts, password } from "#tests/support/accounts.ts";

const email = "teacher@example.com";
const school = "203.0.113.7";
const guess = (accounts: Accounts, who: string, ip = school, word = "a guess") =>
  accounts.send("token?grant_type=password", { email: who, password: word }, { ip });

async function guessOften(accounts: Accounts, times: number, who: string, ip = school) {
  for (let n = 0; n < times; n += 1) await guess(accounts, who, ip);
}

test("The eleventh wrong password for one account from one IP address is refused with a message, even after a restart", async () => {
  const accounts = await openAccounts();
  for (let n = 0; n < 10; n += 1) expect((await guess(accounts, email)).status).toBe(400);
  await accounts.restart();
  const { status, body, headers } = await guess(accounts, " TEACHER@example.com");
  expect([status, body.msg]).toEqual([429, "Too many attempts. Please try again in 5 minutes."]);
  expect(headers.get("retry-after")).toBe("300");
  expect((await guess(accounts, "other@example.com")).status).toBe(400);
  expect((await guess(accounts, email, "198.51.100.7")).status).toBe(400);
  accounts.state.now += 5 * 60_000;
  expect((await guess(accounts, email)).status).toBe(400);
});

test("Concurrent attempts are counted while they run", { tags: "long" }, async () => {
  const accounts = await openAccounts({ passwordRounds: 9 });
  const responses = await Promise.all(Array.from({ length: 30 }, () => guess(accounts, email)));
  expect(responses.filter(({ status }) => status === 400)).toHaveLength(10);
});

test("Where a teacher has signed in before, pupils' guesses never lock the teacher out, not even after a restart", async () => {
  const accounts = await openAccounts();
  await newAccount(accounts, email, school);
  await accounts.restart();
  await guessOften(accounts, 25, email);
  expect((await guess(accounts, email, school, password)).status).toBe(200);
});

test("A whole school's guesses lock out strangers there, but no one who has signed in there before", async () => {
  const accounts = await openAccounts();
  await newAccount(accounts, email, school);
  await accounts.sql.query("update private_shop.attempts set attempts = 0");
  // What 300 guesses leave behind, without the minutes that hashing takes.
  await guess(accounts, "pupil@example.com");
  await accounts.sql.query("update private_shop.attempts set attempts = 300 where attempts = 1");
  expect((await guess(accounts, "new@example.com")).status).toBe(429);
  expect((await guess(accounts, email, school, password)).status).toBe(200);
});

test("Guesses at one account from many addresses are stopped, but not where its owner has signed in before", async () => {
  const accounts = await openAccounts();
  await newAccount(accounts, email, school);
  for (let n = 0; n < 100; n += 1) expect((await guess(accounts, email, `198.51.100.${n}`)).status).toBe(400);
  expect((await guess(accounts, email, "192.0.2.1", password)).status).toBe(429);
  expect((await guess(accounts, email, school, password)).status).toBe(200);
});

test("After guesses from many addresses, a password reset lets the owner sign in from its network and no other", async () => {
  const accounts = await openAccounts();
  await newAccount(accounts, email, school);
  const [hotel, attacker] = ["192.0.2.1", "198.51.100.1"];
  for (let n = 0; n < 100; n += 1) await guess(accounts, email, `198.51.100.${n % 12}`);
  expect((await guess(accounts, email, hotel, password)).status).toBe(429);
  await accounts.send("recover", { email }, { ip: hotel });
  const { fragment } = await accounts.follow(await accounts.linkTo(email), hotel);
  const token = fragment.get("access_token") ?? "";
  const change = { password: "a new password" };
  expect((await accounts.send("user", change, { method: "PUT", token, ip: hotel })).status).toBe(200);
  expect((await guess(accounts, email, hotel, change.password)).status).toBe(200);
  for (const elsewhere of [attacker, "192.0.2.2"])
    expect((await guess(accounts, email, elsewhere, change.password)).status).toBe(429);
});

test("The right password clears the account's own count", async () => {
  const accounts = await openAccounts();
  await newAccount(accounts, email, "192.0.2.1");
  await guessOften(accounts, 9, email);
  expect((await guess(accounts, email, school, password)).status).toBe(200);
  for (let n = 0; n < 10; n += 1) expect((await guess(accounts, email)).status).toBe(400);
});

test("A pending sign-up's password clears no count, even where the account is known", async () => {
  const accounts = await openAccounts();
  await newAccount(accounts, email, school);
  expect((await accounts.send("signup", { email, password: "a probe" }, { ip: school })).status).toBe(200);
  await guessOften(accounts, 9, email);
  expect((await guess(accounts, email, school, "a probe")).body.error_code).toBe("email_not_confirmed");
  expect((await guess(accounts, email)).status).toBe(429);
});

test("Wrong passwords look the same for an account known at this IP address and for an unknown one", async () => {
  const accounts = await openAccounts();
  await newAccount(accounts, email, school);
  const answersTo = async (who: string, times: number) => {
    const responses = [];
    for (let n = 0; n < times; n += 1) {
      const { status, body, headers } = await guess(accounts, who);
      responses.push([status, body.error_code, body.msg, headers.get("retry-after")]);
    }
    return responses;
  };
  const existing = await answersTo(email, 12);
  expect(existing).toEqual(await answersTo("nobody@example.com", 12));
  expect(existing.map(([status]) => status)).toEqual([...Array(10).fill(400), 429, 429]);
  // What 300 guesses leave behind.
  await accounts.sql.query("update private_shop.attempts set attempts = 0");
  await guess(accounts, "pupil@example.com");
  await accounts.sql.query("update private_shop.attempts set attempts = 300 where attempts > 0");
  expect(await answersTo(email, 1)).toEqual(await answersTo("nobody@example.com", 1));
  expect((await guess(accounts, email, school, password)).status).toBe(200);
});

test("An IPv6 customer counts as their /64, and ports that a proxy adds are ignored", async () => {
  const accounts = await openAccounts();
  const sixes = ["2001:db8:1:2::1", "[2001:db8:1:2::2]:443", "2001:db8:1:2:ffff::9", "[2001:DB8:1:2::a]"];
  for (let n = 0; n < 10; n += 1) await guess(accounts, email, sixes[n % sixes.length]);
  expect((await guess(accounts, email, "2001:db8:1:2:3:4:5:6")).status).toBe(429);
  expect((await guess(accounts, email, "2001:db8:1:3::1")).status).toBe(400);
  for (let n = 0; n < 10; n += 1) await guess(accounts, email, `192.0.2.9:${4000 + n}`);
  expect((await guess(accounts, email, "192.0.2.9")).status).toBe(429);
});

test("Empty or malformed requests use up no one's sign-ups and recoveries", async () => {
  const accounts = await openAccounts();
  for (let n = 0; n < 101; n += 1) {
    await accounts.send("signup", {});
    await accounts.send("recover", { email: "nobody" });
    await accounts.send("signup", { email: `a${n}@example.com`, password: "short" });
  }
  expect((await accounts.send("recover", { email })).status).toBe(200);
  expect((await accounts.send("signup", { email, password })).status).toBe(200);
});

test("After a hundred sign-ups an hour from one IP address the next one is refused there", async () => {
  const accounts = await openAccounts();
  const signUp = (who: string, ip: string) => accounts.send("signup", { email: who, password }, { ip });
  expect((await signUp(email, school)).status).toBe(200);
  // What a hundred sign-ups leave behind.
  await accounts.sql.query("update private_shop.attempts set attempts = 100");
  const { status, body } = await signUp("other@example.com", school);
  expect([status, body.msg]).toEqual([429, "Too many attempts. Please try again in 60 minutes."]);
  expect((await signUp("other@example.com", "198.51.100.7")).status).toBe(200);
});

test("A sign-up and its link sent again are one kind of email, a recovery is another", async () => {
  const accounts = await openAccounts();
  const resend = () => accounts.send("resend", { email, type: "signup" });
  await accounts.send("signup", { email, password });
  expect((await resend()).status).toBe(429);
  expect((await accounts.send("recover", { email })).status).toBe(200);
  accounts.state.now += 60_000;
  expect((await resend()).status).toBe(200);
  expect((await accounts.send("recover", { email })).status).toBe(200);
});

test("After a hundred recoveries an hour from one IP address, emails are sent only to those known there, and every response is the same", {
  tags: "long",
}, async () => {
  const accounts = await openAccounts();
  const elsewhere = "elsewhere@example.com";
  await newAccount(accounts, email, school);
  await newAccount(accounts, elsewhere, "192.0.2.77");
  accounts.state.now += 61_000;
  const recover = async (who: string, ip = school) => {
    const sent = accounts.emails.length;
    const { status, body } = await accounts.send("recover", { email: who }, { ip });
    await accounts.settle();
    return { answer: [status, body], emails: accounts.emails.length - sent };
  };
  for (let n = 0; n < 100; n += 1) await recover(`a${n}@example.com`);
  const [existing, stranger, nobody] = [
    await recover(email),
    await recover(elsewhere),
    await recover("nobody@example.com"),
  ];
  expect([existing.answer, stranger.answer, nobody.answer]).toEqual(Array(3).fill([200, {}]));
  expect([existing.emails, stranger.emails, nobody.emails]).toEqual([1, 0, 0]);
  // What was not sent does not count against its owner elsewhere.
  expect((await recover(elsewhere, "192.0.2.77")).emails).toBe(1);
  const again = [await recover(email), await recover(elsewhere), await recover("nobody@example.com")];
  expect(again.map(({ answer: [status] }) => status)).toEqual([429, 429, 429]);
});

test("An address gets one email of a kind a minute, and six an hour, whether it is known or not", async () => {
  const accounts = await openAccounts();
  await newAccount(accounts, email, school);
  accounts.state.now += 61_000;
  for (const address of [email, "nobody@example.com"]) {
    const sent = accounts.emails.length;
    const recover = () => accounts.send("recover", { email: address });
    for (let n = 0; n < 6; n += 1) {
      expect((await recover()).status).toBe(200);
      const tooSoon = await recover();
      expect([tooSoon.status, tooSoon.body.error_code]).toEqual([429, "over_email_send_rate_limit"]);
      const elsewhere = await accounts.send("recover", { email: address }, { ip: "198.51.100.7" });
      expect(elsewhere.status).toBe(429);
      if (n < 5)
        expect(tooSoon.body.msg).toBe("For security purposes, you can only request this after 60 seconds.");
      accounts.state.now += 60_000;
    }
    expect((await recover()).status).toBe(429);
    await accounts.settle();
    expect(accounts.emails.length - sent).toBe(address === email ? 6 : 0);
  }
});
