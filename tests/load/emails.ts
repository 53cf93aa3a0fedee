import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type postgres from "postgres";
import { startShop } from "#tests/support/shop-server.ts";
import { idsOf, openMailServer } from "#tests/support/smtp-server.ts";
import { fullOrQuick } from "./lengths.ts";
import { atLeast, atMost, type Outcome, type Section } from "./report.ts";
import { connectTo } from "./running-shop.ts";

const EMAILS = fullOrQuick(1_000, 50);
const PEOPLE = EMAILS / 5;
const BUDGET = 50;
const TIMEOUT_MS = 10 * 60_000;

/** A mail server in the same country, for example. */
const LATENCY_MS = 20;

/** How many emails about orders a second a mail server gets that takes them, and whether each once and each customer's in order. */
export async function measureEmails(): Promise<Section> {
  const runs = [await sendTo("at once", 0), await sendTo(`after ${LATENCY_MS} ms`, LATENCY_MS)];
  return {
    title: "Emails",
    about: `${EMAILS} emails about orders to ${PEOPLE} customers wait in the database, in a random order; the shop sends them to a mail server on the same machine that takes each. Counted by the mail server, from the first email to the last. Budget: ${BUDGET} a second, each once, and each customer's in the order in which they were written.`,
    header: ["The mail server responds", "Accepted", "A second", "Accepted again", "Out of order"],
    rows: runs.map(({ row }) => row),
    outcomes: runs.flatMap(({ outcomes }) => outcomes),
  };
}

async function sendTo(name: string, latencyMs: number): Promise<{ row: string[]; outcomes: Outcome[] }> {
  const dataDir = await mkdtemp(join(tmpdir(), "adwene-bench-"));
  const times: number[] = [];
  const server = await openMailServer({
    latencyMs,
    beforeAccepting: async () => void times.push(performance.now()),
  });
  const settings = { SHOP_DEMO: "0", SMTP_URL: server.url, MAIL_FROM: "no-reply@shop.example" };
  const shop = await startShop({ DATA_DIR: dataDir, ...settings });
  try {
    const sql = await connectTo(dataDir, 1, "owner");
    const customers = await queueEmails(sql);
    const unsent = await untilSent(sql).finally(() => sql.end());
    const accepted = idsOf(server).filter((id) => customers.has(id));
    const again = accepted.length - new Set(accepted).size;
    const late = countOutOfOrder(accepted, customers);
    const rate = (times.length - 1) / (((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1_000);
    if (unsent > 0 || accepted.length - again !== EMAILS)
      throw new Error(`${unsent} emails were not sent, ${accepted.length} accepted, ${again} of them again`);
    const answer = `(the mail server responds ${name})`;
    return {
      row: [name, String(accepted.length), rate.toFixed(0), String(again), String(late)],
      outcomes: [
        atLeast(`Emails ${answer}`, rate, BUDGET, (value) => `${value.toFixed(0)} a second`),
        atMost(`Emails accepted again or out of order ${answer}`, again + late, 0),
      ],
    };
  } finally {
    await shop.stop();
    server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** How many emails are left when all are sent, or after ten minutes. */
async function untilSent(sql: postgres.Sql): Promise<number> {
  const deadline = performance.now() + TIMEOUT_MS;
  for (;;) {
    const [row] = await sql<{ unsent: number }[]>`
      select count(*)::int as unsent from public.outgoing_emails where kind = 'order_placed' and state <> 'sent'`;
    if (row?.unsent === 0 || performance.now() > deadline) return row?.unsent ?? EMAILS;
    await pause(100);
  }
}

/** Queues emails, each about an order of its own, in one transaction. Returns each email's customer, in the order of the emails. */
async function queueEmails(sql: postgres.Sql): Promise<Map<string, string>> {
  const rows = await sql.begin(async (transaction) => {
    await transaction`
      insert into auth.users (id, email, email_confirmed_at)
      select id, id || '@school.example', now() from (select gen_random_uuid() as id from generate_series(1, ${PEOPLE})) as made`;
    await transaction`
      with people as (select id, row_number() over () as number from auth.users where email like '%@school.example'),
      placed as (
        insert into public.orders (user_id, total_amount, recipient_name, shipping_address)
        select p.id, 61.5, 'Ama Mensah', '5 Castle Road, Cape Coast'
          from generate_series(0, ${EMAILS - 1}::int) as n join people p on p.number = n % ${PEOPLE}::int + 1
        returning id)
      insert into public.order_items (order_id, quantity, price, title, publisher)
      select id, 3, 20.5, 'Integrated Science', 'Adwene' from placed`;
    await transaction`
      insert into public.outgoing_emails (kind, event, order_id)
      select 'order_placed', id::text, id from public.orders order by random()`;
    return transaction<{ id: string; customer: string }[]>`
      select e.id, o.user_id as customer from public.outgoing_emails e join public.orders o on o.id = e.order_id
       order by e.due_at, e.created_at`;
  });
  return new Map(rows.map(({ id, customer }) => [id, customer]));
}

/** How many emails came after a later one to the same customer. */
function countOutOfOrder(accepted: string[], customers: Map<string, string>): number {
  const positions = new Map([...customers.keys()].map((id, position) => [id, position]));
  const last = new Map<string, number>();
  let late = 0;
  for (const id of accepted) {
    const customer = customers.get(id) ?? "";
    const position = positions.get(id) ?? -1;
    if (position < (last.get(customer) ?? -1)) late += 1;
    else last.set(customer, position);
  }
  return late;
}
