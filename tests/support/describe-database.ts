import { afterAll, beforeAll, describe } from "vitest";
import { type Database, openDatabase, type Place } from "./database.ts";
import { isLong } from "./long.ts";

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

/** The same, and in the long run again on an owner's PostgreSQL, which may be older (15 and newer are supported). */
export function describeOnOwnServerToo(title: string, tests: Tests): void {
  describeDatabase(title, tests);
  if (isLong) describeOn("own server", `${title}, on the owner's PostgreSQL`, tests);
}
