import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { DatabaseFiles } from "#server/api/storage/database-files.ts";
import type { FileName } from "#server/api/storage/stored-files.ts";
import type { Sql } from "#server/database/sql.ts";
import { makeSharedTables } from "#server/shop/machines.ts";
import { openSql } from "#tests/support/test-server.ts";

/* Covers as rows, for several machines on one PostgreSQL. */

let sql: Sql;
let close: () => Promise<void>;
let files: DatabaseFiles;
beforeAll(async () => {
  ({ sql, close } = await openSql("prepared"));
  await makeSharedTables(sql);
  await sql.exec(
    "insert into storage.buckets (id, name) values ('book-covers', 'book-covers') on conflict do nothing",
  );
  files = new DatabaseFiles(sql);
});
afterAll(() => close());
beforeEach(() => sql.exec("truncate private_shop.files; delete from storage.objects"));

const cover = (version: string): FileName => ({ bucket: "book-covers", name: "a.jpg", version });
const bytes = Buffer.from([0xff, 0xd8, 0x00, 0x5c, 0x78, 0x27, 0xff]);

test("A file comes back byte for byte, with its size and time, until it is removed", async () => {
  const file = cover("file-1");
  expect(await files.open(file, true)).toBeNull();
  const clock = async () =>
    Number((await sql.query("select extract(epoch from clock_timestamp()) * 1000 as ms"))[0]?.ms);
  const before = await clock();
  await files.write(file, bytes);
  const found = await files.open(file, true);
  expect(Buffer.from((found?.body as Uint8Array) ?? [])).toEqual(bytes);
  expect(found?.size).toBe(7);
  expect(Number(found?.modified)).toBeGreaterThanOrEqual(Math.floor(before));
  expect(Number(found?.modified)).toBeLessThanOrEqual(await clock());
  expect(await files.open(file, false)).toMatchObject({ size: 7, body: null });
  expect(await files.read(file)).toEqual(bytes);
  await files.remove(cover("file-2"));
  expect(await files.read(file)).toEqual(bytes);
  await files.remove(file);
  expect([await files.open(file, false), await files.read(file)]).toEqual([null, null]);
});

test("A file that was read lately is not read from the database again, up to 8 MB of them", async () => {
  const version = (n: number) => cover(`file-${n}`);
  for (let n = 0; n < 4; n += 1) await files.write(version(n), Buffer.alloc(3 * 1024 * 1024, n));
  const read = vi.spyOn(sql, "query");
  onTestFinished(() => read.mockRestore());
  const open = async (n: number) => {
    const found = await files.open(version(n), true);
    return (found?.body as Uint8Array | undefined)?.[0];
  };
  const opened: (number | undefined)[] = [];
  for (const n of [0, 1, 0, 2, 0, 1]) opened.push(await open(n));
  expect(opened).toEqual([0, 1, 0, 2, 0, 1]);
  // The second one was dropped for the third.
  expect(read).toHaveBeenCalledTimes(4);
});

test("A backup reads the files of its moment, whatever is removed meanwhile", async () => {
  await files.write(cover("file-1"), bytes);
  const read = await sql.transaction(async (moment) => {
    await moment.exec("set transaction isolation level repeatable read, read only");
    await moment.query("select 1");
    await files.remove(cover("file-1"));
    return files.read(cover("file-1"), moment);
  });
  expect(read).toEqual(bytes);
});

test("Files without an object are deleted after a day", async () => {
  for (const version of ["file-1", "file-2", "file-3"]) await files.write(cover(version), bytes);
  await sql.exec("update private_shop.files set created_at = now() - interval '25 hours'");
  await files.write(cover("file-4"), bytes);
  await files.removeOrphans(async () => [cover("file-1"), cover("file-2")]);
  const left = await Promise.all(
    ["file-1", "file-2", "file-3", "file-4"].map(
      async (version) => (await files.read(cover(version))) !== null,
    ),
  );
  expect(left).toEqual([true, true, false, true]);
});

test("Only files of the database's own objects are copied from a machine's disk, once", async () => {
  await sql.query(
    "insert into storage.objects (bucket_id, name, version) values ('book-covers', 'a.jpg', 'file-1')",
  );
  const reads: FileName[] = [];
  const disk = {
    read: async (file: FileName) => {
      reads.push(file);
      return bytes;
    },
  };
  await files.adopt(disk);
  await files.adopt(disk);
  expect(reads).toEqual([cover("file-1")]);
  expect(await files.read(cover("file-1"))).toEqual(bytes);
});
