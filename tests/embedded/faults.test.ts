import { execFileSync } from "node:child_process";
import { cp, mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import postgres from "postgres";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { Backend } from "#server/backend.ts";
import { findPostgresProblem } from "#tests/support/database.ts";
import { newDatabase } from "#tests/support/embedded-shop.ts";
import { clientOf, type Folder, newCustomer, newFolder, ownerOf } from "./shop-folder.ts";

vi.setConfig({ testTimeout: 120_000 });

const patience = { timeout: 60_000, interval: 20 };
const postgresProblem = await findPostgresProblem();

/** Whether this machine can limit the size of a running process's files, which stands for a full disk. */
function findLimitProblem(): string | null {
  try {
    execFileSync("prlimit", ["--version"], { stdio: "ignore" });
    return null;
  } catch {
    return "there is no prlimit on this machine";
  }
}
const limitProblem = findLimitProblem();

/** A book, and a customer who orders one copy at a time. */
async function openCounter(backend: Backend, folder: Folder) {
  const owner = await ownerOf(backend, folder);
  const book = await owner.from("books").insert({ title: "Wanted", price: 10, stock_quantity: 100 }).select();
  const bookId = book.data?.[0]?.id ?? "";
  const { client, id } = await newCustomer(backend, folder, "ama@example.com");
  return {
    order: async () => {
      const line = { user_id: id, book_id: bookId, quantity: 1 };
      const filled = await client.from("cart_items").upsert(line, { onConflict: "user_id,book_id" });
      if (filled.error) return filled;
      return client.from("orders").insert({ user_id: id, total_amount: 10, status: "pending" }).select("id");
    },
    orders: async () => (await owner.from("orders").select("id")).data?.map((row) => row.id) ?? [],
    stock: async () =>
      (await owner.from("books").select("stock_quantity").eq("id", bookId).single()).data?.stock_quantity,
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
      /^The database in \S+ is of PostgreSQL 15, this shop reads 17: restore a backup$/,
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

  test.each(damages)("%s is refused in one line and left as it is", async (_, damage, line) => {
    const folder = await newFolder();
    const database = join(folder.dataDir, "database");
    await damage(database);
    const before = (await readdir(database)).sort();
    await expect(folder.open()).rejects.toThrow(line);
    expect((await readdir(database)).sort()).toEqual(before);
  });

  test("that a first start left unfinished is made anew", async () => {
    const [whole, cutOff] = [await newFolder(), await newFolder("empty")];
    await cp(join(whole.dataDir, "database"), join(cutOff.dataDir, "database"), { recursive: true });
    await rm(join(cutOff.dataDir, "database/global"), { recursive: true });
    await writeFile(join(cutOff.dataDir, "database.making"), "");
    const backend = await cutOff.open();
    expect((await clientOf(backend).from("books").select("id")).data).toEqual([]);
    await expect(stat(join(cutOff.dataDir, "database.making"))).rejects.toThrow("ENOENT");
  });
});

test.skipIf(limitProblem)(
  `When the disk is full orders are refused in words, one line says so, and it goes on as soon as there is room${limitProblem ? ` (skipped: ${limitProblem})` : ""}`,
  async () => {
    const folder = await newFolder();
    const backend = await folder.open();
    const { order, orders, stock } = await openCounter(backend, folder);
    const confirmed = (await order()).data?.map(({ id }) => id) ?? [];
    expect(confirmed).toHaveLength(1);
    // The limit belongs to this process alone: the one that follows it finds room.
    execFileSync("prlimit", ["--pid", String(await folder.pid()), "--fsize=1"]);
    const refused = await order();
    expect(refused.status).toBe(503);
    expect(refused.error?.message).toMatch(/^The shop's database is .*Please try again in a/);
    expect(folder.lines).toContain(
      "backend: the database can no longer write (is the disk full?); starting again",
    );
    await vi.waitFor(async () => expect(await backend.ready()).toBe(true), patience);
    confirmed.push(...((await order()).data?.map(({ id }) => id) ?? []));
    expect((await orders()).sort()).toEqual(confirmed.sort());
    expect(await stock()).toBe(98);
  },
);

test("A mail server that says nothing delays no answer, and the mail waits on the disk", async () => {
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void silent.close());
  const { port } = silent.address() as { port: number };
  const folder = await newFolder();
  const backend = await folder.open({ SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: "shop@shop.example" });
  const client = clientOf(backend);
  const { error } = await client.auth.signUp({ email: "esi@example.com", password: "a password" });
  expect(error).toBeNull();
  const waiting = await readdir(join(folder.dataDir, "mail-queue"));
  expect(waiting.filter((name) => name.endsWith(".json"))).toHaveLength(1);
  const started = performance.now();
  await backend.stop();
  expect(performance.now() - started).toBeLessThan(12_000);
  expect(await readdir(join(folder.dataDir, "mail-queue"))).toEqual(waiting);
});

describe.skipIf(postgresProblem)(
  `A PostgreSQL of one's own${postgresProblem ? ` (skipped: ${postgresProblem})` : ""}`,
  () => {
    test("may cut all connections while orders come in: none that was confirmed is lost, and it goes on", async () => {
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
        await vi.waitFor(async () => expect(await backend.ready()).toBe(true), patience);
      }
      for (const message of refused) expect(message).toMatch(/^The shop's database is out of order/);
      const kept = await orders();
      expect(confirmed.filter((id) => !kept.includes(id))).toEqual([]);
      expect(await stock()).toBe(100 - kept.length);
      expect((await order()).error).toBeNull();
      expect(await folder.pid()).toBe(pid);
    });
  },
);
