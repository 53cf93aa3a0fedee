import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openDatabase } from "#server/database/engine.ts";
import { listMigrations } from "#server/database/migration-files.ts";
import { applyMigrations } from "#server/database/migrations.ts";
import { findProcesses, serverName } from "#server/database/postgres/leftovers.ts";
import { isInUse } from "#server/lib/lock.ts";
import { ensureSecrets } from "#server/lib/secrets.ts";
import { readSettings } from "#server/lib/settings.ts";
import { checkBackup } from "#server/shop/backup/backup-file.ts";
import { prepareDatabase } from "#server/shop/bootstrap.ts";
import { command, newDataDir, removeFolder } from "#tests/support/embedded-shop.ts";
import { eventually } from "#tests/support/eventually.ts";
import { addBook, dataOf, newMember, placeOrder, signInMember } from "#tests/support/factories.ts";
import { findMail } from "#tests/support/outbox.ts";
import { connect } from "#tests/support/shop-client.ts";
import { ADMIN, type ShopServer, START_MS, startShop } from "#tests/support/shop-server.ts";
import manifest from "../../package.json" with { type: "json" };
import { clientOf, newFolder, ownerOf, password } from "./shop-folder.ts";

/*
 * One shop as its owner runs it: `npm start` and the commands in processes of their own, on the database in its folder. What ends it
 * by force, or takes minutes, is in the long tests beside this file.
 */

const root = join(import.meta.dirname, "../..");

/** Commands take what the shop's processes have compiled, and so take half the time. */
const compiled = { NODE_COMPILE_CACHE: join(root, ".cache/compiled") };

/** What a shop says in its log, whose lines are JSON. */
const messagesOf = (printed: string): string[] =>
  printed
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).message);

/** Starts a shop that cannot start. @returns its exit code, and what it says */
const refusedStart = (env: NodeJS.ProcessEnv) =>
  new Promise<{ code: unknown; messages: string[] }>((resolve) => {
    const options = { cwd: root, env: { PATH: process.env.PATH, PORT: "0", ...env } };
    execFile(process.execPath, manifest.scripts.start.split(" ").slice(1), options, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, messages: messagesOf(stdout + stderr) }),
    );
  });

