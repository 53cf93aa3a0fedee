import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { listMigrations } from "./migration-files.ts";

async function newFolder() {
  const path = await mkdtemp(join(tmpdir(), "migrations-"));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return { path, url: pathToFileURL(`${path}/`) };
}

test("Migrations are read in the order of their versions, and other files are left alone", async () => {
  const { path, url } = await newFolder();
  const others = ["README.md", "2_old.sql.bak", "draft_2_x.sql"];
  for (const name of ["10_b.sql", "1_a_c.sql", ...others]) await writeFile(join(path, name), `-- ${name} ₵`);
  expect(await listMigrations(url)).toEqual([
    { version: "1", name: "a_c", text: "-- 1_a_c.sql ₵" },
    { version: "10", name: "b", text: "-- 10_b.sql ₵" },
  ]);
});

test("A missing folder has no migrations; one that cannot be read is an error", async () => {
  const { path } = await newFolder();
  expect(await listMigrations(pathToFileURL(join(path, "gone/")))).toEqual([]);
  await writeFile(join(path, "file"), "");
  await expect(listMigrations(pathToFileURL(join(path, "file/")))).rejects.toMatchObject({ code: "ENOTDIR" });
});
