import { loadavg } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { readSecrets } from "#server/lib/secrets.ts";
import { type ShopServer, startShop } from "#tests/support/shop-server.ts";
import { secondsOr, turnsOr } from "./lengths.ts";
import { milliseconds, percentile, type Section } from "./report.ts";
import { connectTo, makeAccounts } from "./running-shop.ts";
import { countsSince, expectWork, readCounts } from "./shop-counts.ts";

const SECONDS = secondsOr(8);
const ROUNDS = turnsOr(3);
/** As at the start of a lesson. */
const PER_SECOND = 20;
const PASSWORD = "a password for signing in";

type Round = { idle: number[]; during: number[]; signIns: number[]; refused: number };
/** Resolves to the status. */
type Ask = (path: string, body: object, network: string) => Promise<number>;

/** How reads slow down while people sign in at a steady rate. */
export async function measureSignIns(): Promise<Section> {
  const shop = await startShop();
  try {
    const ask = await openShop(shop);
    const sql = await connectTo(shop.dataDir, 1);
    // As many accounts as sign in: each may only be tried a hundred times in a quarter of an hour.
    const emails = await makeAccounts(shop.dataDir, sql, SECONDS * PER_SECOND, PASSWORD).finally(() =>
      sql.end(),
    );
    await readFor(ask, 1);
    const rounds: Round[] = [];
    let busiest = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const idle = await readFor(ask, SECONDS);
      const before = await readCounts(shop.url);
      const [during, { signIns, refused }] = await Promise.all([
        readFor(ask, SECONDS),
        signInFor(ask, emails, round),
      ]);
      const counted = countsSince(before, await readCounts(shop.url));
      expectWork("sign-ins", counted.accounts, emails.length);
      expectWork("passwords hashed for them", counted.hashed, signIns.length);
      expectWork("reads during sign-ins", counted.data, during.length);
      rounds.push({ idle, during, signIns, refused });
      busiest = Math.max(busiest, loadavg()[0] ?? 0);
    }
    const p99 = (times: number[]) => percentile(times, 0.99);
    const median = (pick: (round: Round) => number) => percentile(rounds.map(pick), 0.5);
    const row = (name: string, times: (round: Round) => number[], ratio = "") => [
      name,
      milliseconds(median((round) => percentile(times(round), 0.5))),
      milliseconds(median((round) => p99(times(round)))),
      ratio,
    ];
    const ratios = rounds.map(({ idle, during }) => p99(during) / p99(idle));
    return {
      title: "Sign-ins, and reads during them",
      about: `Embedded backend; ${PER_SECOND} sign-ins start each second, each of another customer, whether or not earlier ones have finished, while a visitor reads 24 books at a time through the API. The floor is the same read alone, measured in alternation: median of ${ROUNDS} rounds of ${SECONDS} s each. Of all sign-ins, ${rounds.reduce((sum, { refused }) => sum + refused, 0)} were refused with 503 after 10 s. The load comes from the same machine (load average up to ${busiest.toFixed(1)}).`,
      header: ["", "p50", "p99", "p99's ratio to the floor"],
      rows: [
        row("Floor: a read while no one signs in", ({ idle }) => idle),
        row(
          "A read during sign-ins",
          ({ during }) => during,
          `${percentile(ratios, 0.5).toFixed(2)} (${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)})`,
        ),
        row("A sign-in", ({ signIns }) => signIns),
      ],
    };
  } finally {
    await shop.stop();
  }
}

async function openShop({ url, dataDir }: ShopServer): Promise<Ask> {
  const secrets = await readSecrets(dataDir);
  if (!secrets) throw new Error("The backend has made no keys");
  return async (path, body, network) => {
    const headers = {
      apikey: secrets.publishableKey,
      "content-type": "application/json",
      "x-forwarded-for": network,
    };
    const response = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
    await response.arrayBuffer();
    if (!response.ok && response.status !== 503) throw new Error(`${path} responded with ${response.status}`);
    return response.status;
  };
}

async function readFor(ask: Ask, seconds: number): Promise<number[]> {
  const times: number[] = [];
  const until = performance.now() + seconds * 1_000;
  while (performance.now() < until) {
    const startedAt = performance.now();
    const status = await ask("/rest/v1/rpc/search_books", {}, "2001:db8::1");
    if (status !== 200) throw new Error(`A read was refused with ${status}`);
    times.push(performance.now() - startedAt);
  }
  return times;
}

/** Each from an address of its own: the limits count attempts per address. */
async function signInFor(
  ask: Ask,
  emails: string[],
  round: number,
): Promise<{ signIns: number[]; refused: number }> {
  const signIns: number[] = [];
  let refused = 0;
  await Promise.all(
    emails.map(async (email, number) => {
      await pause((number * 1_000) / PER_SECOND);
      const network = `2001:db8:${round + 1}:${number.toString(16)}::1`;
      const startedAt = performance.now();
      const body = { email, password: PASSWORD };
      const status = await ask("/auth/v1/token?grant_type=password", body, network);
      if (status === 200) signIns.push(performance.now() - startedAt);
      else refused += 1;
    }),
  );
  return { signIns, refused };
}
