import { cp, mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import postgres from "postgres";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Backend } from "#server/api/backend.ts";
import { eventually } from "#tests/support/eventually.ts";
import { addBook, stockOf } from "#tests/support/factories.ts";
import { newDatabase } from "#tests/support/owners-postgres.ts";
import { sayWhatIsSkipped } from "#tests/support/skipped.ts";
import { clientOf, type Folder, newCustomer, newFolder, ownerOf } from "./shop-folder.ts";
import { findMountProblem, mountSmallDisk } from "./small-disk.ts";

const waitOptions = { timeout: 60_000, interval: 20 };

const mountProblem = findMountProblem();
sayWhatIsSkipped("a full disk", mountProblem);

/** A book, and a customer who orders one copy at a time. */
async function openCounter(backend: Backend, folder: Folder) {
  const owner = await ownerOf(backend, folder);
  const { id: bookId } = await addBook(owner, { price: 10, stock_quantity: 100 });
  const { client, id } = await newCustomer(backend, folder, "ama@example.com");
  return {
    order: async () => {
      const emptied = await client.from("cart_items").delete().eq("user_id", id);
      if (emptied.error) return emptied;
      const filled = await client.from("cart_items").insert({ user_id: id, book_id: bookId, quantity: 1 });
      if (filled.error) return filled;
      return client.from("orders").insert({ user_id: id, total_amount: 10, status: "pending" }).select("id");
    },
    orders: async () => (await owner.from("orders").select("id")).data?.map((row) => row.id) ?? [],
    stock: () => stockOf(owner, bookId),
  };
}

describe("The folder of the database", () => {
  const damages: [name: string, damage: (database: string) => Promise<void>, line: RegExp][] = [
    [
      "with a damaged control file",
      (database) => writeFile(join(database, "global/pg_control"), Buffer.alloc(8192, 7)),
      /^The database in \S+ cannot be opened \(.+\)\. Is the disk full\? Otherwise restore a backup into an empty folder$/,
    ],
    [
      "of another PostgreSQL",
      (database) => writeFile(join(database, "PG_VERSION"), "15\n"),
      /^The database in \S+ is of PostgreSQL 15, this shop reads 18: get the version of the shop that made it .*"npm run backup", with DATA_DIR .*"npm run restore", with DATA_DIR .*CHANGELOG\.md$/,
    ],
    [
      "of the shop's first version",
      (database) => writeFile(join(database, "PG_VERSION"), "17\n"),
      /^The database in \S+ is of the shop's first version \(PGlite\): get the version of the shop that made it .*"npm run backup", with DATA_DIR .*"npm run restore", with DATA_DIR .*CHANGELOG\.md$/,
    ],
    [
      "that holds something else",
      async (database) => {
        await rm(database, { recursive: true });
        await mkdir(database);
        await writeFile(join(database, "letter.txt"), "Dear shop");
      },
      /^\S+ holds no database but letter\.txt: move that elsewhere, or set DATA_DIR$/,
    ],
  ];

  test.each(damages)("%s is refused in one line and left unchanged", async (_, damage, line) => {
    const folder = await newFolder();
    const database = join(folder.dataDir, "database");
    await damage(database);
    const before = (await readdir(database)).sort();
    await expect(folder.open()).rejects.toThrow(line);
    expect((await readdir(database)).sort()).toEqual(before);
  });

  test("that a first start left unfinished is created again", async () => {
    const [whole, cutOff] = [await newFolder(), await newFolder("empty")];
    await cp(join(whole.dataDir, "database"), join(cutOff.dataDir, "database"), { recursive: true });
    await rm(join(cutOff.dataDir, "database/global"), { recursive: true });
    await writeFile(join(cutOff.dataDir, "database.making"), "");
    const backend = await cutOff.open();
    expect((await clientOf(backend).from("books").select("id")).data).toEqual([]);
    await expect(stat(join(cutOff.dataDir, "database.making"))).rejects.toThrow("ENOENT");
  });
});

test.skipIf(mountProblem)(
  `When the disk is full, orders are refused with a message, and resume as soon as there is room${mountProblem ? ` (skipped: ${mountProblem})` : ""}`,
  async () => {
    const disk = await mountSmallDisk(160);
    const folder = await newFolder("used", disk.folder);
    const backend = await folder.open();
    const { order, orders, stock } = await openCounter(backend, folder);
    const confirmed: string[] = [];
    let refused: Awaited<ReturnType<typeof order>> | null = null;
    await disk.fill();
    // There is room left in the files that are there already.
    while (!refused && confirmed.length < 90) {
      const answer = await order();
      if (answer.error) refused = answer;
      for (const { id } of answer.data ?? []) confirmed.push(id);
    }
    expect(refused?.status).toBe(503);
    expect(refused?.error?.message).toMatch(
      /^The shop is temporarily unavailable\. Please try again in a few minutes\.$/,
    );
    await disk.empty();
    await eventually(async () => expect((await order()).error).toBeNull(), waitOptions);
    const kept = await orders();
    expect(confirmed.filter((id) => !kept.includes(id))).toEqual([]);
    expect(await stock()).toBe(100 - kept.length);
  },
);

test("A silent mail server delays no response, and the email waits on the disk", async () => {
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void silent.close());
  const { port } = silent.address() as { port: number };
  const folder = await newFolder();
  const backend = await folder.open({ SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: "shop@shop.example" });
  const client = clientOf(backend);
  const { error } = await client.auth.signUp({ email: "esi@example.com", password: "a password" });
  expect(error).toBeNull();
  // The answer does not wait for the email to be written.
  const waiting = await eventually(async () => {
    const names = await readdir(join(folder.dataDir, "mail-queue"));
    expect(names.filter((name) => name.endsWith(".json"))).toHaveLength(1);
    return names;
  }, waitOptions);
  // Nor does stopping wait for the mail server, which never says anything.
  await backend.stop();
  expect(await readdir(join(folder.dataDir, "mail-queue"))).toEqual(waiting);
});

test("The owner's PostgreSQL may cut all connections while orders come in: no confirmed one is lost, and the shop keeps working", async () => {
  const database = await newDatabase();
  onTestFinished(database.drop);
  const folder = await newFolder("empty");
  const backend = await folder.open({ DATABASE_URL: database.url });
  onTestFinished(backend.stop);
  const pid = await folder.pid();
  const { order, orders, stock } = await openCounter(backend, folder);
  const knife = postgres(database.url, { max: 1, onnotice: () => {} });
  onTestFinished(() => knife.end({ timeout: 1 }));
  const confirmed: string[] = [];
  const refused: string[] = [];
  for (let round = 0; round < 6; round += 1) {
    const asked = [order(), order()];
    const cut = knife`
          select count(pg_terminate_backend(pid)) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()`;
    for (const { data, error, status } of await Promise.all(asked)) {
      if (error && status >= 500) refused.push(error.message);
      for (const { id } of data ?? []) confirmed.push(id);
    }
    await cut;
    await eventually(async () => expect(await backend.ready()).toBe(true), waitOptions);
  }
  for (const message of refused)
    expect(message).toMatch(/^The shop is temporarily unavailable\. Please try again in a few minutes\.$/);
  const kept = await orders();
  expect(confirmed.filter((id) => !kept.includes(id))).toEqual([]);
  expect(await stock()).toBe(100 - kept.length);
  expect((await order()).error).toBeNull();
  expect(await folder.pid()).toBe(pid);
});
