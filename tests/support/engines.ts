import { afterAll, beforeAll, describe } from "vitest";
import { type Database, type Engine, findPostgresProblem, openDatabase } from "./database.ts";

const postgresProblem = await findPostgresProblem();

function describeOn(engine: Engine, title: string, tests: (open: () => Database) => void): void {
  const problem = engine === "postgres" ? postgresProblem : null;
  if (problem) console.warn(`SKIPPED on PostgreSQL: "${title}": ${problem}`);
  const name = `${title}, on ${engine === "pglite" ? "PGlite" : "PostgreSQL"}${problem ? ` (skipped: ${problem})` : ""}`;
  describe.skipIf(problem !== null)(name, () => {
    let database: Database | undefined;
    beforeAll(async () => {
      database = await openDatabase(engine);
    });
    afterAll(async () => {
      await database?.close();
    });
    tests(() => {
      if (!database) throw new Error("The database is open during tests alone.");
      return database;
    });
  });
}

/**
 * The same tests on PGlite and on PostgreSQL, each with a migrated database of its own; without a PostgreSQL server
 * that half is skipped, by name and with a warning.
 */
export function describeOnEachEngine(title: string, tests: (open: () => Database) => void): void {
  describeOn("pglite", title, tests);
  describeOn("postgres", title, tests);
}

/** Tests that only make sense where several sessions really run at once, or at sizes that PGlite is not for. */
export function describeOnPostgres(title: string, tests: (open: () => Database) => void): void {
  describeOn("postgres", title, tests);
}
