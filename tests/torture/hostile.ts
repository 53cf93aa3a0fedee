import { readFile } from "node:fs/promises";
import fc from "fast-check";
import type { ShopServer } from "#tests/support/shop-server.ts";
import { type HostileCase, hostileCase } from "./hostile/cases.ts";
import { findFault } from "./hostile/faults.ts";
import type { HostileShop } from "./hostile/shop.ts";
import { familyOf } from "./processes.ts";
import { chanceFrom } from "./random.ts";
import { sendRaw, toBytes } from "./raw-request.ts";

export type HostileFigures = {
  cases: number;
  byPart: Record<string, number>;
  byStatus: Record<string, number>;
  /** What did not hold, one line each, with the case's number under this seed. */
  broken: string[];
  slowestMs: number;
  memoryMb: Memory;
};

/** Memory of all processes of the shop, in MB: before, the most seen, and the most when `WARM` cases were done. */
export type Memory = { before: number; warm: number | null; most: number };

const AT_ONCE = 6;
const LOOK_EVERY = 250;

/** After this many cases everything is loaded, compiled and kept that is ever kept. */
export const WARM = 40_000;

/*
 * What may be added to the memory, in MB. PostgreSQL's part: each of twelve connections keeps the functions and plans that it has used,
 * and grows from 5 to 28. The web process's: live objects go from 26 to 74 MB (pages that are kept, also compressed, and the
 * networks' turns, 1.3 kB each), and garbage within Node's own limits comes on top. From the 40,000th case to the 80,000th it added 13 to
 * 57. What is lost for good with each case, if only 3 kB, adds 120 then, and shows in the second figure.
 */
const MAX_GROWTH_MB = 500;
const MAX_GROWTH_WARM_MB = 100;

/** What the memory did that it must not, or null. */
export function growthOf({ before, warm, most }: Memory): string | null {
  if (most > before + MAX_GROWTH_MB) return `the memory grew from ${before} to ${most} MB`;
  if (warm !== null && most > warm + MAX_GROWTH_WARM_MB)
    return `the memory went on growing, from ${warm} to ${most} MB`;
  return null;
}

/**
 * Sends this many hostile requests, six at a time, the same ones for the same seed. What must hold for each: an answer
 * below 500, no internals in it, the shop alive afterwards.
 */
export async function runHostile(
  hostile: HostileShop,
  options: { seed: number; cases: number },
): Promise<HostileFigures> {
  const before = await memoryOf(hostile.shop);
  const figures: HostileFigures = {
    cases: 0,
    byPart: {},
    byStatus: {},
    broken: [],
    slowestMs: 0,
    memoryMb: { before, warm: null, most: before },
  };
  const chance = chanceFrom(options.seed);
  for (let round = 0; figures.cases < options.cases; round += 1) {
    const size = Math.min(LOOK_EVERY, options.cases - figures.cases);
    const cases = fc.sample(hostileCase, { seed: chance.whole(0, 2 ** 31 - 1), numRuns: size });
    let next = 0;
    const work = async () => {
      for (let index = next++; index < cases.length; index = next++) {
        const each = cases[index] as HostileCase;
        await tryCase(hostile, each, `${round * LOOK_EVERY + index}`, chance.pick, figures);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    const memory = figures.memoryMb;
    memory.most = Math.max(memory.most, await memoryOf(hostile.shop));
    if (figures.cases >= WARM) memory.warm ??= memory.most;
    const health = await fetch(`${hostile.shop.url}/healthz`).then((response) => response.text());
    if (health !== '{"live":true,"ready":true}')
      figures.broken.push(`after case ${figures.cases}: ${health}`);
  }
  const growth = growthOf(figures.memoryMb);
  if (growth) figures.broken.push(growth);
  if (/unexpectedly|starting again/.test(hostile.shop.output()))
    figures.broken.push("the backend ended and was started again");
  return figures;
}

async function tryCase(
  { shop, port, key, tokens, secrets }: HostileShop,
  { part, sender, request }: HostileCase,
  name: string,
  pick: <T>(list: readonly T[]) => T | undefined,
  figures: HostileFigures,
): Promise<void> {
  const token = pick(tokens[sender]);
  // Each comes from another network, or the limits would answer in the place of what is tested.
  const address = `2001:db8:${(figures.cases >> 8).toString(16)}:${(figures.cases & 0xff).toString(16)}::1`;
  const headers: [string, string][] = [
    ["X-Forwarded-For", address],
    ...(part === "pages" || part === "paths" ? [] : ([["apikey", key]] as [string, string][])),
    ...(token ? ([["Authorization", `Bearer ${token}`]] as [string, string][]) : []),
    ...request.headers,
  ];
  figures.cases += 1;
  figures.byPart[part] = (figures.byPart[part] ?? 0) + 1;
  const bytes = toBytes({ ...request, headers });
  const response = await sendRaw(port, bytes).catch((error: Error) => error);
  const fault =
    response instanceof Error ? response.message : findFault(response, bytes, part, secrets, shop.url);
  if (!(response instanceof Error)) {
    figures.byStatus[response.status] = (figures.byStatus[response.status] ?? 0) + 1;
    figures.slowestMs = Math.max(figures.slowestMs, Math.round(response.elapsedMs));
  }
  if (fault) {
    const shown = JSON.stringify(toBytes(request).toString("latin1").slice(0, 500));
    figures.broken.push(`case ${name} (${part}, ${sender}): ${fault}\n    ${shown}`);
  }
}

/** Memory that all processes of the shop hold, in MB; what they share, as the database's do, counts once. */
export async function memoryOf({ process: child }: ShopServer): Promise<number> {
  let kilobytes = 0;
  for (const pid of await familyOf(child.pid ?? 0)) {
    const rollup = await readFile(`/proc/${pid}/smaps_rollup`, "utf8").catch(() => "");
    kilobytes += Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0);
  }
  return Math.round(kilobytes / 1024);
}

/** The figures in a few lines. */
export function describeHostile(seed: number, figures: HostileFigures): string {
  const list = (counts: Record<string, number>) =>
    Object.entries(counts)
      .map(([name, count]) => `${count} ${name}`)
      .join(", ");
  return [
    `Hostile input, seed ${seed}: ${figures.cases} cases (${list(figures.byPart)})`,
    `  answers by status: ${list(Object.fromEntries(Object.entries(figures.byStatus).map(([status, count]) => [`× ${status}`, count])))}`,
    `  slowest ${figures.slowestMs} ms, memory ${figures.memoryMb.before} MB before, ${figures.memoryMb.warm ?? "?"} MB after ${WARM}, at most ${figures.memoryMb.most} MB`,
    `  broken: ${figures.broken.length}`,
    ...figures.broken.slice(0, 60).map((line) => `  ${line}`),
  ].join("\n");
}
