import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { createLimits } from "#server/api/accounts/limits.ts";
import { outboxFolder, queueFolder } from "#server/emails/email-transport.ts";
import { anonymiseAccount } from "#server/shop/anonymise.ts";
import { type OwnApi, openOwnApi } from "#tests/support/own-api.ts";

const jwtSecret = "a secret";

let api: OwnApi;
beforeAll(async () => {
  api = await openOwnApi();
});
afterAll(() => api?.close());

async function newFolder() {
  const dataDir = await mkdtemp(join(tmpdir(), "anonymise-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  return dataDir;
}

test("A forgotten person's account holds nothing of them and is closed for good", async () => {
  const dataDir = await newFolder();
  const [id, other] = [await api.newPerson(), await api.newPerson()];
  for (const person of [id, other])
    await api.sql.query(
      `update auth.users set encrypted_password = 'hash', phone = '+233' || $2, email_change = $2 || '@example.com',
         confirmation_token = $2, recovery_token = $2, raw_user_meta_data = '{"full_name": "Ama"}' where id = $1::text::uuid`,
      [person, person.slice(0, 8)],
    );
  await anonymiseAccount(api.sql, { dataDir, jwtSecret }, id);
  const read = (person: string) =>
    api.sql.query(
      `select email, phone, encrypted_password as hash, email_change, confirmation_token, recovery_token,
              raw_user_meta_data as names, banned_until > now() + interval '100 years' as closed
         from auth.users where id = $1::text::uuid`,
      [person],
    );
  expect(await read(id)).toEqual([
    {
      email: null,
      phone: null,
      hash: null,
      email_change: null,
      confirmation_token: null,
      recovery_token: null,
      names: {},
      closed: true,
    },
  ]);
  expect(await read(other)).toMatchObject([{ email: `${other}@example.com`, hash: "hash", closed: null }]);
});

test("Their earlier token is rejected everywhere, and no one else's is", async () => {
  const [id, other] = [await api.newPerson(), await api.newPerson()];
  await anonymiseAccount(api.sql, { dataDir: await newFolder(), jwtSecret }, id);
  for (const path of ["/rest/v1/cart_items?select=*", "/rest/v1/rpc/catalogue_version"])
    expect([path, (await api.ask(path, { as: id })).status]).toEqual([path, 401]);
  const refused = await api.ask("/rest/v1/orders?select=*", { as: id });
  expect([refused.status, await refused.json()]).toEqual([
    401,
    expect.objectContaining({ code: "PGRST301", message: "This account is closed." }),
  ]);
  expect((await api.ask("/rest/v1/cart_items?select=*", { as: other })).status).toBe(200);
});

test("Emails about their orders by phone are deleted too", async () => {
  const dataDir = await newFolder();
  const [id, other] = [await api.newPerson(), await api.newPerson()];
  const orders: string[] = [];
  for (const person of [id, other]) {
    await api.sql.query("update public.profiles set phone = '+233244123456' where id = $1::text::uuid", [
      person,
    ]);
    const [order] = await api.sql.query<{ id: string }>(
      `insert into public.orders (user_id, total_amount, status, recipient_name, recipient_email, recipient_phone, stock_held)
       values (null, 10, 'delivered', 'Ama', $1, '024 412 3456', false) returning id`,
      [`${person}@example.com`],
    );
    orders.push(String(order?.id));
  }
  await mkdir(outboxFolder(dataDir), { recursive: true });
  for (const order of orders)
    await writeFile(
      join(outboxFolder(dataDir), `${order}.eml`),
      `To: shop@example.com\r\nX-Shop-Order: ${order}\r\n\r\nAma`,
    );
  expect(await anonymiseAccount(api.sql, { dataDir, jwtSecret }, id)).toEqual({ orders: 1, mails: 1 });
  expect(await readdir(outboxFolder(dataDir))).toEqual([`${orders[1]}.eml`]);
  const stored = await api.sql.query<{ name: string }>(
    "select recipient_name as name from public.orders where id = any ($1::text::uuid[])",
    [`{${orders.join(",")}}`],
  );
  expect(stored.map(({ name }) => name).toSorted()).toEqual(["Ama", null]);
});

test("Their sessions, links, known networks and waiting tasks are deleted, and no one else's", async () => {
  const dataDir = await newFolder();
  const people = [await api.newPerson(), await api.newPerson()] as const;
  for (const person of people) {
    const email = `${person}@example.com`;
    await api.sql.query(
      `insert into auth.refresh_tokens (id, token, user_id, session_id)
       select $1::text, $1::text, user_id, id from auth.sessions where user_id = $1::text::uuid`,
      [person],
    );
    await api.sql.query(
      "insert into private_shop.email_links (token_hash, kind, user_id, email, created_at) values ($1::text, 'recovery', $1::text::uuid, $2, now())",
      [person, email],
    );
    await api.sql.query(
      "insert into private_shop.known_networks (user_id, network, seen_at) values ($1, 'school', now())",
      [person],
    );
    for (const task of [
      { kind: "recover", email },
      { kind: "change-email", userId: person, email: "new@example.com" },
      { kind: "send", emails: [{ to: "shop@example.com" }, { to: email }] },
    ])
      await api.sql.query("insert into private_shop.account_tasks (task) values ($1::text::jsonb)", [
        JSON.stringify(task),
      ]);
  }
  const rows = async () => {
    const counts = [];
    for (const table of [
      "auth.sessions",
      "auth.refresh_tokens",
      "private_shop.email_links",
      "private_shop.known_networks",
    ])
      counts.push(
        ...(await api.sql.query(`select user_id from ${table} where user_id = any ($1::text::uuid[])`, [
          `{${people.join(",")}}`,
        ])),
      );
    return [
      ...counts.map((row) => row.user_id),
      ...(await api.sql.query("select from private_shop.account_tasks")),
    ];
  };
  expect(await rows()).toHaveLength(2 * 4 + 2 * 3);
  await anonymiseAccount(api.sql, { dataDir, jwtSecret }, people[0]);
  expect(await rows()).toEqual([...Array(4).fill(people[1]), {}, {}, {}]);
});

test("Emails about their orders and quotes are deleted, the shop's own too, once none is being written", async () => {
  const dataDir = await newFolder();
  const [id, other] = [await api.newPerson(), await api.newPerson()];
  const [order, another] = await Promise.all(
    [id, other].map(async (person) => {
      const [row] = await api.sql.query<{ id: string }>(
        "insert into public.orders (user_id, total_amount) values ($1::text::uuid, 5) returning id",
        [person],
      );
      return row?.id;
    }),
  );
  const [quote] = await api.sql.query<{ id: string }>(
    "insert into public.quotes (user_id, institution) values ($1::text::uuid, 'A school') returning id",
    [id],
  );
  // Who has an open order is not forgotten.
  await api.sql.query("update public.orders set status = 'delivered' where id = any ($1)", [
    [order, another],
  ]);
  const folder = outboxFolder(dataDir);
  const settled = async () => {
    await mkdir(folder);
    const mails = {
      "1": `x-shop-order: ${order} `,
      "2": `X-Shop-Order: ${another}`,
      "3": "X-Other: 1",
      "4": `X-Shop-Order: ${quote?.id}`,
    };
    for (const [name, line] of Object.entries(mails))
      await writeFile(join(folder, `${name}.eml`), `To: shop@example.com\r\n${line}\r\nSubject: x\r\n\r\n`);
  };
  await mkdir(join(queueFolder(dataDir), "folder.eml"), { recursive: true });
  expect(await anonymiseAccount(api.sql, { dataDir, jwtSecret, settled }, id)).toEqual({
    orders: 1,
    mails: 2,
  });
  expect((await readdir(folder)).sort()).toEqual(["2.eml", "3.eml"]);
  // Again, when nothing is left of them.
  const again = await anonymiseAccount(api.sql, { dataDir, jwtSecret }, id);
  expect([again.mails, (await readdir(folder)).length]).toEqual([0, 2]);
});

test("What the first version stored about them is deleted, and no one else's", async () => {
  const dataDir = await newFolder();
  const [id, other] = [await api.newPerson(), await api.newPerson()];
  await api.sql.exec(`
    create table auth.identities (user_id uuid);
    create table auth.flow_state (user_id uuid);
    create table auth.audit_log_entries (payload json)`);
  for (const person of [id, other]) {
    const email = person === id ? "kofi@school.example" : "efua@school.example";
    await api.sql.query("update auth.users set email = $2 where id = $1::text::uuid", [person, email]);
    for (const table of ["identities", "flow_state"])
      await api.sql.query(`insert into auth.${table} values ($1)`, [person]);
    for (const payload of [{ actor_id: person }, { traits: email.toUpperCase() }])
      await api.sql.query("insert into auth.audit_log_entries values ($1::text::json)", [
        JSON.stringify(payload),
      ]);
  }
  await anonymiseAccount(api.sql, { dataDir, jwtSecret }, id);
  const left = (table: string) => api.sql.query(`select * from auth.${table}`);
  expect([await left("identities"), await left("flow_state")]).toEqual([
    [{ user_id: other }],
    [{ user_id: other }],
  ]);
  expect(await left("audit_log_entries")).toEqual([
    { payload: { actor_id: other } },
    { payload: { traits: "EFUA@SCHOOL.EXAMPLE" } },
  ]);
});

test("A person who is not there is refused, and nothing changes", async () => {
  const dataDir = await newFolder();
  const nobody = "11111111-1111-4111-8111-111111111111";
  await expect(anonymiseAccount(api.sql, { dataDir, jwtSecret }, nobody)).rejects.toMatchObject({
    code: "PT404",
  });
});

test("Their waiting emails are deleted, whatever the capitals, and no one else's with a similar address", async () => {
  const dataDir = await newFolder();
  const id = await api.newPerson();
  await api.sql.query("update auth.users set email = 'ann@example.com' where id = $1::text::uuid", [id]);
  for (const folder of [outboxFolder(dataDir), queueFolder(dataDir)]) await mkdir(folder);
  const recipients = ["ann@example.com", "Ann@Example.com", "joann@example.com"];
  for (const [at, to] of recipients.entries()) {
    await writeFile(join(outboxFolder(dataDir), `${at}.eml`), `To: ${to}\r\nSubject: Hello\r\n\r\nHello`);
    await writeFile(join(queueFolder(dataDir), `${at}.json`), JSON.stringify({ to, raw: "" }));
  }
  await writeFile(join(queueFolder(dataDir), "damaged.json"), "{");
  expect(await anonymiseAccount(api.sql, { dataDir, jwtSecret }, id)).toEqual({ orders: 0, mails: 4 });
  expect(await readdir(outboxFolder(dataDir))).toEqual(["2.eml"]);
  expect((await readdir(queueFolder(dataDir))).sort()).toEqual(["2.json", "damaged.json"]);
});

test("The password of a sign-up with their address is deleted, and no one else's", async () => {
  const dataDir = await newFolder();
  const id = await api.newPerson();
  const { hash } = createLimits(api.sql, jwtSecret, Date.now);
  for (const address of [`${id}@example.com`, "other@example.com"])
    await api.sql.query("insert into private_shop.sign_ups values ($1, 'hash', now())", [hash(address)]);
  await anonymiseAccount(api.sql, { dataDir, jwtSecret }, id);
  expect(await api.sql.query("select address from private_shop.sign_ups")).toEqual([
    { address: hash("other@example.com") },
  ]);
});
