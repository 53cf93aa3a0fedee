import { afterAll, beforeEach, expect, test } from "vitest";
import { applyMigrations, comparePosition, listApplied } from "#server/database/migrations.ts";
import { openSql } from "#tests/support/test-server.ts";

const { sql, close } = await openSql();
afterAll(close);
beforeEach(() =>
  sql.exec("drop schema if exists supabase_migrations cascade; drop table if exists books, timeouts"),
);

const books = {
  version: "1",
  name: "books",
  text: "create table books (id int); insert into books values (1);",
};
const broken = { version: "2", name: "broken", text: "insert into books values (2); select no_such_column;" };

test("A migration is applied once, and known by its version", async () => {
  expect(await listApplied(sql)).toEqual([]);
  expect(await comparePosition(sql, [books])).toEqual({ used: false, pending: [books] });
  expect(await applyMigrations(sql, [books])).toEqual([books]);
  expect(await applyMigrations(sql, [books])).toEqual([]);
  expect(await sql.query("select id from books")).toEqual([{ id: 1 }]);
  expect(await listApplied(sql)).toEqual([{ version: "1", sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
  expect(await sql.query("select name, statements from supabase_migrations.schema_migrations")).toEqual([
    { name: "books", statements: [books.text] },
  ]);
  expect(await comparePosition(sql, [books, broken])).toEqual({ used: true, pending: [broken] });
});

test("A migration has as long as it needs", async () => {
  const text = "create table timeouts as select current_setting('statement_timeout') as statement";
  await applyMigrations(sql, [{ version: "1", name: "timeouts", text }]);
  expect(await sql.query("select statement from timeouts")).toEqual([{ statement: "0" }]);
});

test("A migration that fails is named in one line and leaves nothing behind", async () => {
  await applyMigrations(sql, [books]);
  await expect(applyMigrations(sql, [books, broken])).rejects.toThrow(
    'The migration 2_broken failed: column "no_such_column" does not exist (42703)',
  );
  expect(await sql.query("select id from books")).toEqual([{ id: 1 }]);
  expect(await listApplied(sql)).toHaveLength(1);
  const lost = { ...sql, transaction: () => Promise.reject(new Error("lost")) };
  await expect(applyMigrations(lost, [books, broken])).rejects.toThrow(
    "The migration 2_broken failed: lost (no code)",
  );
});

test("A database made from a different version of a migration is refused, since the change would never reach it", async () => {
  await applyMigrations(sql, [books]);
  const changed = { ...books, text: `${books.text} -- changed` };
  await expect(applyMigrations(sql, [changed])).rejects.toThrow(
    /^The database was made from another text of the migration 1_books: get the version of the shop that made it/,
  );
});

test("A database from before the first release is refused in one line that says how to get the old version, both commands with their DATA_DIR, and the changelog", async () => {
  await applyMigrations(sql, [books]);
  await expect(
    applyMigrations(sql, [{ version: "5", name: "first_release", text: "select 1" }]),
  ).rejects.toThrow(
    /^The database was made by a version from before the first release: .*"git worktree add .*"npm run backup", with DATA_DIR set .*"npm run restore", with DATA_DIR set .*CHANGELOG\.md$/,
  );
});

test("A migration that the Supabase CLI recorded statement by statement is not compared", async () => {
  await applyMigrations(sql, [books]);
  await sql.exec(
    `update supabase_migrations.schema_migrations set statements = string_to_array(statements[1], '; ')`,
  );
  expect(await comparePosition(sql, [{ ...books, text: `${books.text} -- changed` }])).toEqual({
    used: true,
    pending: [],
  });
});

test("A later version's database is refused in one line", async () => {
  await applyMigrations(sql, [books]);
  const earlier = { ...broken, version: "0" };
  for (const existing of [[], [earlier]])
    await expect(applyMigrations(sql, existing)).rejects.toThrow(
      "The database is a later version's (its migration 1): start that version of the shop, or a newer one",
    );
});
