import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import postgres from "postgres";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { listMigrations } from "#server/embedded/migrations.ts";
import { findPostgresProblem } from "#tests/support/database.ts";
import { ADMIN } from "#tests/support/shop-server.ts";
import { newCustomer, newFolder } from "./shop-folder.ts";

/* The owner's commands, run as he runs them. */

vi.setConfig({ testTimeout: 120_000 });

/** Runs a command of scripts/ and answers what it printed and its exit code. */
async function run(script: string, words: string[], env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, [join(import.meta.dirname, "../../scripts", script), ...words], {
    env: { PATH: process.env.PATH, SHOP_DEMO: "0", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
    });
  }
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, printed: printed.trim() };
}

test("admin makes an account an admin while the shop runs, and says so when it is one already", async () => {
  const folder = await newFolder();
  const backend = await folder.open();
  const { client, id } = await newCustomer(backend, folder, "ama@example.com");
  const env = { DATA_DIR: folder.dataDir };
  expect(await run("admin.ts", ["Ama@example.com"], env)).toEqual({
    code: 0,
    printed: "Ama@example.com is now an admin.",
  });
  expect((await client.rpc("get_user_role", { _user_id: id })).data).toBe("admin");
  expect((await run("admin.ts", ["ama@example.com"], env)).printed).toBe(
    "ama@example.com is an admin already.",
  );
});

test("admin works while no shop runs, and makes no account that is not there", async () => {
  const folder = await newFolder();
  const env = { DATA_DIR: folder.dataDir };
  expect(await run("admin.ts", [ADMIN.email], env)).toEqual({
    code: 0,
    printed: `${ADMIN.email} is an admin already.`,
  });
  expect(await run("admin.ts", ["nobody@example.com"], env)).toEqual({
    code: 1,
    printed: "There is no account with the e-mail nobody@example.com: sign up in the shop first.",
  });
});

test("admin without an e-mail says how it is used; with a hosted project it asks for the secret key", async () => {
  expect(await run("admin.ts", [], {})).toEqual({ code: 1, printed: "Usage: npm run admin -- e-mail" });
  const hosted = { SUPABASE_URL: "https://project.example", SUPABASE_PUBLISHABLE_KEY: "sb_publishable_key" };
  expect(await run("admin.ts", [ADMIN.email], hosted)).toEqual({
    code: 1,
    printed: "SUPABASE_SECRET_KEY is missing: SUPABASE_URL is set",
  });
});

test("migrate without a database says what is missing", async () => {
  expect(await run("migrate.ts", [], {})).toEqual({
    code: 1,
    printed: "DATABASE_URL is missing: set it to the database's connection string",
  });
});

const problem = await findPostgresProblem();

describe.skipIf(problem)(`On PostgreSQL${problem ? ` (skipped: ${problem})` : ""}`, () => {
  test("migrate applies all migrations, writes the history of the Supabase CLI, and is done", async () => {
    const server = new URL(process.env.TEST_DATABASE_URL ?? "postgres://postgres@127.0.0.1:5432/postgres");
    const name = `adwene_migrate_${randomUUID().replaceAll("-", "")}`;
    const admin = postgres(server.href, { max: 1, onnotice: () => {} });
    onTestFinished(async () => {
      await admin.unsafe(`drop database if exists ${name} with (force)`);
      await admin.end({ timeout: 5 });
    });
    await admin.unsafe(`create database ${name} template template0`);
    const address = new URL(server);
    address.pathname = `/${name}`;
    const env = { DATABASE_URL: address.href };
    const migrations = await listMigrations();
    const first = await run("migrate.ts", [], env);
    expect(first.printed.split("\n").at(-1)).toBe(`${migrations.length} migrations applied.`);
    expect(await run("migrate.ts", [], env)).toEqual({ code: 0, printed: "The database is up to date." });
    const database = postgres(address.href, { max: 1, onnotice: () => {} });
    onTestFinished(() => database.end({ timeout: 5 }));
    const history = await database`
    select version, name from supabase_migrations.schema_migrations order by version`;
    expect([...history]).toEqual(migrations.map(({ version, name }) => ({ version, name })));
    const told = await database`select public.list_applied_migrations() as version`;
    expect(told.map(({ version }) => version)).toEqual(migrations.map(({ version }) => version));
  });
});
