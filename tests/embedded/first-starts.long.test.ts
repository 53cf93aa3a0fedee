import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync } from "node:fs";
import { access, mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openDatabase } from "#server/database/engine.ts";
import { listMigrations } from "#server/database/migration-files.ts";
import { findBinaries } from "#server/database/postgres/binaries.ts";
import { readSettings } from "#server/lib/settings.ts";
import { checkBackup } from "#server/shop/backup/backup-file.ts";
import { makeCleanCopy } from "#tests/packaging/clean-copy.ts";
import { command } from "#tests/support/embedded-shop.ts";
import { eventually } from "#tests/support/eventually.ts";
import { newDatabase } from "#tests/support/owners-postgres.ts";
import { sayWhatIsSkipped } from "#tests/support/skipped.ts";
import { clientOf, environment, newFolder, ownerOf } from "./shop-folder.ts";
import { findMountProblem } from "./small-disk.ts";

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

/** Starts a shop in an empty folder and kills it once its database is whole, before the shop in it is. */
async function killedFirstStart(dataDir: string): Promise<void> {
  const host = spawn(process.execPath, [join(import.meta.dirname, "host.ts"), dataDir], { stdio: "ignore" });
  const [database, mark] = [join(dataDir, "database/PG_VERSION"), join(dataDir, "database.making")];
  await eventually(
    async () => expect([await isThere(database), await isThere(mark)]).toEqual([true, false]),
    { timeout: 120_000, interval: 1 },
  );
  const ended = once(host, "exit");
  host.kill("SIGKILL");
  await ended;
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
  const restored = await command("restore", [backup], { DATA_DIR: cutOff.dataDir });
  expect(restored.code, restored.output).toBe(0);
  const books = await clientOf(await cutOff.open())
    .from("books")
    .select("id");
  expect(books.error).toBeNull();
  expect(await command("restore", [backup], { DATA_DIR: shop.dataDir })).toMatchObject({
    code: 1,
    output: expect.stringContaining("is not empty"),
  });
});

/** Opens the backend of a release with one migration more, and stops it. */
async function nextRelease(): Promise<(env: NodeJS.ProcessEnv) => string[]> {
  const copy = await makeCleanCopy();
  onTestFinished(copy.remove);
  await symlink(join(import.meta.dirname, "../../node_modules"), join(copy.folder, "node_modules"));
  const later = join(copy.folder, "supabase/migrations/29990101000000_later.sql");
  await writeFile(later, "alter table public.books add column later text not null default 'new'");
  const script = `
    import { openBackend } from "./server/open-backend.ts";
    import { readSettings } from "./server/lib/settings.ts";
    const backend = await openBackend(readSettings(process.env), console.error);
    console.log(JSON.stringify(backend.notices));
    await backend.stop();`;
  return (env) => {
    const options = { cwd: copy.folder, env: { PATH: process.env.PATH, ...env }, encoding: "utf8" } as const;
    return JSON.parse(execFileSync(process.execPath, ["--input-type=module", "-e", script], options));
  };
}

test("A used database that lacks a migration is backed up before it is changed, and keeps its data", async () => {
  const folder = await newFolder();
  const before = await folder.open();
  const owner = await ownerOf(before, folder);
  expect((await owner.from("books").insert({ title: "From before", price: 10 })).error).toBeNull();
  await before.stop();

  const next = await nextRelease();
  const env = { ...environment, DATA_DIR: folder.dataDir };
  const settings = readSettings(env);
  const notice = next(env).find((line) => line.includes("is brought up to date")) ?? "";
  const [, path = ""] =
    /^The database is brought up to date; the backup (\S+) is from before\.$/.exec(notice) ?? [];
  const { header, manifest } = await checkBackup(path);
  expect(header.migrations).toEqual((await listMigrations()).map(({ version }) => version));
  expect(manifest.tables["public.books"]?.rows).toBe(1);
  expect(next(env).join()).not.toContain("brought up to date");
  const { sql, close } = await openDatabase(settings, () => {});
  expect(await sql.query("select title, later from public.books")).toEqual([
    { title: "From before", later: "new" },
  ]);
  await close();
});

test("A second machine on the same DATABASE_URL joins the first, unless its folder is another shop's", async () => {
  const database = await newDatabase();
  onTestFinished(database.drop);
  const [one, other, stranger] = [await newFolder("empty"), await newFolder("empty"), await newFolder()];
  const env = { DATABASE_URL: database.url };
  const first = await one.open(env);
  onTestFinished(first.stop);
  const second = await other.open(env);
  onTestFinished(second.stop);
  expect(second.publishableKey).toBe(first.publishableKey);
  expect([first.leads?.(), second.leads?.()]).toEqual([true, false]);
  await expect(stranger.open(env)).rejects.toThrow(
    /^The database of DATABASE_URL is another shop's than the data folder \S+: its keys \(secrets\.json\) differ\. Set DATA_DIR to an empty folder$/,
  );
  await first.stop();
  await eventually(() => expect(second.leads?.()).toBe(true), { timeout: 10_000 });
});

const mountProblem = findMountProblem();
sayWhatIsSkipped("packages that are read-only", mountProblem);

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
