import { type Engine, openDatabase } from "#tests/support/database.ts";
import { newDatabase } from "#tests/support/embedded-shop.ts";
import { growthOf, type Memory, openHostileShop, runHostile, WARM } from "./hostile.ts";
import { invariantCount } from "./invariants.ts";
import { runJourneys } from "./journeys.ts";
import { type KillFigures, runKills } from "./kills.ts";
import { describeMutations, runMutations } from "./mutation.ts";

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
  needsPostgres?: boolean;
  run: (run: Run) => Promise<string>;
};

const stepsAtOnce = 2_000;
const stepsAtLeast = 20_000;

async function journeys(engine: Engine, { seed, until, tell }: Run): Promise<string> {
  const database = await openDatabase(engine);
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
    return `${steps} steps (${refused} refused rightly), ${rounds} times ${invariantCount} invariants, 0 broken`;
  } finally {
    await database.close();
  }
}

/** On PGlite, and half of it on PostgreSQL: with the stops that are among them still 50 kills in all. */
const killsAtLeast = 50;

function inWords({ kills, confirmed, unanswered, foundPlaced, slowestRecoveryMs }: KillFigures): string {
  const all = kills.web + kills.backend + kills.both;
  return `${all} kills (web ${kills.web}, backend ${kills.backend}, both ${kills.both}) and ${kills.stop} stops under load, ${confirmed} confirmed orders, 0 lost, 0 twice; ${unanswered} requests unanswered, ${foundPlaced} of them orders that a retry found placed; slowest recovery ${(slowestRecoveryMs / 1000).toFixed(1)} s`;
}

async function killsOnPostgres(run: Run): Promise<string> {
  const { url, drop } = await newDatabase();
  try {
    return inWords(await runKills({ ...run, kills: killsAtLeast / 2, env: { DATABASE_URL: url } }));
  } finally {
    await drop();
  }
}

async function mutations(engine: Engine, { tell }: Run): Promise<string> {
  const database = await openDatabase(engine);
  try {
    const figures = await runMutations(database);
    if (figures.survivors.length > 0) throw new Error(`survivors: ${figures.survivors.join(", ")}`);
    tell(describeMutations(engine, figures));
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
async function hostileInput(engine: Engine, { seed, until, tell }: Run): Promise<string> {
  const hostile = await openHostileShop(engine);
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
    return `${cases} cases, none answered with 5xx or with anything of the inside; memory of all processes ${memory.before} MB before, ${memory.warm} MB after ${WARM}, at most ${memory.most} MB`;
  } finally {
    await hostile.stop();
  }
}

/** Everything that a long run does, in order. */
export const parts: Part[] = [
  {
    name: "journeys-pglite",
    promise: "Stock, totals, carts and logs add up, whatever customers and admins do at once",
    weight: 2,
    run: (run) => journeys("pglite", run),
  },
  {
    name: "journeys-postgres",
    promise: "The same where statements really run at once",
    weight: 2,
    needsPostgres: true,
    run: (run) => journeys("postgres", run),
  },
  {
    name: "kills-pglite",
    promise:
      "Processes may die at any moment: no confirmed order is lost, none is there twice, stock adds up",
    weight: 4,
    run: async (run) => inWords(await runKills({ ...run, kills: killsAtLeast })),
  },
  {
    name: "kills-postgres",
    promise: "The same with one's own PostgreSQL",
    weight: 2,
    needsPostgres: true,
    run: killsOnPostgres,
  },
  {
    name: "mutation-pglite",
    promise: "Each right, check and trigger is noticed when it is weakened",
    weight: 0,
    run: (run) => mutations("pglite", run),
  },
  {
    name: "mutation-postgres",
    promise: "The same with one's own PostgreSQL",
    weight: 0,
    needsPostgres: true,
    run: (run) => mutations("postgres", run),
  },
  {
    name: "hostile-pglite",
    promise: "Whatever is sent, nothing fails inside, and nothing of the inside is told",
    weight: 2,
    run: (run) => hostileInput("pglite", run),
  },
  {
    name: "hostile-postgres",
    promise: "The same with one's own PostgreSQL",
    weight: 2,
    needsPostgres: true,
    run: (run) => hostileInput("postgres", run),
  },
];
