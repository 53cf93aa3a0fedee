import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { closeHostedAccount } from "#server/hosted/accounts.ts";
import { hostedCalls } from "#server/hosted/calls.ts";
import { backupsFolder } from "#server/lib/backups-folder.ts";
import { readBackup } from "#server/shop/backup/backup-file.ts";
import { writtenPhone } from "#shared/text/phone.ts";
import {
  command,
  customer,
  newDataDir,
  openEmbeddedShop,
  owner,
  removeFolder,
  signIn,
  signUp,
} from "#tests/support/embedded-shop.ts";
import { eventually } from "#tests/support/eventually.ts";
import { addBook, dataOf, delivery, placeOrder } from "#tests/support/factories.ts";
import { startFakeProject } from "#tests/support/fake-project.ts";
import { findMail, listMails } from "#tests/support/outbox.ts";
import { newDatabase } from "#tests/support/owners-postgres.ts";
import { copyPreparedFolder } from "#tests/support/prepared-folder.ts";

/** Everything that the database and the mail folders hold, as text. */
async function everything(dataDir: string, place: NodeJS.ProcessEnv): Promise<string> {
  await command("backup", [], place);
  const [name = ""] = (await readdir(backupsFolder(dataDir))).sort().reverse();
  const texts: string[] = [];
  for await (const entry of readBackup(join(backupsFolder(dataDir), name)))
    if (entry.kind === "rows") texts.push(`${entry.table.name} ${entry.rows.join("\n")}`);
  for (const folder of ["outbox", "mail-queue"])
    texts.push(...(await eventually(() => readEmails(join(dataDir, folder)), { timeout: 10_000 })));
  return texts.join("\n");
}

/** @throws Error while an email is being written or sent: its file gets another name then */
async function readEmails(folder: string): Promise<string[]> {
  const files = await readdir(folder).catch(() => []);
  expect(files.filter((file) => file.endsWith(".tmp"))).toEqual([]);
  return Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
}

for (const engine of ["the embedded database", "the owner's PostgreSQL"] as const) {
  describe(`Forgetting a customer, in ${engine}`, () => {
    test("leaves orders without a name, nothing of the person anywhere, and no way in", async () => {
      const dataDir = await newDataDir();
      onTestFinished(() => removeFolder(dataDir));
      const database = engine === "the owner's PostgreSQL" ? await newDatabase() : null;
      if (database) onTestFinished(database.drop);
      else await copyPreparedFolder(dataDir);
      const place = {
        DATA_DIR: dataDir,
        SHOP_DEMO: "0",
        ...(database ? { DATABASE_URL: database.url } : {}),
      };
      const shop = await openEmbeddedShop(place);
      onTestFinished(shop.stop);
      const book = await addBook(shop.owner, { price: 20, stock_quantity: 9 });
      const email = "Ama.Mensah@example.com".toLowerCase();
      const person = await signUp(shop, email);
      const other = await signUp(shop, "kwame@example.com");
      const orderId = await placeOrder(person, book, 2);
      await person.client.from("orders").update({ status: "cancelled" }).eq("id", orderId);
      await shop.client().auth.resetPasswordForEmail(email);
      const session = (await person.client.auth.getSession()).data.session;
      // As it was typed and as it is written since.
      const phones = [customer.phone, writtenPhone(customer.phone)];
      const traces = [email, customer.name, ...phones, delivery.recipient_name, delivery.shipping_address];
      const before = await everything(dataDir, place);
      for (const trace of traces) expect(before).toContain(trace);

      expect(await command("anonymise", [owner.email], place)).toEqual({
        code: 1,
        output: `${owner.email} is an admin: take the role away first.`,
      });
      const shown = await command("anonymise", [email], place);
      expect(shown.output.split("\n").at(0)).toBe(
        `This would permanently remove ${email}'s personal details: the account (${customer.name}), and names and contact details in 1 order.`,
      );
      expect(shown.output.split("\n").at(-1)).toBe(
        `Nothing has changed. To remove it: npm run anonymise -- "${email}" --yes`,
      );
      expect(await everything(dataDir, place)).toContain(delivery.shipping_address);
      expect(await command("anonymise", [email, "--yes"], place)).toEqual({
        code: 0,
        output: `${email} has been anonymised; 1 order remains without a name. Existing backups still contain their data.`,
      });
      expect(await command("anonymise", [email, "--yes"], place)).toEqual({
        code: 1,
        output: `Nothing found for ${email}: no account, order by phone, consultation or registration has this email.`,
      });

      const after = await everything(dataDir, place);
      // The other customer signed up with the same name and phone, and keeps them.
      for (const trace of [email, delivery.recipient_name, delivery.shipping_address])
        expect(after).not.toContain(trace);
      const ofPerson = after.split("\n").filter((line) => line.includes(person.id));
      for (const trace of [customer.name, ...phones]) expect(ofPerson.join("\n")).not.toContain(trace);
      expect(
        (await other.client.from("profiles").select("full_name, phone").eq("id", other.id)).data,
      ).toEqual([{ full_name: customer.name, phone: writtenPhone(customer.phone) }]);
      const kept = await shop.owner.from("orders").select("user_id, status, total_amount").eq("id", orderId);
      expect(kept.data).toEqual([{ user_id: person.id, status: "cancelled", total_amount: 40 }]);

      await expect(signIn(shop, email)).rejects.toThrow("Invalid login credentials");
      const refreshed = await shop
        .client()
        .auth.refreshSession({ refresh_token: session?.refresh_token ?? "" });
      expect(refreshed.error).not.toBeNull();
    });
  });
}

