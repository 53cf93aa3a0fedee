import { loadavg } from "node:os";
import { readSecrets } from "#server/lib/secrets.ts";
import { ADMIN, type ShopServer, startShop } from "#tests/support/shop-server.ts";
import { milliseconds, percentile, type Section } from "./report.ts";
import { countsSince, expectWork, readCounts } from "./shop-counts.ts";

const SECONDS = Number(process.env.BENCH_SECONDS ?? 8);
const ROUNDS = Number(process.env.BENCH_TURNS ?? 3);
/** As at the start of a lesson. */
const PER_SECOND = 20;

type Round = { idle: number[]; during: number[]; signIns: number[] };
type Ask = (path: string, body: object, network: string) => Promise<Response>;

/** How reads slow down while people sign in at a steady rate. */
export async function measureSignIns(): Promise<Section> {
  const shop = await startShop();
  try {
    const signIn = await openShop(shop);
    await readFor(signIn, 1);
    const rounds: Round[] = [];
    let busiest = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const idle = await readFor(signIn, SECONDS);
      const before = await readCounts(shop.url);
      const [during, signIns] = await Promise.all([
        readFor(signIn, SECONDS),
        signInFor(signIn, SECONDS, round),
      ]);
      const counted = countsSince(before, await readCounts(shop.url));
      expectWork("sign-ins", counted.accounts, SECONDS * PER_SECOND);
      expectWork("passwords hashed for them", counted.hashed, SECONDS * PER_SECOND);
      expectWork("reads during sign-ins", counted.data, during.length);
      rounds.push({ idle, during, signIns });
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
      about: `Embedded backend; ${PER_SECOND} sign-ins start each second, whether or not earlier ones have finished, while a visitor reads 24 books at a time through the API. The floor is the same read alone, measured in alternation: median of ${ROUNDS} rounds of ${SECONDS} s each. The load comes from the same machine (load average up to ${busiest.toFixed(1)}).`,
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
    if (!response.ok) throw new Error(`${path} responded with ${response.status}`);
    return response;
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

async function readFor(signIn: Ask, seconds: number): Promise<number[]> {
  const times: number[] = [];
  const until = performance.now() + seconds * 1_000;
  while (performance.now() < until)
    times.push(await timed(() => signIn("/rest/v1/rpc/search_books", {}, "2001:db8::1")));
  return times;
}

/** Each from an address of its own: the limits count attempts per address. */
async function signInFor(signIn: Ask, seconds: number, round: number): Promise<number[]> {
  const all = Array.from({ length: seconds * PER_SECOND }, async (_, number) => {
    await new Promise((resolve) => setTimeout(resolve, (number * 1_000) / PER_SECOND));
    const network = `2001:db8:${round + 1}:${number.toString(16)}::1`;
    return timed(() => signIn("/auth/v1/token?grant_type=password", ADMIN, network));
  });
  return Promise.all(all);
}
