import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ObjectFiles } from "./files.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "adwene-objects-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

test("While backups read, deleted files stay; they go when the last one is done, unless written again", async () => {
  const files = new ObjectFiles(folder);
  const write = (name: string) =>
    files.uploadObject("book-covers", name, undefined, Buffer.from(name), "image/jpeg", "3600");
  for (const name of ["gone.jpg", "again.jpg"]) await write(name);
  const [first, second] = [files.keep(), files.keep()];
  await files.deleteObjects("book-covers", ["gone.jpg", "again.jpg"]);
  await write("again.jpg");
  await first();
  expect(await exists(files.path("book-covers", "gone.jpg"))).toBe(true);
  await second();
  expect(await exists(files.path("book-covers", "gone.jpg"))).toBe(false);
  expect(await exists(files.path("book-covers", "again.jpg"))).toBe(true);
  await files.deleteObject("book-covers", "again.jpg");
  expect(await exists(files.path("book-covers", "again.jpg"))).toBe(false);
});
