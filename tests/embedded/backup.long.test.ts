import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkBackup } from "#server/shop/backup/backup-file.ts";
import {
  command,
  type EmbeddedShop,
  newDataDir,
  openEmbeddedShop,
  removeFolder,
  signIn,
  signUp,
} from "#tests/support/embedded-shop.ts";
import { addBook, placeOrder, stockOf } from "#tests/support/factories.ts";
import { jpegOf } from "#tests/support/jpeg.ts";
import { newDatabase } from "#tests/support/owners-postgres.ts";
import { copyPreparedFolder } from "#tests/support/prepared-folder.ts";
import { ADMIN } from "#tests/support/shop-server.ts";

type Engine = "the embedded database" | "the owner's PostgreSQL";

const closings: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closings.reverse()) await close();
});

/** Settings for a place where no shop has been yet. */
async function newPlace(engine: Engine) {
  const dataDir = await newDataDir();
  closings.push(() => removeFolder(dataDir));
  if (engine === "the embedded database") return { DATA_DIR: dataDir };
  const { url, drop } = await newDatabase();
  closings.push(drop);
  return { DATA_DIR: dataDir, DATABASE_URL: url };
}

async function open(place: NodeJS.ProcessEnv & { DATA_DIR: string }): Promise<EmbeddedShop> {
  const shop = await openEmbeddedShop(place);
  closings.push(shop.stop);
  return shop;
}

const cover = jpegOf(Uint8Array.from({ length: 5_000 }, (_, at) => (at * 31) % 256));

/** A shop in use: an open order, one that was cancelled, one that was deleted, a cover, the demo catalogue. */
async function tradedShop(engine: Engine) {
  const place = await newPlace(engine);
  if (engine === "the embedded database") await copyPreparedFolder(place.DATA_DIR, "demo");
  const shop = await open(place);
  const book = await addBook(shop.owner, {
    title: "Rows \u2028 and “signs” 📚",
    price: 45.5,
    stock_quantity: 30,
    description: "a\nb\\c",
  });
  const person = await signUp(shop);
  const orders = [];
  for (const quantity of [1, 2, 3]) orders.push(await placeOrder(person, book, quantity));
  await person.client
    .from("orders")
    .update({ status: "cancelled" })
    .eq("id", orders[1] ?? "");
  await (await signIn(shop, ADMIN.email, ADMIN.password)).client
    .from("orders")
    .delete()
    .eq("id", orders[2] ?? "");
  const upload = await (await signIn(shop, ADMIN.email, ADMIN.password)).client.storage
    .from("book-covers")
    .upload("book-cover-1.jpg", new Blob([cover], { type: "image/jpeg" }), { cacheControl: "3600" });
  if (upload.error) throw upload.error;
  return { place, shop, book, person, orders };
}

const routes: [from: Engine, to: Engine[]][] = [
  ["the embedded database", ["the embedded database", "the owner's PostgreSQL"]],
  ["the owner's PostgreSQL", ["the embedded database"]],
];

