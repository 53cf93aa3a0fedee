import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { ObjectFiles } from "#server/api/storage/stored-files.ts";
import { listMigrations } from "#server/database/migration-files.ts";
import type { Sql } from "#server/database/sql.ts";
import { checkBackup, readBackup } from "#server/shop/backup/backup-file.ts";
import { loadBackup } from "#server/shop/backup/load.ts";
import { makeBackup } from "#server/shop/backup/make.ts";
import { listPositions, listTables } from "#server/shop/backup/tables.ts";
import { jpegOf } from "#tests/support/jpeg.ts";
import { type OwnApi, openOwnApi } from "#tests/support/own-api.ts";

/* Backups made and loaded in this process. Whole shops are restored in backup.long.test.ts. */

const secrets = { jwtSecret: "a secret", publishableKey: "sb_publishable_test", secretKey: "sb_secret_test" };

type Shop = OwnApi & { files: ObjectFiles };

async function openShop(): Promise<Shop> {
  const api = await openOwnApi();
  return { ...api, files: new ObjectFiles(join(api.dataDir, "objects")) };
}

/** One that has been used, with more books and orders than are read at a time, and a cover; and one to load its backups into. */
let shop: Shop;
let there: Shop;
beforeAll(async () => {
  [shop, there] = [await openShop(), await openShop()];
  await shop.fillShelf(501, 3);
  const admin = await shop.newPerson("admin");
  await shop.sql.exec(`
    set session_replication_role = replica;
    insert into public.orders (user_id, total_amount, created_at, customer_reference)
    select '${admin}', n, now() - n * interval '1 hour', 'LPO ' || n from generate_series(1, 201) as n;
    insert into private_shop.attempts (key, attempts, ends_at) values ('x', 1, now());
    reset session_replication_role`);
  const put = { as: admin, body: jpegOf("a cover"), headers: { "content-type": "image/jpeg" } };
  expect((await shop.ask("/storage/v1/object/book-covers/a.jpg", put)).status).toBe(200);
});
afterAll(async () => {
  await shop?.close();
  await there?.close();
});

/** The verbs over a server of which a transaction begins in another time zone. */
const inLagos = (sql: Sql): Sql => ({
  ...sql,
  transaction: (work, time) =>
    sql.transaction(async (inside) => {
      await inside.exec("set local timezone = 'Africa/Lagos'");
      return work(inside);
    }, time),
});

async function backUp({ sql, files }: Shop) {
  const folder = await mkdtemp(join(tmpdir(), "backup-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "backups", "shop.backup");
  const make = () => makeBackup({ sql: inLagos(sql), files, secrets }, path);
  return { path, make, left: () => readdir(join(folder, "backups")) };
}

type Way = Partial<Parameters<typeof loadBackup>[2]>;
const load = ({ sql }: OwnApi, path: string, others: Way = {}, change = (inside: Sql) => inside) =>
  inLagos(sql).transaction(
    (inside) => loadBackup(change(inside), path, { save: async () => {}, ...others }),
    "unbounded",
  );

/** All rows of all tables that are kept, as texts. */
async function rowsOf(sql: Sql): Promise<Record<string, string[]>> {
  const rows: [string, string[]][] = [];
  for (const { name } of await listTables(sql)) {
    const found = await sql.query<{ row: string }>(
      `select to_jsonb(t)::text as row from ${name} as t order by 1`,
    );
    rows.push([name, found.map(({ row }) => row)]);
  }
  return Object.fromEntries(rows);
}

const disabledTriggers = (sql: Sql) =>
  sql.query("select tgname from pg_trigger where not tgisinternal and tgenabled <> 'O'");

test("A loaded backup has every row, cover and number of the shop, in place of what was there", async () => {
  const backup = await backUp(shop);
  const manifest = await backup.make();
  expect(await backup.left()).toEqual(["shop.backup"]);
  await there.newPerson("admin");
  await there.fillShelf(2, 1);
  const saved: [object, boolean][] = [];
  const loaded = await load(there, backup.path, {
    save: async (head, content) =>
      void saved.push([head, content.equals(await readFile(shop.files.path(head)))]),
  });
  expect(loaded).toEqual({ manifest, leftOut: [] });
  const rows = await rowsOf(shop.sql);
  expect(await rowsOf(there.sql)).toEqual(rows);
  expect([rows["public.books"]?.length, rows["public.orders"]?.length]).toEqual([501, 201]);
  expect(rows["public.orders"]?.join()).toContain("LPO 201");
  expect(await listPositions(there.sql)).toEqual(await listPositions(shop.sql));
  expect(await disabledTriggers(there.sql)).toEqual([]);
  expect(saved).toEqual([[expect.objectContaining({ bucket: "book-covers", name: "a.jpg" }), true]]);
  expect(manifest.tables["public.books"]?.rows).toBe(501);
  const versions = (await listMigrations()).map(({ version }) => version);
  expect((await checkBackup(backup.path)).header.migrations).toEqual(versions);
  expect(Object.keys(manifest.tables)).toEqual((await listTables(shop.sql)).map(({ name }) => name));
  for (const name of ["private_shop.attempts", "private_shop.account_tasks", "private_shop.library"])
    expect(manifest.tables[name]).toBeUndefined();
  const [book] = await there.sql.query<{ id: string }>("select id from public.books limit 1");
  await there.sql.query("update public.books set price = 11 where id = $1", [book?.id]);
  expect(
    await there.sql.query("select from public.audit_log where row_id = $1::text", [book?.id]),
  ).not.toEqual([]);
});

test("Tables that refer to others come after them", async () => {
  const names = (await listTables(shop.sql)).map(({ name }) => name);
  for (const [parent, child] of [
    ["auth.users", "public.profiles"],
    ["public.profiles", "public.orders"],
    ["public.orders", "public.order_items"],
    ["public.books", "public.order_items"],
    ["storage.buckets", "storage.objects"],
    ["auth.sessions", "auth.refresh_tokens"],
  ])
    expect([child, names.indexOf(child ?? "") > names.indexOf(parent ?? "")]).toEqual([child, true]);
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => !/^(auth|storage|public|private|private_shop)\./.test(name))).toEqual([]);
  expect(names).not.toContain("private_shop.account_tasks");
});

