import { type Attempt, listAttempts, responseTo } from "#tests/rights/attempts.ts";
import { roleOf } from "#tests/rights/people.ts";
import { makeWorld, type World } from "#tests/rights/world.ts";
import type { Database } from "#tests/support/database.ts";
import { undoing } from "#tests/support/undoing.ts";
import { equivalents, listMutants, type Mutant } from "./mutants.ts";

export type MutationFigures = {
  /** How many weakenings of each kind were tried. */
  tried: Record<string, number>;
  attempts: number;
  /** Weakenings that no row of the matrix noticed. */
  survivors: string[];
  /** Weakenings declared to change nothing that a row did notice: the declaration is wrong. */
  wronglyExcused: string[];
};

/**
 * Weakens the database in one way at a time, each in a transaction that is rolled back, and asks the rows of the
 * rights matrix that name what was weakened. Some answer must be another one than stated.
 */
export async function runMutations(database: Database): Promise<MutationFigures> {
  const world = await makeWorld(database);
  const attempts = await listAttempts(database.query);
  const figures: MutationFigures = { tried: {}, attempts: 0, survivors: [], wronglyExcused: [] };
  for (const mutant of await listMutants(database.query)) {
    const chosen = likeliestFirst(mutant, attempts);
    const noticed = await isNoticed(database, mutant, chosen, world, figures);
    figures.tried[mutant.kind] = (figures.tried[mutant.kind] ?? 0) + 1;
    if (!noticed && !(mutant.name in equivalents)) figures.survivors.push(mutant.name);
    if (noticed && mutant.name in equivalents) figures.wronglyExcused.push(mutant.name);
  }
  return figures;
}

function isNoticed(
  database: Database,
  mutant: Mutant,
  attempts: Attempt[],
  world: World,
  figures: MutationFigures,
) {
  return undoing(database.transaction, async (query) => {
    await query(mutant.sql);
    for (const attempt of attempts) {
      figures.attempts += 1;
      if ((await responseTo(query, attempt, world)) !== attempt.expected) return true;
    }
    return false;
  });
}

const verbs: Record<string, string> = {
  select: "reads",
  insert: "inserts",
  update: "changes",
  delete: "deletes",
};

/** All rows that name what was weakened; those that ask about exactly that come first. */
function likeliestFirst({ about, gives }: Mutant, attempts: Attempt[]): Attempt[] {
  const [verb = "", column] = gives?.verb.split(" ") ?? [];
  const distance = ({ about: object, person, title }: Attempt) => {
    let far = about.indexOf(object) * 10;
    if (!gives) return far;
    if (person === "database" || roleOf[person] !== gives.role) far += 4;
    if (!title.startsWith(verbs[verb] ?? "")) far += 2;
    if (column && !title.endsWith(` ${column}`)) far += 1;
    return far;
  };
  return attempts
    .filter((attempt) => about.includes(attempt.about))
    .sort((a, b) => distance(a) - distance(b));
}

/** The figures in a few lines. */
export function describeMutations(figures: MutationFigures): string {
  const tried = Object.entries(figures.tried).map(([kind, count]) => `${count} ${kind}`);
  const total = Object.values(figures.tried).reduce((sum, count) => sum + count, 0);
  return [
    `Mutation: ${total} weakenings (${tried.join(", ")}), ${figures.attempts} questions asked, ` +
      `${figures.survivors.length} survivors, ${Object.keys(equivalents).length} known to change nothing`,
    ...figures.survivors.map((name) => `  survived: ${name}`),
    ...figures.wronglyExcused.map((name) => `  wrongly excused: ${name}`),
  ].join("\n");
}