for (const [from, targets] of routes) {
  describe(`A backup of a shop on ${from}`, () => {
    let traded: Awaited<ReturnType<typeof tradedShop>>;
    let file: string;

    beforeAll(async () => {
      traded = await tradedShop(from);
      file = join(traded.place.DATA_DIR, "a-backup.jsonl.gz");
    });

    test("is made by a command while customers order, and captures one moment", async () => {
      const { shop, place, book, person } = traded;
      const making = command("backup", [file], place);
      for (let n = 0; n < 3; n += 1) await placeOrder(person, book);
      const { code, output } = await making;
      expect(output).toMatch(/a-backup\.jsonl\.gz: \d+ books, \d+ orders, \d+ profiles, 1 file\.$/);
      expect(code).toBe(0);
      const { manifest } = await checkBackup(file);
      const rows = (table: string) => manifest.tables[table]?.rows ?? -1;
      // The book was added with 30 copies; every order and every way back is one movement.
      expect(rows("public.orders")).toBeGreaterThanOrEqual(2);
      expect(rows("public.order_items")).toBe(rows("public.orders"));
      expect(rows("public.stock_movements")).toBe(rows("public.orders") + 3);
      expect(rows("auth.users")).toBeGreaterThanOrEqual(2);
      expect((await shop.owner.from("orders").select("id", { count: "exact", head: true })).count).toBe(5);
      await command("backup", [file], place);
    });

    for (const to of targets) {
      test(`a backup restored on ${to} becomes the same shop with its rows, covers and passwords, and keeps selling`, async () => {
        const place = await newPlace(to);
        const restored = await command("restore", [file], place);
        expect(restored.output).toMatch(/^Restored and compared: [\d,]+ rows in \d+ tables, 1 file\./);
        const again = await command("restore", [file], place);
        expect(again.code).toBe(1);
        expect(again.output).toMatch(/^The data folder .* is not empty \(\S+\): name an empty one$/);
        if (to === "the owner's PostgreSQL") {
          const elsewhere = { ...place, DATA_DIR: (await newPlace("the embedded database")).DATA_DIR };
          const refused = await command("restore", [file], elsewhere);
          expect(refused.output).toMatch(/^The database is not empty \(\S+\): name an empty one$/);
          expect(await readdir(elsewhere.DATA_DIR)).toEqual([]);
        }

        const shop = await open(place);
        const second = join(place.DATA_DIR, "again.jsonl.gz");
        await command("backup", [second], place);
        const [before, after] = [await checkBackup(file), await checkBackup(second)];
        expect(after.manifest.tables).toEqual(before.manifest.tables);
        expect(after.manifest.files).toBe(1);
        const waiting = await shop.owner.from("outgoing_emails").select("id").eq("state", "waiting");
        expect(waiting.data).toEqual([]);
        const {
          data: { publicUrl },
        } = shop.owner.storage.from("book-covers").getPublicUrl("book-cover-1.jpg");
        expect(Buffer.from(await (await shop.fetch(publicUrl)).arrayBuffer())).toEqual(cover);

        const person = await signIn(shop, traded.person.email);
        const mine = await person.client.from("orders").select("id, number, order_items(quantity, title)");
        expect(mine.data?.map(({ id }) => id).sort()).toContain(traded.orders[0]);
        const stock = () => stockOf(shop.owner, traded.book.id);
        const left = await stock();
        const placed = await placeOrder(person, traded.book, 2);
        expect(await stock()).toBe(left - 2);
        const { data: figures } = await shop.owner.rpc("dashboard_stats").single();
        const counted = async (table: "orders" | "books" | "profiles") =>
          (await shop.owner.from(table).select("id", { count: "exact", head: true })).count;
        expect(figures).toMatchObject({
          total_orders: await counted("orders"),
          total_books: await counted("books"),
          total_users: await counted("profiles"),
        });
        const { data: latest } = await person.client
          .from("orders")
          .select("number")
          .eq("id", placed)
          .single();
        expect(latest?.number).toBeGreaterThan(Math.max(...(mine.data ?? []).map(({ number }) => number)));
        await shop.stop();
      });
    }

    test("is refused in one line when it is incomplete, and nothing is left in the folder", async () => {
      const bytes = await readFile(file);
      const changed = Buffer.from(bytes);
      changed[Math.floor(bytes.length / 2)] = (changed[Math.floor(bytes.length / 2)] ?? 0) ^ 0xff;
      const cases: [content: Buffer | null, answer: RegExp][] = [
        [null, /^There is no backup \S+$/],
        [Buffer.from("words"), /is damaged: it cannot be unpacked$/],
        [bytes.subarray(0, bytes.length - 200), /is damaged: /],
        [changed, /is damaged: /],
      ];
      const path = `${file}.broken`;
      const target = await newPlace("the embedded database");
      for (const [content, answer] of cases) {
        if (content) await writeFile(path, content);
        const { code, output } = await command("restore", [path], target);
        expect(output).toMatch(answer);
        expect(output.split("\n")).toHaveLength(1);
        expect(code).toBe(1);
        expect(await readdir(target.DATA_DIR)).toEqual([]);
      }
    });
  });
}
