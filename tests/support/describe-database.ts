import { afterAll, beforeAll, describe } from "vitest";
import { type Database, findPostgresProblem, openDatabase, type Place } from "./database.ts";

type Tests = (open: () => Database) => void;

function describeOn(place: Place, title: string, tests: Tests): void {
  let database: Database | undefined;
  describe(title, () => {
    beforeAll(async () => {
      database = await openDatabase({ place });
    });
    afterAll(() => database?.close());
    tests(() => {
      if (!database) throw new Error("The database is open only during tests.");
      return database;
    });
  });
}

/** Tests with a migrated database of their own, on the PostgreSQL that the shop brings along. */
export function describeDatabase(title: string, tests: Tests): void {
  describeOn("embedded", title, tests);
}

const problem = await findPostgresProblem();

/**
 * The same, and again on a PostgreSQL of the owner's, which may be older (15 and newer are promised); without such a
 * server that half is skipped, by name and with a warning.
 */
export function describeOnOwnServerToo(title: string, tests: Tests): void {
  describeDatabase(title, tests);
  if (!problem) describeOn("own server", `${title}, on the owner's PostgreSQL`, tests);
  else {
    console.warn(`SKIPPED on the owner's PostgreSQL: "${title}": ${problem}`);
    describe.skip(`${title}, on the owner's PostgreSQL (skipped: ${problem})`, () =>
      tests(() => ({}) as Database));
  }
}