test("Only the requested tables are emptied and filled", async () => {
  const backup = await backUp(shop);
  await backup.make();
  const own = await there.newPerson();
  await there.sql.query("insert into storage.buckets (id, name) values ('own', 'own')");
  await load(there, backup.path, { only: (table) => table.startsWith("storage.") });
  expect(await there.sql.query("select id from storage.buckets order by id")).toEqual([
    { id: "book-covers" },
    { id: "digital-files" },
  ]);
  expect(await there.sql.query("select from storage.objects")).toHaveLength(1);
  expect(await there.sql.query("select from auth.users where id = $1", [own])).toHaveLength(1);
});

test.each([
  ["value", "update public.books set price = price + 1 where title = 'Book 7'"],
  ["row", "delete from public.books where title = 'Book 7'"],
])("A table with one other %s than the backup has undoes everything", async (_, change) => {
  const backup = await backUp(shop);
  await backup.make();
  const before = await rowsOf(there.sql);
  const spoil = (sql: Sql): Sql => ({
    ...sql,
    query: async <Row>(text: string, values?: unknown[]) => {
      const rows = await sql.query<Row>(text, values);
      if (/^\s*insert into public\.books/.test(text)) await sql.query(change);
      return rows;
    },
  });
  await expect(load(there, backup.path, {}, spoil)).rejects.toThrow(
    "public.books is not what the backup says; nothing has been restored",
  );
  expect(await rowsOf(there.sql)).toEqual(before);
  expect(await disabledTriggers(there.sql)).toEqual([]);
});

test("What only an earlier version had in the system's tables is left out and named", async () => {
  await shop.sql.exec(`
    alter table auth.users add column is_super_admin boolean default false;
    create table auth.old_log (id int primary key);
    insert into auth.old_log values (1)`);
  const backup = await backUp(shop);
  await backup.make();
  const { leftOut } = await load(there, backup.path);
  expect(leftOut.toSorted()).toEqual(["auth.old_log", "auth.users.is_super_admin"]);
  const { "auth.old_log": _, ...rows } = await rowsOf(shop.sql);
  const stripped = {
    ...rows,
    "auth.users": rows["auth.users"]?.map((row) => row.replace(', "is_super_admin": false', "")),
  };
  const sorted = (all: Record<string, string[] | undefined>) =>
    Object.fromEntries(Object.entries(all).map(([name, texts]) => [name, texts?.toSorted()]));
  expect(sorted(await rowsOf(there.sql))).toEqual(sorted(stripped));
});

test("Orders without numbers get them in the order in which they were placed", async () => {
  await shop.sql.exec("alter table public.orders drop column number cascade");
  const backup = await backUp(shop);
  await backup.make();
  await load(there, backup.path);
  const numbers = await there.sql.query<{ number: number; n: string }>(
    "select number::int as number, total_amount::text as n from public.orders order by created_at",
  );
  expect(numbers.map(({ n }) => Number(n))).toEqual(Array.from({ length: 201 }, (_, index) => 201 - index));
  const [first = { number: 0 }] = numbers;
  expect(numbers.map(({ number }) => number - first.number)).toEqual(numbers.map((_, index) => index));
});

test("A cover whose file is missing is noted; one that cannot be read ends the backup without a trace", async () => {
  const backup = await backUp(shop);
  const [head] = await shop.sql.query<{ name: string; version: string | null }>(
    "select name, version from storage.objects",
  );
  const path = shop.files.path({ bucket: "book-covers", name: "a.jpg", ...head });
  await rm(path);
  await mkdir(path);
  await expect(backup.make()).rejects.toMatchObject({ code: "EISDIR" });
  expect(await backup.left()).toEqual([]);
  await rm(path, { recursive: true });
  expect(await backup.make()).toMatchObject({ files: 0, missingFiles: 1 });
  const kinds: string[] = [];
  for await (const { kind } of readBackup(backup.path)) kinds.push(kind);
  expect(kinds).not.toContain("file");
  // Files may be deleted again, also after the backup that failed.
  await writeFile(path, "again");
  await shop.files.remove({ bucket: "book-covers", name: "a.jpg", ...head });
  await expect(readFile(path)).rejects.toMatchObject({ code: "ENOENT" });
});
