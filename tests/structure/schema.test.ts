import { expect, it } from "vitest";
import {
  findMigrationFaults,
  hashOf,
  partsOf,
  readSchema,
  requireSoundMigrations,
} from "#tests/support/schema.ts";

it("the migrations are built from supabase/schema, or released and unchanged", requireSoundMigrations);

const first = { path: "1_first.sql", text: "create table books (id int);" };
const second = { path: "2_titles.sql", text: "alter table books add title text;" };
const built = "create table books (id int, title text);";

it("before the first release, the only migration has the text of the schema", () => {
  expect(findMigrationFaults({ released: {}, migrations: [first], built: first.text })).toEqual([]);
  expect(findMigrationFaults({ released: {}, migrations: [first], built })).toEqual([
    "supabase/schema was changed, but not supabase/migrations: npm run schema",
  ]);
  expect(findMigrationFaults({ released: {}, migrations: [first, second], built: first.text })).toEqual([
    "2_titles.sql comes before the first release: change supabase/schema instead",
  ]);
});

it("from the first release on, released migrations stay as they are and others come after them", () => {
  const released = { [first.path]: hashOf(first.text) };
  const faultsOf = (...migrations: (typeof first)[]) => findMigrationFaults({ released, migrations, built });
  expect(faultsOf(first)).toEqual([]);
  expect(faultsOf(first, second)).toEqual([]);
  expect(faultsOf({ ...first, text: `${first.text} ` }, second)).toEqual([
    "1_first.sql is released and was changed: undo that, and add a migration",
  ]);
  expect(faultsOf(second)).toEqual([
    "1_first.sql is released and was deleted: undo that, and add a migration",
  ]);
  expect(faultsOf({ ...second, path: "0_titles.sql" }, first)).toEqual([
    "0_titles.sql comes before 1_first.sql, which is released: give it a later number",
  ]);
});

it("a built migration is divided into the schema's files, a written one is whole", () => {
  const text =
    "-- Built\n\n-- supabase/schema/1-ground/01-a.sql\n\nselect 1;\n\n-- supabase/schema/1-ground/02-b.sql\n\nselect 2;\n";
  const parts = partsOf({ path: "1.sql", text });
  expect(parts.map(({ path }) => path)).toEqual([
    "1.sql",
    "supabase/schema/1-ground/01-a.sql",
    "supabase/schema/1-ground/02-b.sql",
  ]);
  expect(parts.map((part) => part.text).join("")).toBe(text);
  expect(partsOf(second)).toEqual([second]);
});

it("every schema file in a folder has a different number", () => {
  const files = readSchema().map(({ path }) => path);
  expect(files.length).toBeGreaterThan(50);
  const numbers = files.map((path) =>
    /schema\/(\d+)-[a-z]+\/(\d+)-[a-z-]+\.sql$/.exec(path)?.slice(1).join("-"),
  );
  expect(numbers).not.toContain(undefined);
  expect(numbers.filter((number, at) => numbers.indexOf(number) !== at)).toEqual([]);
});
