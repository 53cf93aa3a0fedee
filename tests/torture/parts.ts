import { join } from "node:path";
import { openDatabase } from "#tests/support/database.ts";
import { newDatabase } from "#tests/support/owners-postgres.ts";
import { openHostileShop } from "./hostile/shop.ts";
import { growthOf, type Memory, runHostile, WARM } from "./hostile.ts";
import { invariantCount } from "./invariants.ts";
import { runJourneys } from "./journeys.ts";
import { type KillFigures, runKills } from "./kills.ts";
import { describeMutations, runMutations } from "./mutation.ts";
import { openPaymentKills } from "./payment-kills.ts";
import { allMoments } from "./payment-world.ts";
import { describePowerCuts, moments } from "./power-cuts.ts";
import { findPowerProblem, runWithPowerDisk } from "./power-disk.ts";
import { shopMoments } from "./powerless-shop.ts";
import { describeShopPowerCuts } from "./shop-power-cuts.ts";
import { countDeadlocks } from "./stock-deadlocks.ts";
import { searchStock } from "./stock-search.ts";

export type Run = {
  seed: number;
  /** Milliseconds since 1970 when it is time to stop. */
  until: number;
  tell: (line: string) => void;
};

/** A long run: its share of the minutes (0 for what takes as long as it takes), and what it says when everything held; it throws when something did not. */
export type Part = {
  name: string;
  promise: string;
  weight: number;
  /** Why it cannot run on this machine, or null. */
  findProblem?: () => Promise<string | null>;
  run: (run: Run) => Promise<string>;
};

const stepsAtOnce = 2_000;
const stepsAtLeast = 20_000;

async function journeys({ seed, until, tell }: Run): Promise<string> {
  const database = await openDatabase();
  try {
    let [steps, rounds, runs, refused] = [0, 0, 0, 0];
    do {
      const figures = await runJourneys(database, { seed: seed + runs, steps: stepsAtOnce });
      steps += figures.steps;
      rounds += figures.rounds;
      runs += 1;
      for (const count of Object.values(figures.refused)) refused += count;
      tell(`${steps} steps, all ${invariantCount} invariants hold`);
    } while (Date.now() < until || steps < stepsAtLeast);
    return `${steps} steps (${refused} correctly refused), ${rounds} times ${invariantCount} invariants, 0 broken`;
  } finally {
    await database.close();
  }
}

const sequencesAtLeast = 2_000;
const crowdsAtLeast = 250;

/** Random sequences against the rules, then crowds of statements that lock many rows. */
async function stockSearch({ seed, until, tell }: Run): Promise<string> {
  const database = await openDatabase();
  try {
    let [sequences, requests, pairs] = [0, 0, 0];
    do {
      const figures = await searchStock(database, { seed: seed + sequences, sequences: 100 });
      sequences += figures.sequences;
      requests += figures.requests;
      pairs += figures.pairs;
      tell(`${sequences} sequences of ${requests} requests, ${pairs} pairs at once, all as the rules say`);
    } while (Date.now() < until || sequences < sequencesAtLeast);
    const crowds = await countDeadlocks(database, crowdsAtLeast);
    if (crowds.failures.length > 0) throw new Error(crowds.failures.slice(0, 5).join("\n"));
    return `${sequences} random sequences (${requests} requests, ${pairs} pairs at the same time), 0 other than the rules say; ${crowds.requests} statements over many rows at once, 0 deadlocks`;
  } finally {
    await database.close();
  }
}

/** And half of it on a server of the owner's: with the stops that are among them still 50 kills in all. */
const killsAtLeast = 50;

function inWords({ kills, confirmed, unanswered, foundPlaced, slowestRecoveryMs }: KillFigures): string {
  const all = kills.watcher + kills.shop + kills.both;
  return `${all} kills (watcher ${kills.watcher}, shop ${kills.shop}, both ${kills.both}) and ${kills.stop + kills["stop all"]} stops under load (${kills["stop all"]} of every process at once), ${confirmed} confirmed orders, 0 lost, 0 twice; ${unanswered} requests unanswered, ${foundPlaced} of them orders that a retry found placed; slowest recovery ${(slowestRecoveryMs / 1000).toFixed(1)} s`;
}

async function killsOnOwnServer(run: Run): Promise<string> {
  const { url, drop } = await newDatabase();
  try {
    return inWords(await runKills({ ...run, kills: killsAtLeast / 2, env: { DATABASE_URL: url } }));
  } finally {
    await drop();
  }
}

/** At each of these moments and more until the time is over, in a process of its own. */
async function cutPower<Figures>(script: string, cuts: readonly string[], { seed, until, tell }: Run) {
  const path = join(import.meta.dirname, script);
  return JSON.parse(await runWithPowerDisk(path, [`${seed}`, `${until}`, ...cuts], tell)) as Figures;
}

