import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { findMigrationFaults, partsOf, readSchema } from "#tests/support/schema.ts";
import { sayWhatIsSkipped } from "#tests/support/skipped.ts";

/** The commit of release 1.0.0. Its migration, and every one that was committed later, stays as it is. */
const RELEASE = "c600c8d";

const root = join(import.meta.dirname, "../..");
const problem = existsSync(join(root, ".git")) ? null : "this folder isn't a clone of the repository";
sayWhatIsSkipped("whether committed migrations were changed", problem);

it.skipIf(problem)("keeps every committed migration as it is", () => {
  expect(findMigrationFaults(root, RELEASE)).toEqual([]);
});

describe("a repository's migrations", () => {
  const migrations = "supabase/migrations";

  /** A repository with a released migration. @returns its folder, and how to write and commit files */
  async function newRepository() {
    const folder = await mkdtemp(join(tmpdir(), "migrations-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
        cwd: folder,
        encoding: "utf8",
      });
    git("init", "-q");
    await mkdir(join(folder, migrations), { recursive: true });
    const write = (name: string, text: string) => writeFile(join(folder, migrations, name), text);
    const commit = () => {
      git("add", "-A");
      git("commit", "-q", "-m", "a commit");
    };
    await write("2_first.sql", "create table books (id int);");
    commit();
    const release = git("rev-parse", "HEAD").trim();
    return { folder, write, commit, faults: () => findMigrationFaults(folder, release) };
  }

  it("may only grow", async () => {
    const { write, commit, faults } = await newRepository();
    await write("3_titles.sql", "alter table books add title text;");
    expect(faults()).toEqual([]);
    commit();
    expect(faults()).toEqual([]);
  });

  it("are refused once one that was committed has changed, in the folder or in a later commit", async () => {
    const { write, commit, faults } = await newRepository();
    await write("3_titles.sql", "alter table books add title text;");
    commit();
    await write("2_first.sql", "create table books (id bigint);");
    const changed = (name: string) =>
      `${migrations}/${name} was changed after it had been committed: undo that, and add a migration`;
    expect(faults()).toEqual([changed("2_first.sql")]);
    commit();
    expect(faults()).toEqual([changed("2_first.sql")]);
    await write("3_titles.sql", "alter table books add title varchar;");
    expect(faults()).toEqual([changed("2_first.sql"), changed("3_titles.sql")]);
  });

  it("are refused when one was deleted, or comes before a released one", async () => {
    const { folder, write, faults } = await newRepository();
    await write("1_earlier.sql", "create table a (id int);");
    await rm(join(folder, migrations, "2_first.sql"));
    expect(faults()).toEqual([
      `${migrations}/2_first.sql was changed after it had been committed: undo that, and add a migration`,
      `${migrations}/1_earlier.sql comes before ${migrations}/2_first.sql, which is released: give it a later number`,
    ]);
  });
});

it("a built migration is divided into the schema's files, a written one is whole", () => {
  const text =
    "-- Built\n\n-- supabase/schema/1-ground/01-a.sql\n\nselect 1;\n\n-- supabase/schema/1-ground/02-b.sql\n\nselect 2;\n";
  const parts = partsOf({ path: "1.sql", text });
  expect(parts.map(({ path }) => path)).toEqual([
    "1.sql",
    "supabase/schema/1-ground/01-a.sql",
    "supabase/schema/1-ground/02-b.sql",
  ]);
  expect(parts.map((part) => part.text).join("")).toBe(text);
  const second = { path: "2_titles.sql", text: "alter table books add title text;" };
  expect(partsOf(second)).toEqual([second]);
});

it("every schema file in a folder has a different number", () => {
  const files = readSchema().map(({ path }) => path);
  expect(files.length).toBeGreaterThan(50);
  const numbers = files.map((path) =>
    /schema\/(\d+)-[a-z]+\/(\d+)-[a-z-]+\.sql$/.exec(path)?.slice(1).join("-"),
  );
  expect(numbers).not.toContain(undefined);
  expect(numbers.filter((number, at) => numbers.indexOf(number) !== at)).toEqual([]);
});