test("joann@ keeps their emails when ann@ is forgotten", async () => {
  const dataDir = await newDataDir();
  onTestFinished(() => removeFolder(dataDir));
  await copyPreparedFolder(dataDir);
  const place = { DATA_DIR: dataDir, SHOP_DEMO: "0" };
  const shop = await openEmbeddedShop(place);
  onTestFinished(shop.stop);
  const [ann, joann] = ["ann@example.com", "joann@example.com"];
  for (const email of [ann, joann]) {
    await shop.client().auth.signUp({ email, password: customer.password });
    await findMail(dataDir, email);
  }
  expect((await command("anonymise", [ann, "--yes"], place)).code).toBe(0);
  expect((await listMails(dataDir)).map(({ to }) => to)).toEqual([joann]);
});

test("A caller without an account is forgotten by their order's number, phone or email, and no one else is", async () => {
  const dataDir = await newDataDir();
  onTestFinished(() => removeFolder(dataDir));
  await copyPreparedFolder(dataDir);
  const place = { DATA_DIR: dataDir, SHOP_DEMO: "0" };
  const shop = await openEmbeddedShop(place);
  onTestFinished(shop.stop);
  const book = await addBook(shop.owner, { price: 20, stock_quantity: 9 });
  const enter = async (name: string, phone: string, email: string, customer: string | null = null) => {
    const id = crypto.randomUUID();
    await dataOf(
      shop.owner.rpc("place_order_for", {
        _order_id: id,
        _customer_id: customer as string,
        _book_ids: [book.id],
        _quantities: [1],
        _total: 20,
        _order: {
          shipping_address: `${name}'s house`,
          recipient_name: name,
          recipient_email: email,
          recipient_phone: phone,
        },
      }),
    );
    await dataOf(
      shop.owner.rpc("set_order_statuses", { _order_ids: [id], _shown: ["pending"], _status: "delivered" }),
    );
    return (await dataOf(shop.owner.from("orders").select("number").eq("id", id).single())).number;
  };
  const person = await signUp(shop, "kwame@example.com");
  const account = await enter("Kwame Boateng", "0244000001", "kwame@example.com", person.id);
  const [byNumber, byPhone, byEmail, kept] = [
    await enter("Esi Quaye", "0244000002", "ama@example.com"),
    await enter("Yaw Darko", "+233 24 400 0003", ""),
    await enter("Adjoa Addo", "0244000004", "Adjoa@example.com"),
    await enter("Kofi Annor", "0244000005", "kofi@example.com"),
  ];
  for (const to of ["ama@example.com", "adjoa@example.com", "kofi@example.com"]) await findMail(dataDir, to);
  const forget = (who: string) => command("anonymise", [who, "--yes"], place);

  expect(await forget(String(account))).toEqual({
    code: 1,
    output: `Order ${account} belongs to an account. Give the account's email instead.`,
  });
  expect(await forget("999999")).toMatchObject({
    code: 1,
    output: "Nothing found for 999999: no order by phone has this number.",
  });
  for (const [who, number] of [
    [`#${byNumber}`, byNumber],
    ["024 400 0003", byPhone],
    ["adjoa@example.com", byEmail],
  ])
    expect(await forget(String(who))).toEqual({
      code: 0,
      output: `${who} has been anonymised; 0 orders and those by phone (${number}) remain without a name. Existing backups still contain their data.`,
    });

  const [ama, kofi] = [
    await enter("Ama Serwaa", "030 200 0009", ""),
    await enter("Kofi Asante", "+233302000009", ""),
  ];
  const people = `030 200 0009 appears on orders for 2 people: Ama Serwaa (order ${ama}) and Kofi Asante (order ${kofi}).`;
  const number = `"030 200 0009"`;
  expect(await command("anonymise", ["030 200 0009"], place)).toEqual({
    code: 0,
    output: [
      "This would permanently remove 030 200 0009's personal details: names and contact details in 2 orders.",
      `  Order ${ama}: Ama Serwaa, delivered, GH₵20.00`,
      `  Order ${kofi}: Kofi Asante, delivered, GH₵20.00`,
      `${people} To forget one of them, give the number of their order.`,
      `Nothing has changed. To remove it: npm run anonymise -- ${number} --yes --all`,
    ].join("\n"),
  });
  expect(await forget("030 200 0009")).toEqual({
    code: 1,
    output: `${people} Give the number of one of their orders, or --all to forget them together.`,
  });
  expect((await forget(String(ama))).code).toBe(0);
  const left = await everything(dataDir, place);
  for (const name of ["Esi Quaye", "Yaw Darko", "Adjoa Addo", "Ama Serwaa"]) expect(left).not.toContain(name);
  for (const name of ["Kwame Boateng", "Kofi Annor", "Kofi Asante"]) expect(left).toContain(name);
  expect((await listMails(dataDir)).map(({ to }) => to.toLowerCase())).not.toContain("adjoa@example.com");
  expect(kept).toBeGreaterThan(0);
});

