import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "#tests/support/eventually.ts";
import { addBook, delivery, type Member, stockOf } from "#tests/support/factories.ts";
import { type Machines, openMachines } from "#tests/support/machines.ts";
import { newDatabase } from "#tests/support/owners-postgres.ts";
import { type ShopServer, START_MS } from "#tests/support/shop-server.ts";

/*
 * Five machines on one PostgreSQL take a thousand orders, while the one that sends the emails is killed three times and sleeps once.
 * supabase/schema/7-emails/3-sending.sql states the guarantees: only an email that the mail server had accepted when its machine died may
 * arrive twice, with the same Message-ID.
 */

const MACHINES = 5;
const KILLS = 3;
const FREEZE_MS = 20_000;
const CUSTOMERS = 56;
/** A customer may place twenty an hour. */
const EACH = 18;
/** How soon another machine must take over from a lost one. */
const TAKEOVER_MS = 30_000;
const EMAILS_MS = 10 * 60_000;

let database: Awaited<ReturnType<typeof newDatabase>>;
let shop: Machines;
beforeAll(async () => {
  database = await newDatabase();
  shop = await openMachines(MACHINES, database.url);
}, 2 * START_MS);
afterAll(async () => {
  await shop?.stop();
  await database?.drop();
});

/** Signs up in small groups: each password takes a quarter of a second of a core. */
async function signUpAll(): Promise<Member[]> {
  const members: Member[] = [];
  while (members.length < CUSTOMERS) {
    const group = Array.from(
      { length: Math.min(8, CUSTOMERS - members.length) },
      (_, n) => members.length + n,
    );
    members.push(
      ...(await Promise.all(group.map((n) => shop.signUp(`customer-${n}@example.com`, `203.0.113.${n}`)))),
    );
  }
  return members;
}

/** One order of one copy, sent again with its id until the shop says that it is there, as the checkout does. */
async function order({ id: user_id, client, email }: Member, book_id: string): Promise<string> {
  const id = randomUUID();
  const row = { id, user_id, total_amount: 10, status: "pending", ...delivery, recipient_email: email };
  for (;;) {
    const timeout = () => AbortSignal.timeout(3_000);
    const cart = { user_id, book_id, quantity: 1 };
    const filled = await client.from("cart_items").insert(cart).abortSignal(timeout());
    // A request whose machine was lost may have put the copy there all the same.
    if (!filled.error || filled.error.code === "23505") {
      const { error, status } = await client.from("orders").insert(row).abortSignal(timeout());
      if (!error || error.code === "23505") return id;
      if (status !== 0 && status < 500) throw new Error(`${error.code}: ${error.message}`);
    }
    await pause(200);
  }
}

const claimed = async () =>
  (await shop.sql`select id from public.outgoing_emails where state = 'waiting' and lease is not null`).map(
    ({ id }) => id as string,
  );

/** Waits until a different machine leads. */
const nextLeader = (lost: ShopServer[]) =>
  eventually(
    async () => {
      const leader = await shop.leader();
      return !lost.includes(leader) && leader;
    },
    { timeout: TAKEOVER_MS, interval: 100 },
  );

/** Some of the emails that a machine sends, so that it is lost while it is at work. */
async function someEmails(): Promise<void> {
  const before = shop.mailIds().length;
  await eventually(() => shop.mailIds().length > before + 20, { interval: 5 });
}

test("sends each email of 1,008 orders once while the machine that leads is killed three times and sleeps for 20 s", {
  timeout: 20 * 60_000,
}, async () => {
  const admin = await shop.signInAdmin();
  const saved = await admin.rpc("update_settings", {
    _values: { ownerEmail: "owner@shop.example" },
    _seen: {},
  });
  expect(saved.error).toBeNull();
  const book = await addBook(admin, { price: 10, stock_quantity: 2_000 });
  const members = await signUpAll();
  // How many orders each may have placed by now: some are under way whenever a machine is lost.
  let most = 4;
  const confirmed: string[] = [];
  const ordering = Promise.all(
    members.map(async (member) => {
      for (let n = 0; n < EACH; n += 1) {
        while (n >= most) await pause(50);
        confirmed.push(await order(member, book.id));
        await pause(500 * Math.random());
      }
    }),
  );

  const lost: ShopServer[] = [];
  const inHand: string[] = [];
  for (let kill = 0; kill < KILLS; kill += 1) {
    await someEmails();
    const leader = await shop.leader();
    await shop.kill(leader);
    lost.push(leader);
    inHand.push(...(await claimed()));
    await nextLeader(lost);
    most += 3;
  }
  await someEmails();
  const sleeper = await shop.leader();
  const wake = await shop.freeze(sleeper);
  most += 2;
  await pause(FREEZE_MS);
  const next = await nextLeader([...lost, sleeper]);
  await someEmails();
  wake();
  await eventually(() => sleeper.output().includes("leaves to another one what is done once"), {
    timeout: TAKEOVER_MS,
  });
  expect(await shop.leader()).toBe(next);
  most = EACH;
  await ordering;

  // A dead machine's claimed emails stay claimed for five minutes.
  await shop.sql`update public.outgoing_emails set due_at = clock_timestamp() where id = any(${inHand}::uuid[]) and state = 'waiting'`;
  await eventually(
    async () => {
      const [row] = await shop.sql`
          select count(*)::int as waiting from public.outgoing_emails where order_id is not null and state <> 'sent'`;
      return row?.waiting === 0;
    },
    { timeout: EMAILS_MS, interval: 500 },
  );

  const orders = await shop.sql<{ id: string; emails: string[]; audiences: string[] }[]>`
      select o.id, array_agg(e.id) as emails, array_agg(private.email_audience(e.kind)) as audiences
        from public.orders o left join public.outgoing_emails e on e.order_id = o.id group by o.id`;
  expect(orders.map(({ id }) => id).sort()).toEqual(confirmed.sort());
  expect(confirmed).toHaveLength(CUSTOMERS * EACH);
  expect(await stockOf(admin, book.id)).toBe(2_000 - CUSTOMERS * EACH);
  const perOrder = new Set(orders.map(({ audiences }) => [...audiences].sort().join(" ")));
  expect([...perOrder]).toEqual(["customer owner"]);

  const times = new Map<string, number>();
  for (const id of shop.mailIds()) times.set(id, (times.get(id) ?? 0) + 1);
  const emails = orders.flatMap((each) => each.emails);
  const twice = emails.filter((id) => (times.get(id) ?? 0) > 1);
  console.log(
    `${KILLS} kills and a sleep of ${FREEZE_MS / 1000} s: ${orders.length} orders, ${emails.length} emails, ${twice.length} twice; ${new Set(inHand).size} were in a dead machine's hand`,
  );
  expect(emails.filter((id) => !times.has(id))).toEqual([]);
  expect(twice.filter((id) => !inHand.includes(id) || times.get(id) !== 2)).toEqual([]);
});
