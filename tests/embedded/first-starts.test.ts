import { execFileSync, spawn } from "node:child_process";
import { cpSync } from "node:fs";
import { access, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { checkBackup } from "#server/embedded/backup/backup-file.ts";
import { prepareDatabase } from "#server/embedded/bootstrap.ts";
import { openDatabase } from "#server/embedded/engine.ts";
import { takeLock } from "#server/embedded/lock.ts";
import { applyMigrations } from "#server/embedded/migrations.ts";
import { findBinaries } from "#server/embedded/postgres/binaries.ts";
import { ensureSecrets } from "#server/embedded/secrets.ts";
import { listMigrations } from "#server/shared/migration-files.ts";
import { findPostgresProblem } from "#tests/support/database.ts";
import { command, newDatabase } from "#tests/support/embedded-shop.ts";
import { clientOf, newFolder } from "./shop-folder.ts";
import { findMountProblem } from "./small-disk.ts";

vi.setConfig({ testTimeout: 240_000 });

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

/** Starts a shop in an empty folder and kills it once its database is whole, before the shop in it is. */
async function killedFirstStart(dataDir: string): Promise<void> {
  const host = spawn(process.execPath, [join(import.meta.dirname, "host.ts"), dataDir], { stdio: "ignore" });
  const [database, mark] = [join(dataDir, "database/PG_VERSION"), join(dataDir, "database.making")];
  await vi.waitFor(
    async () => expect([await isThere(database), await isThere(mark)]).toEqual([true, false]),
    { timeout: 120_000, interval: 1 },
  );
  const { pid } = JSON.parse(await readFile(join(dataDir, "backend.lock"), "utf8"));
  host.kill("SIGKILL");
  process.kill(pid, "SIGKILL");
  expect(await isThere(join(dataDir, "first-start.unfinished"))).toBe(true);
}

test("A first start that is killed before the shop is complete is continued by the next one", async () => {
  const folder = await newFolder("empty");
  await killedFirstStart(folder.dataDir);
  const backend = await folder.open();
  expect((await clientOf(backend).from("books").select("id")).error).toBeNull();
  await expect(stat(join(folder.dataDir, "first-start.unfinished"))).rejects.toThrow("ENOENT");
});

test("A backup can be restored where a first start was killed, and not where a shop has run", async () => {
  const [shop, cutOff] = [await newFolder(), await newFolder("empty")];
  const backup = join(await mkdtemp(join(tmpdir(), "shop-backup-")), "backup.jsonl.gz");
  onTestFinished(() => rm(join(backup, ".."), { recursive: true }));
  expect(await command("backup", [backup], { DATA_DIR: shop.dataDir })).toMatchObject({ code: 0 });
  await killedFirstStart(cutOff.dataDir);
  expect(await command("restore", [backup], { DATA_DIR: cutOff.dataDir })).toMatchObject({ code: 0 });
  const books = await clientOf(await cutOff.open())
    .from("books")
    .select("id");
  expect(books.error).toBeNull();
  expect(await command("restore", [backup], { DATA_DIR: shop.dataDir })).toMatchObject({
    code: 1,
    output: expect.stringContaining("is not empty"),
  });
});

test("A used database that lacks a migration is backed up before it is changed, and keeps its data", async () => {
  const folder = await newFolder("empty");
  const migrations = await listMigrations();
  const last = migrations.at(-1);
  const release = await takeLock(folder.dataDir);
  await ensureSecrets(folder.dataDir);
  const { sql, close } = await openDatabase({ dataDir: folder.dataDir, databaseUrl: null }, () => {});
  await prepareDatabase(sql);
  await applyMigrations(sql, migrations.slice(0, -1));
  await sql.query("insert into public.books (title, price) values ('From before', 10)");
  await close();
  await release();

  const backend = await folder.open();
  const notice = backend.notices.find((line) => line.includes("is brought up to date")) ?? "";
  const [, path = ""] =
    /^The database is brought up to date; the backup (\S+) is from before\.$/.exec(notice) ?? [];
  const { header, manifest } = await checkBackup(path);
  expect(header.migrations).toEqual(migrations.slice(0, -1).map(({ version }) => version));
  expect(header.migrations).not.toContain(last?.version);
  expect(manifest.tables["public.books"]?.rows).toBe(1);
  expect((await clientOf(backend).from("books").select("title")).data).toEqual([{ title: "From before" }]);
  await backend.stop();
  expect((await folder.open()).notices.join()).not.toContain("brought up to date");
});

const problem = await findPostgresProblem();

test.skipIf(problem)(
  `A second shop on the same DATABASE_URL is refused in one line, and starts once the first has stopped${problem ? ` (skipped: ${problem})` : ""}`,
  async () => {
    const database = await newDatabase();
    onTestFinished(database.drop);
    const [one, other] = [await newFolder("empty"), await newFolder("empty")];
    const env = { DATABASE_URL: database.url };
    const first = await one.open(env);
    onTestFinished(first.stop);
    await expect(other.open(env)).rejects.toThrow(
      /^Another shop uses the database of DATABASE_URL: one database serves one shop$/,
    );
    expect((await clientOf(first).from("books").select("id")).error).toBeNull();
    await first.stop();
    const second = await other.open(env);
    onTestFinished(second.stop);
    expect(await second.ready()).toBe(true);
  },
);

const mountProblem = findMountProblem();

test.skipIf(mountProblem)(
  `If the packages are read-only, links to libraries are created in the data folder${mountProblem ? ` (skipped: ${mountProblem})` : ""}`,
  async () => {
    const place = await mkdtemp(join(tmpdir(), "shop-read-only-"));
    onTestFinished(() => rm(place, { recursive: true }));
    const { home } = await findBinaries(join(place, "unused"));
    const copy = join(place, "native");
    cpSync(home, copy, { recursive: true });
    const links: { target: string }[] = JSON.parse(await readFile(join(home, "pg-symlinks.json"), "utf8"));
    for (const { target } of links) await rm(join(place, target), { force: true });
    execFileSync("mount", ["--bind", copy, copy]);
    onTestFinished(() => void execFileSync("umount", ["--lazy", copy]));
    execFileSync("mount", ["-o", "remount,bind,ro", copy]);
    const found = await findBinaries(join(place, "libraries"), copy);
    expect(found.libraryPath).toBe(join(place, "libraries"));
    const run = (libraries: string) =>
      execFileSync(found.postgres, ["--version"], {
        env: { LD_LIBRARY_PATH: libraries },
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      });
    expect(() => run("")).toThrow();
    expect(run(found.libraryPath ?? "")).toMatch(/^postgres \(PostgreSQL\) 18/);
  },
);