describe("A hosted project's account", () => {
  const secretKey = "sb_secret_of_a_project";
  let url: string;
  let sql: postgres.Sql;
  const closings: (() => Promise<void>)[] = [];
  afterAll(async () => {
    for (const close of closings.reverse()) await close();
  });
  beforeAll(async () => {
    const database = await newDatabase();
    closings.push(database.drop);
    await command("migrate", [], { DATABASE_URL: database.url });
    const project = await startFakeProject(database.url, secretKey);
    closings.push(project.stop);
    url = project.url;
    sql = postgres(database.url, { max: 1, onnotice: () => {} });
    closings.push(() => sql.end());
  });

  async function addAccount(email: string): Promise<string> {
    const id = crypto.randomUUID();
    await sql`insert into auth.users (id, email, raw_user_meta_data)
        values (${id}, ${email}, ${sql.json({ full_name: "Ama", phone: "+233201234567" })})`;
    return id;
  }

  async function expectForgotten(id: string) {
    const [account] = await sql`select email, raw_user_meta_data as names, banned_until > now() as banned
        from auth.users where id = ${id}`;
    expect(account).toEqual({
      email: `${id}@nobody.invalid`,
      names: { full_name: null, phone: null },
      banned: true,
    });
    const [profile] = await sql`select full_name, email, phone from public.profiles where id = ${id}`;
    expect(profile).toEqual({ full_name: null, email: null, phone: null });
  }

  test("is emptied and closed through its API by the owner, then the shop's rows", async () => {
    const id = await addAccount("ama@example.com");
    const env = {
      SUPABASE_URL: url,
      SUPABASE_PUBLISHABLE_KEY: "sb_publishable_of_a_project",
      SUPABASE_SECRET_KEY: secretKey,
    };
    expect((await command("anonymise", ["ama@example.com", "--yes"], env)).output).toMatch(
      /^ama@example\.com has been anonymised; 0 orders remain without a name\./,
    );
    await expectForgotten(id);
  });

  test("is closed by its customer, and again after an interruption", async () => {
    const id = await addAccount("esi@example.com");
    const call = hostedCalls(url, secretKey);
    await closeHostedAccount(id, { url, secretKey }, call);
    await expectForgotten(id);
    await closeHostedAccount(id, { url, secretKey }, call);
    await expectForgotten(id);
  });
});
