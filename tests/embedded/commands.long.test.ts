import { execFileSync, spawn, spawnSync } from "node:child_process";
import { chmod, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import postgres from "postgres";
import { describe, expect, onTestFinished, test } from "vitest";
import { listMigrations } from "#server/database/migration-files.ts";
import { makeCleanCopy } from "#tests/packaging/clean-copy.ts";
import { findMail } from "#tests/support/outbox.ts";
import { newDatabase } from "#tests/support/owners-postgres.ts";
import { setUpSecondStep } from "#tests/support/second-step.ts";
import { ADMIN } from "#tests/support/shop-server.ts";
import { sayWhatIsSkipped } from "#tests/support/skipped.ts";
import { clientOf, newCustomer, newFolder, password } from "./shop-folder.ts";

/* The owner's commands, run as the owner runs them. */

const scripts = join(import.meta.dirname, "../../scripts");

/** Runs a command of scripts/ and answers what it printed and its exit code. */
async function run(script: string, words: string[], env: NodeJS.ProcessEnv, folder = scripts) {
  const child = spawn(process.execPath, [join(folder, script), ...words], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      SHOP_DEMO: "0",
      ...env,
    },
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

test("admin makes an account an admin while the shop runs, and says so when it already is", async () => {
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

test("admin refuses an account whose address was never confirmed, and sets a new password on request", async () => {
  const folder = await newFolder();
  const backend = await folder.open();
  const env = { DATA_DIR: folder.dataDir };
  const { client, email } = await newCustomer(backend, folder, "esi@example.com");
  await clientOf(backend).auth.signUp({ email: "stranger@example.com", password });
  await findMail(folder.dataDir, "stranger@example.com");
  expect(await run("admin.ts", ["stranger@example.com"], env)).toEqual({
    code: 1,
    printed:
      "Could not make stranger@example.com an admin: This person has not confirmed their email address yet. They can have a role once they have followed the link in our email.",
  });
  const { printed } = await run("admin.ts", [email, "--new-password"], env);
  const fresh = /^New password of esi@example\.com: (\S+)$/m.exec(printed)?.[1] ?? "";
  expect((await clientOf(backend).auth.signInWithPassword({ email, password: fresh })).error).toBeNull();
  expect((await clientOf(backend).auth.signInWithPassword({ email, password })).error).not.toBeNull();
  expect((await client.auth.refreshSession()).error).not.toBeNull();
});

test("admin removes the second step of a lost phone, which ends the sessions, and the requirement for staff", async () => {
  const folder = await newFolder();
  const backend = await folder.open();
  const env = { DATA_DIR: folder.dataDir };
  const { client, email } = await newCustomer(backend, folder, "yaa@example.com");
  await setUpSecondStep(client);
  const level = async () => {
    const other = clientOf(backend);
    await other.auth.signInWithPassword({ email, password });
    return (await other.auth.mfa.getAuthenticatorAssuranceLevel()).data?.nextLevel;
  };
  expect(await level()).toBe("aal2");
  const remove = () => run("admin.ts", [email, "--remove-second-step"], env);
  expect(await remove()).toEqual({
    code: 0,
    printed: `The second step of ${email} was removed, and they were signed out everywhere.`,
  });
  expect(await level()).toBe("aal1");
  expect((await client.auth.refreshSession()).error).not.toBeNull();
  expect((await remove()).printed).toBe(`${email} has no second step.`);

  const owner = clientOf(backend);
  await owner.auth.signInWithPassword(ADMIN);
  await setUpSecondStep(owner);
  await owner.rpc("update_settings", { _values: { staffSecondStep: true }, _seen: {} }).throwOnError();
  expect((await run("admin.ts", ["--second-step-optional"], env)).printed).toBe(
    "Staff no longer need a second step. Those who have one still use it.",
  );
  const { data } = await owner.from("shop_settings").select("value").eq("id", "staffSecondStep").single();
  expect(data).toEqual({ value: false });
});

test("admin works while no shop runs, and does not create a missing account", async () => {
  const folder = await newFolder();
  const env = { DATA_DIR: folder.dataDir };
  expect(await run("admin.ts", [ADMIN.email], env)).toEqual({
    code: 0,
    printed: `${ADMIN.email} is an admin already.`,
  });
  expect(await run("admin.ts", ["nobody@example.com"], env)).toEqual({
    code: 1,
    printed: "No account has the email nobody@example.com: sign up in the shop first.",
  });
});

test.each([
  ["backup", []],
  ["admin", ["ama@example.com"]],
  ["anonymise", ["ama@example.com"]],
  ["clear-demo", []],
  ["import-books", ["--undo"]],
])("%s refuses a folder without a shop in one line, and creates none", async (name, words) => {
  const folder = await newFolder("empty");
  const missing = join(folder.dataDir, "data");
  expect(await run(`${name}.ts`, words, { DATA_DIR: missing })).toEqual({
    code: 1,
    printed: `There is no shop in ${missing}: set DATA_DIR to the shop's data folder`,
  });
  await expect(stat(missing)).rejects.toThrow("ENOENT");
});

test("A command refuses a folder whose first start is unfinished, and leaves it unchanged", async () => {
  const folder = await newFolder();
  await writeFile(join(folder.dataDir, "first-start.unfinished"), "");
  const { code, printed } = await run("backup.ts", [], { DATA_DIR: folder.dataDir });
  expect([code, printed]).toEqual([1, expect.stringContaining("There is no shop in")]);
  await stat(join(folder.dataDir, "first-start.unfinished"));
});

const otherUsers = process.getuid?.() === 0 ? null : "only root has the files of other users";
sayWhatIsSkipped("commands as root", otherUsers);

describe.skipIf(otherUsers)(`As root${otherUsers ? ` (skipped: ${otherUsers})` : ""}`, () => {
  const notOf = (uid: number, folder: string) =>
    execFileSync("find", [folder, "!", "-uid", String(uid)], { encoding: "utf8" });

  const closed = spawnSync("test", ["-r", process.execPath, "-a", "-r", import.meta.filename], {
    uid: 1,
    gid: 1,
  });
  const unread = closed.status === 0 ? null : "the user of the shop may not read this checkout";
  sayWhatIsSkipped("a command as the shop's own user", unread);

  test.skipIf(unread)(
    "a command runs as the shop's own user, who can use the folder afterwards",
    async () => {
      const folder = await newFolder();
      execFileSync("chown", ["-R", "1:1", folder.dataDir]);
      expect(await run("backup.ts", [], { DATA_DIR: folder.dataDir })).toMatchObject({ code: 0 });
      expect(notOf(1, folder.dataDir)).toBe("");
    },
  );

  test("a command says so when the shop's user may not read the program", async () => {
    const folder = await newFolder();
    execFileSync("chown", ["-R", "1:1", folder.dataDir]);
    const { folder: copy, remove } = await makeCleanCopy();
    onTestFinished(remove);
    await symlink(join(import.meta.dirname, "../../node_modules"), join(copy, "node_modules"));
    await chmod(copy, 0o700);
    expect(await run("backup.ts", [], { DATA_DIR: folder.dataDir }, join(copy, "scripts"))).toEqual({
      code: 1,
      printed: `${folder.dataDir} belongs to a user who may not read ${copy}: use a copy of the program that they can read`,
    });
  });

  test("a database of another user than the shop's is refused and stays theirs", async () => {
    const folder = await newFolder();
    const database = join(folder.dataDir, "database");
    execFileSync("chown", ["-R", "2:2", database]);
    expect(await run("backup.ts", [], { DATA_DIR: folder.dataDir })).toEqual({
      code: 1,
      printed: `${database} belongs to another user: start the shop as that user`,
    });
    expect(notOf(2, database)).toBe("");
  });

  test("a backup is not restored into another user's folder", async () => {
    const [shop, theirs] = [await newFolder(), await newFolder("empty")];
    const backup = join(shop.dataDir, "backup.jsonl.gz");
    expect(await run("backup.ts", [backup], { DATA_DIR: shop.dataDir })).toMatchObject({ code: 0 });
    execFileSync("chown", ["1:1", theirs.dataDir]);
    expect(await run("restore.ts", [backup], { DATA_DIR: theirs.dataDir })).toEqual({
      code: 1,
      printed: `${theirs.dataDir} belongs to another user: run the command as that user`,
    });
    expect(notOf(1, theirs.dataDir)).toBe("");
  });
});

test("clear-demo lists what it would remove, removes it on request, and then has nothing left to do", async () => {
  const folder = await newFolder("demo");
  const env = { DATA_DIR: folder.dataDir };
  const backend = await folder.open({ SHOP_DEMO: "1" });
  const { client } = await newCustomer(backend, folder, "ama@example.com");
  const found = /(\d+) demo books, (\d+) publishers, (\d+) booklists, (\d+) reviews and (\d+) reviewers\./;
  const announced = await run("clear-demo.ts", [], env);
  expect(announced.printed).toMatch(/^This would remove: /);
  expect(announced.printed).toMatch(
    /\nNothing has changed\. To remove the demo: npm run clear-demo -- --yes$/,
  );
  expect((await client.rpc("shop_has_demo")).data).toBe(true);
  const removed = await run("clear-demo.ts", ["--yes"], env);
  expect(removed.code).toBe(0);
  expect(removed.printed).toMatch(/^Removed: /);
  expect(found.exec(removed.printed)?.slice(1)).toEqual(found.exec(announced.printed)?.slice(1));
  expect((await client.rpc("shop_has_demo")).data).toBe(false);
  expect((await client.from("books").select("id")).data).toEqual([]);
  await backend.stop();
  await folder.open({ SHOP_DEMO: "1" });
  expect(await run("clear-demo.ts", ["--yes"], env)).toEqual({ code: 0, printed: "This shop has no demo." });
  expect((await run("clear-demo.ts", ["--now"], env)).printed).toBe("Usage: npm run clear-demo [-- --yes]");
});

const adminUsage = `Usage: npm run admin -- email [--new-password]
       npm run admin -- email --remove-second-step
       npm run admin -- --second-step-optional`;

test.each([
  ["admin.ts", adminUsage],
  [
    "anonymise.ts",
    "Usage: npm run anonymise -- email, or a caller's phone number or order number [--yes] [--all]",
  ],
  ["backup.ts", "Usage: npm run backup [-- FILE]"],
  ["clear-demo.ts", "Usage: npm run clear-demo [-- --yes]"],
  ["migrate.ts", "Usage: npm run migrate    (DATABASE_URL names the database)"],
  ["move.ts", "Usage: npm run move -- OLD_DATA_FOLDER_OR_BACKUP [--yes]"],
  ["restore.ts", "Usage: npm run restore -- FILE"],
])("%s --help shows its usage; odd arguments do too, as a failure", async (script, usage) => {
  expect(await run(script, ["--help"], {})).toEqual({ code: 0, printed: usage });
  expect(await run(script, ["--odd", "--odd", "--odd"], {})).toEqual({ code: 1, printed: usage });
});

test("admin without an email shows its usage; with a hosted project it requires the secret key", async () => {
  expect(await run("admin.ts", [], {})).toEqual({
    code: 1,
    printed: adminUsage,
  });
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

test("migrate applies all migrations, writes the history of the Supabase CLI, and ends", async () => {
  const { url, drop } = await newDatabase();
  onTestFinished(drop);
  const env = { DATABASE_URL: url };
  const migrations = await listMigrations();
  const first = await run("migrate.ts", [], env);
  expect(first.printed.split("\n").at(-1)).toBe(`${migrations.length} migrations applied.`);
  expect(await run("migrate.ts", [], env)).toEqual({ code: 0, printed: "The database is up to date." });
  const database = postgres(url, { max: 1, onnotice: () => {} });
  onTestFinished(() => database.end({ timeout: 5 }));
  const history = await database`
    select version, name from supabase_migrations.schema_migrations order by version`;
  expect([...history]).toEqual(migrations.map(({ version, name }) => ({ version, name })));
  const listed = await database`select public.list_applied_migrations() as version`;
  expect(listed.map(({ version }) => version)).toEqual(migrations.map(({ version }) => version));
});

test("stores on migrate whether customers pay online, and keeps it when no key is given later", async () => {
  const { url, drop } = await newDatabase();
  onTestFinished(drop);
  const database = postgres(url, { max: 1, onnotice: () => {} });
  onTestFinished(() => database.end({ timeout: 5 }));
  const keptAfter = async (env: NodeJS.ProcessEnv) => {
    expect((await run("migrate.ts", [], { DATABASE_URL: url, ...env })).code).toBe(0);
    const [latest] = await database`select settings from public.terms_versions order by version desc limit 1`;
    return latest?.settings.paysOnline;
  };
  expect(await keptAfter({})).toBe(false);
  expect(await keptAfter({ PAYSTACK_SECRET_KEY: "sk_test_0123456789" })).toBe(true);
  expect(await keptAfter({})).toBe(true);
  expect(await keptAfter({ PAYSTACK_SECRET_KEY: "" })).toBe(false);
  expect(await keptAfter({})).toBe(false);
});
