import { PGlite } from "@electric-sql/pglite";
import type { App } from "@supabase/lite";
import { afterAll, expect, test } from "vitest";
import { applyMigrations, listApplied } from "./migrations.ts";
import { checkRights } from "./rights.ts";
import { pgliteSql } from "./sql.ts";

const database = new PGlite();
const sql = pgliteSql(database);
afterAll(() => database.close());

const books = {
  version: "1",
  name: "books",
  text: "create table books (id int); insert into books values (1);",
};
const broken = { version: "2", name: "broken", text: "insert into books values (2); select no_such_column;" };

test("A migration is applied once, and known by its version", async () => {
  expect((await applyMigrations(sql, [books])).applied).toEqual([books]);
  expect((await applyMigrations(sql, [books])).applied).toEqual([]);
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

test("A file that has changed since it was applied is told, since its change never reaches this database", async () => {
  const changed = { ...books, text: `${books.text} -- changed` };
  expect((await applyMigrations(sql, [changed])).changed).toEqual(["1_books"]);
});

test("A library that widens the rights is refused at the start", async () => {
  await sql.exec("create role visitor; revoke all on books from visitor");
  const widening = { fetch: () => sql.exec("grant all on books to visitor") } as unknown as App;
  await expect(checkRights(widening, sql, "key")).rejects.toThrow(
    "This version of @supabase/lite does not fit: it changes the database's rights",
  );
  const quiet = { fetch: async () => {} } as unknown as App;
  await expect(checkRights(quiet, sql, "key")).resolves.toBeUndefined();
});
