import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { expect, onTestFinished, test, vi } from "vitest";
import { BackupWriter, checkBackup, readBackup } from "./backup-file.ts";
import type { Table } from "./tables.ts";

const secrets = { jwtSecret: "a", publishableKey: "b", secretKey: "c" };
const books: Table = { name: "public.books", columns: ["title"] } as unknown as Table;
const rows = ["Rows \u2028 and “signs” 📚", "Primary Science 3"];
const cover = Buffer.from([0, 10, 35, 255]);

async function newBackup(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "backup-file-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "backup.jsonl.gz");
  const writer = new BackupWriter(path);
  await writer.start(["20260101"], secrets, new Date(0));
  await writer.table(books);
  await writer.rows(rows);
  await writer.file({ bucket: "book-covers", name: "a.jpg" }, cover);
  await writer.file({ bucket: "book-covers", name: "gone.jpg" }, null);
  await writer.finish();
  return path;
}

const textOf = async (path: string) => gunzipSync(await readFile(path)).toString("utf8");

async function change(path: string, to: (text: string) => string): Promise<void> {
  await writeFile(path, gzipSync(to(await textOf(path))));
}

test("Only its owner can read a backup: it holds keys and password hashes", async () => {
  expect((await stat(await newBackup())).mode & 0o777).toBe(0o600);
});

test("A backup reads back as written: rows, covers byte by byte, keys, and a count of missing covers", async () => {
  const entries = [];
  for await (const entry of readBackup(await newBackup())) entries.push(entry);
  expect(entries).toMatchObject([
    { kind: "header", header: { version: 1, migrations: ["20260101"] } },
    { kind: "secrets", secrets },
    { kind: "table", table: books },
    { kind: "rows", table: books, rows },
    { kind: "file", head: { bucket: "book-covers", name: "a.jpg" }, content: cover },
    { kind: "manifest", manifest: { tables: { "public.books": { rows: 2 } }, files: 1, missingFiles: 1 } },
  ]);
});

test.each([
  ["a changed letter", (text: string) => text.replace("Science", "Silence"), "its checksum differs"],
  ["a row less", (text: string) => text.replace("Primary Science 3\n", ""), "its checksum differs"],
  ["a changed heading", (text: string) => text.replace("a.jpg", "b.jpg"), "its checksum differs"],
  ["no end", (text: string) => text.slice(0, text.indexOf("#manifest")), "its end is missing"],
  ["something after its end", (text: string) => `${text}more`, "something follows its end"],
  [
    "a heading that cannot be read",
    (text: string) => text.replace("#table {", "#table "),
    "a line cannot be read",
  ],
])("A backup with %s is refused as damaged", async (_, damage, reason) => {
  const path = await newBackup();
  await change(path, damage);
  await expect(checkBackup(path)).rejects.toThrow(`is damaged: ${reason}`);
});

test("A backup that was cut off is refused as damaged", async () => {
  const path = await newBackup();
  await writeFile(path, (await readFile(path)).subarray(0, -20));
  await expect(checkBackup(path)).rejects.toThrow("is damaged: it cannot be unpacked");
});

test.each([
  [
    "another program's",
    (text: string) => text.replace("adwene-shop-backup", "x"),
    "is not a backup of a shop",
  ],
  ["without a heading", (text: string) => text.slice(text.indexOf("#secrets")), "is not a backup of a shop"],
  ["with a second heading", (text: string) => `${text.split("\n")[0]}\n${text}`, "is not a backup of a shop"],
  ["a list of rows", () => "title\nPrimary Science 3\n", "is not a backup of a shop"],
  [
    "a later version's",
    (text: string) => text.replace('"version":1', '"version":2'),
    "was made by a later version",
  ],
])("A file that is %s is refused with that reason", async (_, replace, reason) => {
  const path = await newBackup();
  await change(path, replace);
  await expect(checkBackup(path)).rejects.toThrow(reason);
});

test("A missing backup is named", async () => {
  await expect(checkBackup("/nowhere/at-all.gz")).rejects.toThrow("There is no backup /nowhere/at-all.gz");
});

