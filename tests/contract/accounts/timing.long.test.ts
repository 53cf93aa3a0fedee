import { expect, test } from "vitest";
import { type Accounts, newAccount, openAccounts, password } from "#tests/support/accounts.ts";

/** After this many pairs a share in the middle ends the comparison; any other is decided by all pairs. */
const FIRST_LOOK = 16;
const ALL_PAIRS = 40;

/**
 * How often the known address took longer, compared with every unknown one: 0.5 when the two are indistinguishable (the
 * statistic of Mann and Whitney).
 */
function shareOfSlower(known: number[], unknown: number[]): number {
  const wins = known.flatMap((one) => unknown.map((other) => (one > other ? 1 : one === other ? 0.5 : 0)));
  return wins.reduce<number>((sum, win) => sum + win, 0) / wins.length;
}

/** Whether times can be told apart. */
const isBetween = (share: number, least: number) => share > least && share < 1 - least;

/**
 * Times a call for both kinds of address, in an order that changes, so that the machine's moods meet both; answers the share
 * of slower ones after the first look, or after all pairs.
 */
async function compare(
  accounts: Accounts,
  known: string,
  call: (email: string) => Promise<unknown>,
): Promise<number> {
  const times: Record<"known" | "unknown", number[]> = { known: [], unknown: [] };
  for (let n = 0; n < ALL_PAIRS; n += 1) {
    if (n === FIRST_LOOK) {
      const share = shareOfSlower(times.known, times.unknown);
      if (isBetween(share, 0.35)) return share;
    }
    const kinds = n % 2 ? (["known", "unknown"] as const) : (["unknown", "known"] as const);
    for (const kind of kinds) {
      await accounts.sql.query("delete from private_shop.attempts");
      const email = kind === "known" ? known : `nobody-${n}@example.com`;
      const startedAt = performance.now();
      await call(email);
      times[kind].push(performance.now() - startedAt);
      await accounts.settle(); // What is done after the answer disturbs no other measurement.
    }
  }
  return shareOfSlower(times.known, times.unknown);
}

test("The time of sign-in, recovery, sign-up and resending does not reveal who has an account", async () => {
  const accounts = await openAccounts({});
  const { email } = await newAccount(accounts, "ama@example.com");
  const [user] = await accounts.sql.query("select encrypted_password from auth.users");
  expect(user?.encrypted_password).toMatch(/^\$2b\$10\$/);
  const calls: Record<string, (email: string) => Promise<unknown>> = {
    "sign-in": (who) =>
      accounts.send("token?grant_type=password", { email: who, password: "a guess" }, { ip: "192.0.2.1" }),
    recovery: (who) => accounts.send("recover", { email: who }),
    "sign-up": (who) => accounts.send("signup", { email: who, password }),
    resending: (who) => accounts.send("resend", { email: who, type: "signup" }),
  };
  for (const [name, call] of Object.entries(calls)) {
    const share = await compare(accounts, email, call);
    expect([name, share > 0.25 && share < 0.75, share]).toEqual([name, true, share]);
  }
  await accounts.send("signup", { email: "kofi@example.com", password });
  await accounts.settle();
  const share = await compare(accounts, "kofi@example.com", calls["sign-in"] as (typeof calls)[string]);
  expect(["sign-in to a sign-up", share > 0.25 && share < 0.75, share]).toEqual([
    "sign-in to a sign-up",
    true,
    share,
  ]);
});
