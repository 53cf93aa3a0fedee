import { join } from "node:path";
import { newDatabase } from "#tests/support/owners-postgres.ts";
import { openHostileShop } from "./hostile/shop.ts";
import { growthOf, type Memory, runHostile, WARM } from "./hostile.ts";
import { type KillFigures, runKills } from "./kills.ts";
import { describePowerCuts, moments } from "./power-cuts.ts";
import { findPowerProblem, runWithPowerDisk } from "./power-disk.ts";
import { shopMoments } from "./powerless-shop.ts";
import { describeShopPowerCuts } from "./shop-power-cuts.ts";

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

/** Everything that a long run does, in order. */
export const parts: Part[] = [
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
    name: "power-cuts",
    promise:
      "The power may be cut between any two steps of a payment or an email: none is lost, no payment or refund is made twice, and the shop always starts again",
    weight: 3,
    findProblem: findPowerProblem,
    run: async (run) => describePowerCuts(await cutPower("power-cuts.ts", moments, run)),
  },
  {
    name: "shop-power-cuts",
    promise:
      "The power of a whole shop may be cut at any moment: no confirmed order or cover is lost, no order is there twice, and it sells again",
    weight: 4,
    findProblem: findPowerProblem,
    run: async (run) => describeShopPowerCuts(await cutPower("shop-power-cuts.ts", shopMoments, run)),
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
