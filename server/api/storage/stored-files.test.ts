import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { canWrite, type FileName, newVersion, ObjectFiles } from "./stored-files.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "adwene-objects-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const cover = (version?: string): FileName => ({
  bucket: "book-covers",
  name: "a.jpg",
  ...(version ? { version } : {}),
});

test("While backups read, deleted files stay; they are removed when the last one is done, without any other version", async () => {
  const files = new ObjectFiles(folder);
  const exists = (file: FileName) =>
    stat(files.path(file)).then(
      () => true,
      () => false,
    );
  await files.write(cover("file-1"), Buffer.from("first"));
  const [first, second] = [await files.keep(), await files.keep()];
  await files.remove(cover("file-1"));
  await files.write(cover("file-2"), Buffer.from("second"));
  await first();
  expect(await exists(cover("file-1"))).toBe(true);
  await second();
  expect([await exists(cover("file-1")), await exists(cover("file-2"))]).toEqual([false, true]);
  await files.remove(cover("file-2"));
  expect(await exists(cover("file-2"))).toBe(false);
});

test.each([undefined, "1"])(
  "A file of an earlier release, with version %s, is found where it was",
  (version) => {
    expect(new ObjectFiles("/covers").path(cover(version))).toBe(
      "/covers/8d294a1a5db8fa5689a29c53f03e4f39e4201a46b14d6cd5613f6d5b50690b00",
    );
  },
);

const dayMs = 24 * 60 * 60 * 1000;

/** A folder of objects, with files as old as is said. */
async function newObjects() {
  const outside = await mkdtemp(join(tmpdir(), "adwene-objects-"));
  onTestFinished(() => rm(outside, { recursive: true, force: true }));
  const objects = join(outside, "made", "objects");
  const files = new ObjectFiles(objects);
  const add = async (name: string, ageMs: number) => {
    const path = join(objects, name);
    await writeFile(path, "");
    const then = (Date.now() - ageMs) / 1000;
    await utimes(path, then, then);
  };
  const addFile = (file: FileName, ageMs: number) => add(basename(files.path(file)), ageMs);
  return { outside, objects, files, add, addFile, names: async () => (await readdir(objects)).sort() };
}

test("A file is written completely, into a folder that is created for it", async () => {
  const { files, names } = await newObjects();
  const file = cover(newVersion());
  await files.write(file, Buffer.from("a cover"));
  expect(await readFile(files.path(file), "utf8")).toBe("a cover");
  expect(await names()).toEqual([basename(files.path(file))]);
  await expect(files.prepare()).resolves.toBeUndefined();
});

test("Every version is new, and each bucket, name and version has a file of its own", () => {
  const files = new ObjectFiles("/covers");
  expect(newVersion()).toMatch(/^file-[0-9a-f-]{36}$/);
  expect(newVersion()).not.toBe(newVersion());
  const paths = [
    cover(),
    cover("file-1"),
    cover("file-2"),
    { ...cover(), bucket: "other" },
    { ...cover(), name: "b.jpg" },
    { bucket: "book", name: "-coversa.jpg" },
    { bucket: "book-covers", name: "a.jpgfile-1" },
  ].map((file) => files.path(file));
  expect(new Set(paths).size).toBe(paths.length);
});

test("Deleting a missing file is not a failure", async () => {
  const { files } = await newObjects();
  await expect(files.remove(cover("file-1"))).resolves.toBeUndefined();
  const done = await files.keep();
  await files.remove(cover("file-1"));
  await expect(done()).resolves.toBeUndefined();
});

test("A file deleted during a backup is deleted once, not again after a later backup", async () => {
  const { files } = await newObjects();
  await files.write(cover("file-1"), Buffer.from("first"));
  const first = await files.keep();
  await files.remove(cover("file-1"));
  await first();
  await files.write(cover("file-1"), Buffer.from("as a restore puts it back"));
  await (await files.keep())();
  expect(await readFile(files.path(cover("file-1")), "utf8")).toBe("as a restore puts it back");
});

test("While one process makes a backup, no other deletes a file of it; a mark that a crash left is removed on startup", async () => {
  const { files, outside } = await newObjects();
  const other = new ObjectFiles(join(outside, "made", "objects"));
  const isThere = (version: string) => readFile(files.path(cover(version))).then(Boolean, () => false);
  for (const version of ["file-1", "file-2", "file-3"]) await files.write(cover(version), Buffer.from("a"));
  const done = await files.keep();
  await other.remove(cover("file-1"));
  expect(await isThere("file-1")).toBe(true);
  await done();
  await other.remove(cover("file-1"));
  expect(await isThere("file-1")).toBe(false);
  await files.keep();
  await other.remove(cover("file-2"));
  expect(await isThere("file-2")).toBe(true);
  await other.endBackups();
  await other.remove(cover("file-2"));
  expect(await isThere("file-2")).toBe(false);
});

