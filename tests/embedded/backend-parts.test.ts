import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { openPeople } from "#server/api/people.ts";
import { ObjectFiles } from "#server/api/storage/stored-files.ts";
import type { Sql } from "#server/database/sql.ts";
import { startHousekeeping, tidyFiles } from "#server/shop/housekeeping.ts";
import { type OwnApi, openOwnApi } from "#tests/support/own-api.ts";

let api: OwnApi;
beforeAll(async () => {
  api = await openOwnApi();
});
afterAll(() => api?.close());

test("Admins and moderators are staff; who is staff is read at most every ten seconds", async () => {
  const [customer, admin, moderator] = [
    await api.newPerson(),
    await api.newPerson("admin"),
    await api.newPerson(),
  ];
  await api.sql.query("insert into public.user_roles (user_id, role) values ($1::text::uuid, 'moderator')", [
    moderator,
  ]);
  let now = 1_000_000;
  let queries = 0;
  let fails = false;
  const sql: Sql = {
    ...api.sql,
    query: (text, values) => {
      queries += 1;
      return fails ? Promise.reject(new Error("lost")) : api.sql.query(text, values);
    },
  };
  const { isStaff, isClosed } = openPeople(sql, () => now);
  expect(await isStaff(customer)).toBe(false);
  expect([await isStaff(admin), await isStaff(admin.toUpperCase()), await isStaff(moderator)]).toEqual([
    true,
    true,
    true,
  ]);
  await api.sql.query("delete from public.user_roles where user_id = $1::text::uuid", [moderator]);
  now += 10_000;
  expect([await isStaff(moderator), queries]).toEqual([true, 1]);
  now += 1;
  expect([await isStaff(moderator), queries]).toEqual([false, 2]);
  // Without an answer no one is served first.
  fails = true;
  now += 10_001;
  expect([await isStaff(admin), queries]).toEqual([false, 3]);
  // A closed account stays closed.
  fails = false;
  await api.sql.query("update auth.users set banned_until = '2999-12-31' where id = $1::text::uuid", [
    customer,
  ]);
  expect([await isClosed(customer), queries]).toEqual([false, 3]);
  now += 10_001;
  expect([await isClosed(customer), await isClosed(admin), queries]).toEqual([true, false, 4]);
  fails = true;
  now += 10_001;
  expect([await isClosed(customer), queries]).toEqual([true, 5]);
});

test("Old sign-ins and orphaned files are removed on startup and once a day; a failure is logged without details", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const log: string[] = [];
  const tidied: string[] = [];
  const refuse = (what: string) => {
    tidied.push(what);
    return Promise.reject(
      Object.assign(new Error("with an address"), what === "rows" ? { code: "57014" } : {}),
    );
  };
  const sql = { ...api.sql, exec: () => refuse("rows") };
  const files = new ObjectFiles(join(api.dataDir, "objects"));
  vi.spyOn(files, "removeOrphans").mockImplementation(() => refuse("files"));
  const stop = startHousekeeping(sql, files, (line) => log.push(line));
  await turn();
  expect(log.toSorted()).toEqual([
    "files of failed uploads could not be removed (no code)",
    "old sign-ins could not be removed (57014)",
  ]);
  vi.advanceTimersByTime(24 * 60 * 60 * 1_000 - 1);
  expect(tidied).toEqual(["rows", "files"]);
  vi.advanceTimersByTime(1);
  expect(tidied).toEqual(["rows", "files", "rows", "files"]);
  await stop();
  vi.advanceTimersByTime(48 * 60 * 60 * 1_000);
  expect(tidied).toHaveLength(4);
});

test("Files are orphaned unless the database has them in this version", async () => {
  const files = new ObjectFiles(join(api.dataDir, "objects"));
  await api.sql.query(
    "insert into storage.objects (bucket_id, name, version) values ('book-covers', 'a.jpg', '7')",
  );
  const known: object[] = [];
  vi.spyOn(files, "removeOrphans").mockImplementation(async (list) => void known.push(...(await list())));
  await tidyFiles(api.sql, files);
  expect(known).toEqual([{ bucket: "book-covers", name: "a.jpg", version: "7" }]);
});