describe("A shop in its folder", () => {
  let dataDir: string;
  let shop: ShopServer;
  /** The messages of the first start in the folder, which had nothing in it. */
  let first: string[];
  beforeAll(async () => {
    dataDir = await newDataDir();
    await start();
    first = messagesOf(shop.output());
  });
  afterAll(async () => {
    await shop?.stop();
    if (dataDir) await removeFolder(dataDir);
  });

  /** Starts the shop in its folder, and waits until it has said what a start says. */
  async function start(env: NodeJS.ProcessEnv = {}): Promise<void> {
    shop = await startShop({ DATA_DIR: dataDir, SHOP_DEMO: "0", ADMIN_PASSWORD: "", ...env });
    await eventually(() => shop.output().includes(" is open ("), { timeout: START_MS });
  }

  /** Stops the shop as a person or a service manager does. @returns its exit code, and the signal that ended it */
  function end(): Promise<unknown[]> {
    const ended = once(shop.process, "exit");
    shop.process.kill("SIGTERM");
    return ended;
  }

  const shopPid = async (): Promise<number> =>
    JSON.parse(await readFile(join(dataDir, "backend.lock"), "utf8")).pid;

  const newClient = () => connect(shop, "203.0.113.1");

  /** The admin, with the password that the first start has printed. */
  async function signInAdmin() {
    const [, printed = ""] = /password (\S+) \(shown/.exec(first.join("\n")) ?? [];
    return (await signInMember(await newClient(), ADMIN.email, printed)).client;
  }

  const signUp = async (email: string) =>
    newMember(await newClient(), { email, password }, (to) => findMail(dataDir, to));

  const run = (name: string, ...words: string[]) => command(name, words, { ...compiled, DATA_DIR: dataDir });

  test("prints at its first start the admin's email with a password that signs them in, and then its address", async () => {
    expect(first).toContainEqual(
      expect.stringMatching(
        /^First admin: owner@adwene\.example, password [\w-]{16} \(shown until they have signed in\)\.$/,
      ),
    );
    expect(first.at(-1)).toBe(
      `${shop.url} is open (version ${manifest.version}, embedded backend). Stop it with Ctrl+C.`,
    );
    const admin = await signInAdmin();
    const { data } = await admin.auth.getUser();
    expect(await dataOf(admin.rpc("get_user_role", { _user_id: data.user?.id ?? "" }))).toBe("admin");
  });

  test("serves pages and says that it is ready", async () => {
    const page = await fetch(`${shop.url}/shop`);
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(await page.text()).toContain("<h1");
    expect((await fetch(`${shop.url}/readyz`)).status).toBe(200);
  });

  test("refuses a second start in its folder, and settings that it cannot use, in one line each", async () => {
    const refused = await Promise.all([
      refusedStart({ DATA_DIR: dataDir }),
      refusedStart({ DATA_DIR: dataDir, PORT: "a port" }),
      refusedStart({ DATA_DIR: dataDir, SITE_URL: "shop.example" }),
    ]);
    expect(refused).toEqual(
      [
        `The data folder ${dataDir} is in use by process ${await shopPid()}`,
        "PORT must be a number from 0 to 65535",
        "SITE_URL must be an address of the form http://… or https://…",
      ].map((message) => ({ code: 1, messages: [message] })),
    );
    expect((await fetch(`${shop.url}/readyz`)).status).toBe(200);
  });

  test("starts again after its process has ended, with its data, and prints no password that has been used", async () => {
    const admin = await signInAdmin();
    const { id, title } = await addBook(admin);
    const [before, printed] = [await shopPid(), shop.output().length];
    // The shop does not handle this signal, so the system ends the process at once, as it would after a fault.
    process.kill(before, "SIGUSR2");
    const since = () => shop.output().slice(printed);
    await eventually(() => since().includes(" is open ("), { timeout: START_MS });
    expect(messagesOf(since())[0]).toBe("The shop ended unexpectedly (SIGUSR2); it is starting again");
    expect(since()).not.toContain("First admin");
    expect(await shopPid()).not.toBe(before);
    expect(await (await fetch(`${shop.url}/books/${id}`)).text()).toContain(title);
  });

  test("lets admin, clear-demo and import-books work while it runs, and each refuses wrong words in one line", async () => {
    const { client, id } = await signUp("ama@example.com");
    const file = join(dataDir, "books.csv");
    await writeFile(file, "title,price,stock\nFrom a file,12.50,3\n");
    expect(await Promise.all([run("admin", "Ama@example.com"), run("clear-demo")])).toEqual([
      { code: 0, output: "Ama@example.com is now an admin." },
      { code: 0, output: "This shop has no demo." },
    ]);
    expect(await dataOf(client.rpc("get_user_role", { _user_id: id }))).toBe("admin");
    const { code, output } = await run("import-books", file);
    expect(output).toMatch(
      /^1 book added, 0 updated, 0 unchanged \(\S+ s\)\.\nTo take it back: npm run import-books -- --undo$/m,
    );
    expect(code).toBe(0);
    const books = client.from("books").select("price, stock_quantity").eq("title", "From a file");
    expect(await dataOf(books)).toEqual([{ price: 12.5, stock_quantity: 3 }]);

    const refused = [run("admin", "nobody@example.com"), run("clear-demo", "--now"), run("import-books")];
    expect(await Promise.all(refused)).toEqual([
      { code: 1, output: "No account has the email nobody@example.com: sign up in the shop first." },
      { code: 1, output: "Usage: npm run clear-demo [-- --yes]" },
      { code: 1, output: "Name one file; --help shows how." },
    ]);
  });

  test("has its orders, passwords and stock in another folder after a backup and a restore, and sells there", async () => {
    const book = await addBook(await signInAdmin(), { price: 45.5, stock_quantity: 9 });
    const { email, ...member } = await signUp("esi@example.com");
    const order = await placeOrder(member, book, 2);
    const file = join(dataDir, "a-backup.jsonl.gz");
    expect(await run("backup", file)).toEqual({
      code: 0,
      output: expect.stringMatching(/a-backup\.jsonl\.gz: \d+ books?, 1 order, \d profiles, 0 files\.$/),
    });

    const other = await newFolder("empty");
    const restore = () => command("restore", [file], { ...compiled, DATA_DIR: other.dataDir });
    expect(await restore()).toEqual({
      code: 0,
      output: expect.stringMatching(/^Restored and compared: [\d,]+ rows in \d+ tables, 0 files\. Start .*$/),
    });
    expect(await restore()).toEqual({
      code: 1,
      output: expect.stringMatching(/^The data folder \S+ is not empty \(\S+\): name an empty one$/),
    });
    const restored = await other.open();
    const { client, id } = await signInMember(clientOf(restored), email, password);
    const orders = client.from("orders").select("id, total_amount, order_items(title, quantity)");
    const items = [{ title: book.title, quantity: 2 }];
    expect(await dataOf(orders)).toEqual([{ id: order, total_amount: 91, order_items: items }]);
    await placeOrder({ client, id }, book, 3);
    const stock = client.from("books").select("stock_quantity").eq("id", book.id);
    expect(await dataOf(stock)).toEqual([{ stock_quantity: 4 }]);
  });

  test("ends with code 0 after SIGTERM, leaves no process, and releases its folder", async () => {
    expect(await end()).toEqual([0, null]);
    expect(await isInUse(dataDir)).toBe(false);
    expect(await findProcesses(serverName(dataDir))).toEqual([]);
    await expect(fetch(`${shop.url}/readyz`)).rejects.toThrow();
  });

  test("serves with two workers when its folder is opened again, and they stop with code 0", async () => {
    await shop.stop();
    await start({ WORKERS: "2" });
    expect(messagesOf(shop.output()).at(-1)).toMatch(/ is open \(.*, 2 workers\)/);
    const visits = await Promise.all(Array.from({ length: 12 }, (_, n) => fetch(`${shop.url}/shop?q=${n}`)));
    expect(visits.map(({ status }) => status)).toEqual(visits.map(() => 200));
    const metrics = await (await fetch(`${shop.url}/metrics`)).text();
    for (const name of ["1", "2"])
      expect(metrics).toContain(`shop_database_connections_max{pool="requests",process="${name}"} 6`);
    expect(await end()).toEqual([0, null]);
    expect(shop.output()).not.toContain("ended unexpectedly");
    expect(await isInUse(dataDir)).toBe(false);
  });
});

test("backs up the database of the first release, brings it up to date, and keeps its data", async () => {
  const folder = await newFolder("empty");
  const migrations = await listMigrations();
  const firstRelease = migrations.slice(0, 1);
  await ensureSecrets(folder.dataDir);
  const { sql, close } = await openDatabase(readSettings({ DATA_DIR: folder.dataDir }), () => {});
  await prepareDatabase(sql);
  await applyMigrations(sql, firstRelease);
  await sql.query("insert into public.books (title, price) values ('From before', 10)");
  await close();

  const backend = await folder.open();
  const [notice = ""] = backend.notices;
  const [, path = ""] =
    /^The database is brought up to date; the backup (\S+) is from before\.$/.exec(notice) ?? [];
  const { header, manifest: backup } = await checkBackup(path);
  expect(header.migrations).toEqual(firstRelease.map(({ version }) => version));
  expect(backup.tables["public.books"]?.rows).toBe(1);
  const owner = await ownerOf(backend, folder);
  // The first release had no kinds of books.
  expect(await dataOf(owner.from("books").select("title, price, kind"))).toEqual([
    { title: "From before", price: 10, kind: "book" },
  ]);
  const applied = await dataOf(owner.rpc("list_applied_migrations"));
  expect(applied).toEqual(migrations.map(({ version }) => version));
});