test("Rows come some hundreds at a time, each with its table, and sequences with their positions", async () => {
  const folder = await mkdtemp(join(tmpdir(), "backup-file-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "backup.jsonl.gz");
  const writer = new BackupWriter(path);
  await writer.start([], secrets, new Date("2026-11-21T10:00:00Z"));
  await writer.table(books);
  const many = Array.from({ length: 450 }, (_, n) => `{"title":"${n} ${"x".repeat(500)}"}`);
  await writer.rows(many.slice(0, 300));
  await writer.rows(many.slice(300));
  await writer.table({ ...books, name: "public.orders" });
  await writer.rows(["one"]);
  await writer.position({ name: "public.orders_number", last: "7" } as never);
  const written = await writer.finish();
  const read: unknown[] = [];
  for await (const entry of readBackup(path)) {
    if (entry.kind === "rows") read.push([entry.table.name, entry.rows.length]);
    if (entry.kind === "position") read.push(entry.position);
    if (entry.kind === "header") read.push(entry.header.madeAt);
  }
  expect(read).toEqual([
    "2026-11-21T10:00:00.000Z",
    ...[
      ["public.books", 200],
      ["public.books", 200],
      ["public.books", 50],
      ["public.orders", 1],
    ],
    { name: "public.orders_number", last: "7" },
  ]);
  expect(written.tables).toMatchObject({ "public.books": { rows: 450 }, "public.orders": { rows: 1 } });
  expect(await checkBackup(path)).toEqual({
    header: { format: "adwene-shop-backup", version: 1, madeAt: "2026-11-21T10:00:00.000Z", migrations: [] },
    manifest: written,
  });
});

test("A row may end exactly where the next unpacked piece of the file begins", async () => {
  const folder = await mkdtemp(join(tmpdir(), "backup-file-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "backup.jsonl.gz");
  const writer = new BackupWriter(path);
  await writer.start([], secrets, new Date(0));
  await writer.table(books);
  // One of this many line ends comes first in a piece of 16 kB.
  await writer.rows(Array.from({ length: 40_000 }, () => ""));
  await writer.finish();
  let read = 0;
  for await (const entry of readBackup(path)) if (entry.kind === "rows") read += entry.rows.length;
  expect(read).toBe(40_000);
});

test("A backup that is abandoned leaves nothing behind", async () => {
  const folder = await mkdtemp(join(tmpdir(), "backup-file-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const writer = new BackupWriter(join(folder, "backup.jsonl.gz"));
  await writer.start([], secrets, new Date(0));
  await writer.abandon();
  expect(await readdir(folder)).toEqual([]);
});

test("A backup that cannot be written fails with the system's reason, by its end at the latest", async () => {
  const writer = new BackupWriter("/nowhere/at-all.gz");
  const written = writer.start([], secrets, new Date(0)).then(() => writer.finish());
  await expect(written).rejects.toMatchObject({ code: "ENOENT" });
});

test("A backup that cannot be written ends with the next rows, and nothing else fails", async () => {
  const unmet = vi.fn();
  process.on("unhandledRejection", unmet);
  onTestFinished(() => void process.off("unhandledRejection", unmet));
  const writer = new BackupWriter("/nowhere/at-all.gz");
  await writer.start([], secrets, new Date(0));
  // Its file cannot be opened by now.
  for (let turn = 0; turn < 10; turn += 1) await stat("/nowhere").catch(() => {});
  await expect(writer.rows(["x".repeat(100_000)])).rejects.toMatchObject({ code: "ENOENT" });
  expect(unmet).not.toHaveBeenCalled();
});

test("A folder in place of a backup fails with the system's reason", async () => {
  await expect(checkBackup(tmpdir())).rejects.toThrow(`The backup ${tmpdir()} cannot be read (EISDIR)`);
});

test("Uncompressed text counts as damaged", async () => {
  const path = await newBackup();
  await writeFile(path, "title\n");
  await expect(checkBackup(path)).rejects.toThrow(`The backup ${path} is damaged: it cannot be unpacked`);
});