test("Files without an object are deleted after a day, and nothing else is", async () => {
  const { files, add, addFile, names } = await newObjects();
  await files.prepare();
  await addFile(cover("file-1"), 3 * dayMs);
  await addFile(cover("file-2"), dayMs + 60_000);
  await addFile(cover("file-3"), dayMs - 60_000);
  const hash = "a".repeat(64);
  const brokenOff = `${hash}.01234567-89ab-cdef-0123-456789abcdef.tmp`;
  const strangers = [
    `${hash}.bak`,
    `x${hash}`,
    `${hash}0`,
    "A".repeat(64),
    "a".repeat(63),
    `x${brokenOff}`,
    `${brokenOff}x`,
    `${hash}.0123.tmp`,
    `${hash}.${"A".repeat(36)}.tmp`,
  ];
  for (const name of [brokenOff, ...strangers]) await add(name, 3 * dayMs);
  await files.removeOrphans(async () => [cover("file-1"), cover("file-9")]);
  const stored = [cover("file-1"), cover("file-3")].map((file) => basename(files.path(file)));
  expect(await names()).toEqual([...stored, ...strangers].sort());
});

test("At exactly a day a file stays, a millisecond later it is deleted", async () => {
  const { files, addFile, names } = await newObjects();
  await files.prepare();
  for (const version of ["file-1", "file-2"]) await addFile(cover(version), 0);
  const { mtimeMs } = await stat(files.path(cover("file-2")));
  const list = async () => [cover("file-1")];
  await files.removeOrphans(list, mtimeMs + dayMs);
  expect(await names()).toHaveLength(2);
  await files.removeOrphans(list, mtimeMs + dayMs + 1);
  expect(await names()).toEqual([basename(files.path(cover("file-1")))]);
});

test("If no file belongs to an object, as in another database's folder, nothing is deleted", async () => {
  const { files, addFile, names } = await newObjects();
  await files.prepare();
  await addFile(cover("file-1"), 3 * dayMs);
  await files.removeOrphans(async () => [cover("file-2")]);
  await files.removeOrphans(async () => []);
  expect(await names()).toHaveLength(1);
});

test("Files without an object also stay while a backup is reading", async () => {
  const { files, addFile, names } = await newObjects();
  await files.prepare();
  for (const version of ["file-1", "file-2"]) await addFile(cover(version), 3 * dayMs);
  const done = await files.keep();
  await files.removeOrphans(async () => [cover("file-1")]);
  expect(await names()).toHaveLength(2);
  await done();
  expect(await names()).toHaveLength(1);
});

test("A missing folder has no files to delete, and objects are listed after the files", async () => {
  const { files, addFile, names } = await newObjects();
  await expect(files.removeOrphans(async () => [])).resolves.toBeUndefined();
  await files.prepare();
  await addFile(cover("file-1"), 0);
  await files.removeOrphans(async () => {
    await addFile(cover("file-2"), 3 * dayMs);
    return [cover("file-1")];
  });
  expect(await names()).toHaveLength(2);
});

test("A folder that can be created counts as writable, is empty afterwards, and is accessible only to its owner", async () => {
  const { outside } = await newObjects();
  const folder = join(outside, "a", "b", "c");
  expect(await canWrite(folder)).toBe(true);
  expect(await readdir(folder)).toEqual([]);
  for (const path of [folder, join(outside, "a"), join(outside, "a", "b")])
    expect((await stat(path)).mode & 0o777).toBe(0o700);
  expect(await canWrite(folder)).toBe(true);
});

test("A file in place of the folder, or of one above it, makes it unwritable", async () => {
  const { outside } = await newObjects();
  await writeFile(join(outside, "file"), "");
  expect(await canWrite(join(outside, "file"))).toBe(false);
  expect(await canWrite(join(outside, "file", "below"))).toBe(false);
  await mkdir(join(outside, "folder", `.probe-${process.pid}`), { recursive: true });
  expect(await canWrite(join(outside, "folder"))).toBe(false);
});

test.runIf(process.platform === "linux")(
  "If the file system keeps saying that there is no such place, the check still ends",
  async () => {
    expect(await canWrite("/proc/no-such-folder/data")).toBe(false);
  },
);
