import { afterAll, expect, test } from "vitest";
import { applyMigrations, listApplied } from "#server/embedded/migrations.ts";
import { openSql } from "#tests/support/test-server.ts";

const { sql, close } = await openSql();
afterAll(close);

const books = {
  version: "1",
  name: "books",
  text: "create table books (id int); insert into books values (1);",
};
const broken = { version: "2", name: "broken", text: "insert into books values (2); select no_such_column;" };

test("A migration is applied once, and known by its version", async () => {
  expect(await applyMigrations(sql, [books])).toEqual([books]);
  expect(await applyMigrations(sql, [books])).toEqual([]);
  expect(await sql.query("select id from books")).toEqual([{ id: 1 }]);
  expect(await listApplied(sql)).toEqual([{ version: "1", statements: [books.text] }]);
});

test("A migration that fails is named in one line and leaves nothing behind", async () => {
  await expect(applyMigrations(sql, [books, broken])).rejects.toThrow(
    'The migration 2_broken failed: column "no_such_column" does not exist (42703)',
  );
  expect(await sql.query("select id from books")).toEqual([{ id: 1 }]);
  expect(await listApplied(sql)).toHaveLength(1);
});

test("A database made from a different version of a migration is refused, since the change would never reach it", async () => {
  const changed = { ...books, text: `${books.text} -- changed` };
  await expect(applyMigrations(sql, [changed])).rejects.toThrow(
    /^The database was made from another text of the migration 1_books: make a backup with the version .* that made it/,
  );
});

test("A later version's database is refused in one line", async () => {
  await expect(applyMigrations(sql, [])).rejects.toThrow(
    "The database is a later version's (its migration 1): start that version of the shop, or a newer one",
  );
});
