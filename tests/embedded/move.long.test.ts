import { readdir } from "node:fs/promises";
import { join } from "node:path";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkBackup } from "#server/shop/backup/backup-file.ts";
import {
  command,
  type EmbeddedShop,
  newDataDir,
  openEmbeddedShop,
  owner,
  removeFolder,
  signIn,
  signUp,
} from "#tests/support/embedded-shop.ts";
import { addBook, delivery, placeOrder } from "#tests/support/factories.ts";
import { startFakeProject } from "#tests/support/fake-project.ts";
import { jpegOf } from "#tests/support/jpeg.ts";
import { findMail, followLink, listMails } from "#tests/support/outbox.ts";
import { newDatabase } from "#tests/support/owners-postgres.ts";
import { copyPreparedFolder } from "#tests/support/prepared-folder.ts";

const cover = jpegOf("the bytes of a cover");
const secretKey = "sb_secret_of_a_project";

const closings: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closings.reverse()) await close();
});

async function newFolder(): Promise<string> {
  const folder = await newDataDir();
  closings.push(() => removeFolder(folder));
  return folder;
}

async function newEmptyDatabase(): Promise<string> {
  const { url, drop } = await newDatabase();
  closings.push(drop);
  return url;
}

describe("Moving a shop out of the embedded database", () => {
  let old: EmbeddedShop;
  let ordered: { id: string; email: string; orderId: string; bookId: string };
  let unconfirmed: string;

  beforeAll(async () => {
    const dataDir = await newFolder();
    await copyPreparedFolder(dataDir, "demo");
    old = await openEmbeddedShop({ DATA_DIR: dataDir });
    closings.push(old.stop);
    const book = await addBook(old.owner, { title: "Moved", price: 20, stock_quantity: 9 });
    const person = await signUp(old);
    const orderId = await placeOrder(person, book, 2);
    const admin = await signIn(old, owner.email, owner.password);
    await admin.client.from("orders").update({ status: "processing" }).eq("id", orderId);
    const upload = await admin.client.storage
      .from("book-covers")
      .upload("book-cover-7.jpg", new Blob([cover], { type: "image/jpeg" }), { cacheControl: "3600" });
    if (upload.error) throw upload.error;
    ordered = { id: person.id, email: person.email, orderId, bookId: book.id };
    unconfirmed = "not-yet@example.com";
    await old.client().auth.signUp({ email: unconfirmed, password: "a password" });
  });

  test("moving to PostgreSQL takes everything along; people get an email, choose a password and find their orders", async () => {
    const target = { DATA_DIR: await newFolder(), DATABASE_URL: await newEmptyDatabase() };
    const env = { ...target, SITE_URL: "http://shop.example" };
    const shown = await command("move", [old.dataDir], env);
    expect(shown.output).toMatch(
      /This would move \d+ books, 1 order, .*, and send 2 people an email to choose a new password\.\nNothing has changed\. To move the shop: npm run move -- ".+" --yes$/,
    );
    expect(await readdir(target.DATA_DIR)).toEqual([]);
    const { code, output } = await command("move", [old.dataDir, "--yes"], env);
    expect(output).toMatch(/Moved and compared: \d+ books, 1 order, \d+ reviews?, \d+ profiles?, 1 file\./);
    expect(output).toContain("2 of 2 people got an email to choose a new password.");
    expect(code).toBe(0);

    const shop = await openEmbeddedShop(target);
    closings.push(shop.stop);
    // The old shop still sent emails after the first backup, which only told what would be moved.
    const [, moved = ""] = /^Backup of the old shop: (.+)$/m.exec(output) ?? [];
    const before = (await checkBackup(moved)).manifest.tables;
    const again = join(target.DATA_DIR, "after.jsonl.gz");
    await command("backup", [again], target);
    const after = (await checkBackup(again)).manifest.tables;
    for (const [table, tally] of Object.entries(before)) {
      if (table.startsWith("public.")) expect([table, after[table]]).toEqual([table, tally]);
    }

    await expect(signIn(shop, ordered.email)).rejects.toThrow("Invalid login credentials");
    expect((await listMails(shop.dataDir)).some(({ to }) => to.includes(unconfirmed))).toBe(false);
    const { links, text, subject } = await findMail(shop.dataDir, ordered.email);
    expect(subject).toMatch(/: we have moved, please choose a new password$/);
    expect(text).toContain("your password could not");
    expect(text).not.toContain("You asked");
    const [link = ""] = links;
    const response = await followLink(link, shop.fetch);
    const landing = new URL(response.headers.get("location") ?? "");
    expect(landing.pathname).toBe("/auth/reset");
    const tokens = new URLSearchParams(landing.hash.slice(1));
    const client = shop.client();
    await client.auth.setSession({
      access_token: tokens.get("access_token") ?? "",
      refresh_token: tokens.get("refresh_token") ?? "",
    });
    expect((await client.auth.updateUser({ password: "a new password" })).error).toBeNull();
    const person = await signIn(shop, ordered.email, "a new password");
    const mine = await person.client.from("orders").select("id, status, order_items(title, quantity)");
    expect(mine.data).toEqual([
      { id: ordered.orderId, status: "processing", order_items: [{ title: "Moved", quantity: 2 }] },
    ]);
    const events = await shop.owner.from("order_events").select("to_status").eq("order_id", ordered.orderId);
    expect(events.data).toEqual([{ to_status: "processing" }]);
  });

  test("moving to a hosted project creates accounts and covers through its API and rows in its database, once", async () => {
    const databaseUrl = await newEmptyDatabase();
    expect((await command("migrate", [], { DATABASE_URL: databaseUrl })).code).toBe(0);
    const project = await startFakeProject(databaseUrl, secretKey, 1);
    closings.push(project.stop);
    const env = {
      SUPABASE_URL: project.url,
      SUPABASE_PUBLISHABLE_KEY: "sb_publishable_of_a_project",
      SUPABASE_SECRET_KEY: secretKey,
      DATABASE_URL: databaseUrl,
      SITE_URL: "http://shop.example",
    };
    const { SUPABASE_SECRET_KEY, ...withoutKey } = env;
    expect(await command("move", [old.dataDir, "--yes"], withoutKey)).toEqual({
      code: 1,
      output: expect.stringContaining("SUPABASE_SECRET_KEY is missing: SUPABASE_URL is set"),
    });
    const { code, output } = await command("move", [old.dataDir, "--yes"], env);
    expect(output).toContain("Moved and compared: ");
    expect(output).toContain("1 of 2 people got an email to choose a new password.");
    expect(output).toContain('The others choose one by "Forgot password?" on the sign-in page.');
    expect(code).toBe(0);
    expect(project.mailed).toHaveLength(1);
    expect([...project.stored]).toEqual([
      ["book-covers/book-cover-7.jpg", { type: "image/jpeg", content: cover }],
    ]);
    const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} });
    const [found] = await sql`
      select o.status, o.recipient_name, p.email, p.phone, i.quantity, b.stock_quantity,
             (select count(*)::int from auth.users) as people, (select count(*)::int from public.profiles) as profiles,
             (select sum(quantity)::int from public.stock_movements where order_id = o.id) as moved
      from public.orders o join public.profiles p on p.id = o.user_id
      join public.order_items i on i.order_id = o.id join public.books b on b.id = i.book_id`;
    expect(found).toMatchObject({
      status: "processing",
      recipient_name: delivery.recipient_name,
      email: ordered.email,
      phone: "+233 20 123 4567",
      quantity: 2,
      stock_quantity: 7,
      moved: -2,
    });
    expect(found?.people).toBe(found?.profiles);
    const [triggers] = await sql`select count(*)::int as resting from pg_trigger where tgenabled = 'D'`;
    expect(triggers?.resting).toBe(0);
    await sql.end();
    expect(await command("move", [old.dataDir, "--yes"], env)).toEqual({
      code: 1,
      output: expect.stringContaining("The project has books already: a shop moves only into a new one"),
    });
  });

  test("refuses a folder without a shop, and the folder itself, in one line", async () => {
    const empty = await newFolder();
    const cases: [string, NodeJS.ProcessEnv, string][] = [
      [empty, { DATA_DIR: await newFolder() }, `${empty} holds no shop`],
      [join(empty, "nothing"), { DATA_DIR: empty }, `There is no ${join(empty, "nothing")}`],
      [
        old.dataDir,
        { DATA_DIR: old.dataDir },
        "DATA_DIR names the old shop's folder: set it to the new one's",
      ],
    ];
    for (const [from, env, line] of cases)
      expect(await command("move", [from], env)).toEqual({ code: 1, output: line });
  });
});