async function mutations({ tell }: Run): Promise<string> {
  const database = await openDatabase();
  try {
    const figures = await runMutations(database);
    if (figures.survivors.length > 0) throw new Error(`survivors: ${figures.survivors.join(", ")}`);
    tell(describeMutations(figures));
    const tried = Object.values(figures.tried).reduce((sum, count) => sum + count, 0);
    return `${tried} weakenings of policies, grants, checks and triggers, 0 survivors`;
  } finally {
    await database.close();
  }
}

/** As many again as it takes until nothing more should be added to the memory. */
const casesAtLeast = 2 * WARM;
const casesAtOnce = 2_000;

/** Hostile requests until the time is over, and no fewer than were promised. */
async function hostileInput({ seed, until, tell }: Run, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const hostile = await openHostileShop(env);
  try {
    let [cases, rounds] = [0, 0];
    let memory: Memory | null = null;
    do {
      const figures = await runHostile(hostile, { seed: seed + rounds, cases: casesAtOnce });
      if (figures.broken.length > 0) throw new Error(figures.broken.join("\n"));
      cases += figures.cases;
      rounds += 1;
      memory ??= figures.memoryMb;
      memory.most = Math.max(memory.most, figures.memoryMb.most);
      if (cases >= WARM) memory.warm ??= memory.most;
      const growth = growthOf(memory);
      if (growth) throw new Error(`After ${cases} cases ${growth}`);
      tell(`${cases} cases, all answered below 500, at most ${memory.most} MB`);
    } while (Date.now() < until || cases < casesAtLeast);
    return `${cases} cases, none answered with 5xx or with internals; memory of all processes ${memory.before} MB before, ${memory.warm} MB after ${WARM}, at most ${memory.most} MB`;
  } finally {
    await hostile.stop();
  }
}

async function hostileOnOwnServer(run: Run): Promise<string> {
  const { url, drop } = await newDatabase();
  try {
    return await hostileInput(run, { DATABASE_URL: url });
  } finally {
    await drop();
  }
}

/** At every step of opening, settling and refunding, in turn. */
async function paymentKills({ until, tell }: Run): Promise<string> {
  const shop = await openPaymentKills();
  try {
    let kills = 0;
    do {
      const { work, moment } = allMoments[kills % allMoments.length] as (typeof allMoments)[number];
      await shop.kill(work, moment);
      kills += 1;
      if (kills % allMoments.length === 0) tell(`${kills} kills, all money is where it belongs`);
    } while (Date.now() < until || kills < killsAtLeast);
    return `${kills} kills at ${allMoments.length} steps of a payment, 0 payments or refunds lost, 0 made twice`;
  } finally {
    await shop.close();
  }
}

/** Everything that a long run does, in order. */
export const parts: Part[] = [
  {
    name: "journeys",
    promise: "Stock, totals, carts and logs add up, whatever customers and admins do at the same time",
    weight: 3,
    run: journeys,
  },
  {
    name: "stock",
    promise:
      "Stock and orders are what the rules say after every sequence of requests, also two at the same time, and nothing deadlocks",
    weight: 2,
    run: stockSearch,
  },
  {
    name: "kills",
    promise:
      "Processes may die at any moment: no confirmed order is lost, none is there twice, stock adds up",
    weight: 4,
    run: async (run) => inWords(await runKills({ ...run, kills: killsAtLeast })),
  },
  {
    name: "kills-own-server",
    promise: "The same with the owner's PostgreSQL",
    weight: 2,
    run: killsOnOwnServer,
  },
  {
    name: "payments",
    promise:
      "A web process may die between any two steps of a payment or refund: none is lost, none is made or counted twice",
    weight: 1,
    run: paymentKills,
  },
  {
    name: "power-cuts",
    promise:
      "The power may be cut at any moment, between any two steps of a payment or an email too: nothing confirmed is lost, no payment or refund is made twice, and the shop always starts again",
    weight: 3,
    findProblem: findPowerProblem,
    run: async (run) => describePowerCuts(await cutPower("power-cuts.ts", moments, run)),
  },
  {
    name: "shop-power-cuts",
    promise:
      "The same for a whole shop over HTTP: no confirmed order or cover is lost, no order is there twice, and it sells again",
    weight: 4,
    findProblem: findPowerProblem,
    run: async (run) => describeShopPowerCuts(await cutPower("shop-power-cuts.ts", shopMoments, run)),
  },
  {
    name: "mutation",
    promise: "Each right, check and trigger is noticed when it is weakened",
    weight: 0,
    run: mutations,
  },
  {
    name: "hostile",
    promise: "Whatever is sent, nothing fails internally, and no internals are revealed",
    weight: 3,
    run: (run) => hostileInput(run),
  },
  {
    name: "hostile-own-server",
    promise: "The same with the owner's PostgreSQL",
    weight: 2,
    run: hostileOnOwnServer,
  },
];
