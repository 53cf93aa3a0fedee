import type { Database, Query } from "#tests/support/database.ts";
import type { SignedIn } from "#tests/support/people.ts";
import type { Chance } from "./random.ts";

type Step = (
  query: Query,
  chance: Chance,
  world: { database: Database },
  person: SignedIn,
) => Promise<unknown>;
type Claimed = { id: string; lease: string; audience: string; order: { email: string | null } | null };

/** What the mail server has accepted, and the leases of workers that have died. */
export const emailTables = `
  create table if not exists torture.accepted_emails (email_id uuid not null, worker_died boolean not null);
  create table if not exists torture.lost_leases (lease uuid not null);`;

/** A worker sends the next email that is due: it is accepted, refused for now or for good, or the worker dies somewhere. */
async function sendNext({ database }: { database: Database }, chance: Chance): Promise<void> {
  const [row] = await database.query<{ email: Claimed | null }>("select public.claim_email() as email");
  const email = row?.email;
  if (!email) return;
  const fate = chance.whole(0, 19);
  const die = () => database.query("insert into torture.lost_leases values ($1)", [email.lease]);
  const accept = (died: boolean) =>
    database.query("insert into torture.accepted_emails values ($1, $2)", [email.id, died]);
  if (fate === 0) return void (await die());
  if (fate <= 3) {
    const call = "select public.record_failed_email($1, $2, 'It was not accepted.', $3)";
    return void (await database.query(call, [email.id, email.lease, fate === 1]));
  }
  if (fate === 4) {
    await accept(true);
    return void (await die());
  }
  await accept(false);
  await database.query("select public.record_sent_email($1)", [email.id]);
}

/** What workers and staff do about emails. */
export const emailSteps: [weight: number, name: string, step: Step][] = [
  [
    14,
    "send emails",
    async (_query, chance, world) => {
      for (let n = 0; n < 4; n += 1) await sendNext(world, chance);
    },
  ],
  [
    3,
    "have a pause of an email end",
    (_query, _chance, { database }) =>
      database.query(
        `update public.outgoing_emails set due_at = clock_timestamp()
          where id in (select id from public.outgoing_emails
                        where state = 'waiting' and (lease is null or lease in (select lease from torture.lost_leases))
                          for update skip locked)`,
      ),
  ],
  [
    1,
    "look for books that are low in stock",
    (_query, chance, { database }) =>
      database.query(
        "select private.queue_low_stock_email(date_trunc('day', now()) + $1 * interval '1 day' + interval '8 hours')",
        [chance.whole(0, 3)],
      ),
  ],
  [
    4,
    "send an email again",
    async (query) => {
      const [email] = await query<{ id: string }>(
        "select id from public.outgoing_emails order by state = 'given_up' desc, random() limit 1",
      );
      await query("select public.resend_email($1)", [email?.id ?? null]);
    },
  ],
];

/** What must hold of emails, each as a query that answers the rows that break it. */
export const emailInvariants: Record<string, string> = {
  "each order has one email to its customer and one to the shop": `
    select o.id, k.kind, count(e.id) from public.orders o
    cross join (values ('order_placed'), ('new_order')) as k (kind)
    left join public.outgoing_emails e on e.kind = k.kind and e.event = o.id::text and e.order_id = o.id
    group by 1, 2 having count(e.id) <> 1`,
  "each change of an order's status has its emails, once": `
    select v.id, v.to_status, k.kind, count(e.id) from public.order_events v
    left join public.orders o on o.id = v.order_id
    cross join (values ('order_status_changed'), ('order_cancelled'), ('order_cancelled_by_customer')) as k (kind)
    left join public.outgoing_emails e on e.kind = k.kind and e.event = v.id::text and e.order_id = v.order_id
    where o.id is not null
      -- An order of digital titles alone is delivered by another email, or by staff.
      and not (v.to_status = 'delivered' and not exists (
        select from public.order_items i
        where i.order_id = v.order_id and not exists (select from private.digital_titles(array[i.sold_book_id]))))
    group by v.id, v.to_status, v.actor, o.user_id, k.kind
    having count(e.id) <> case
      when v.to_status <> 'cancelled' then (k.kind = 'order_status_changed')::int
      when k.kind = 'order_cancelled' then 1
      else (k.kind = 'order_cancelled_by_customer' and coalesce(v.actor = o.user_id, false))::int end`,
  "each quote that waits for the shop or for its customer has one email": `
    select q.id, q.status, count(e.id) from public.quotes q
    left join public.outgoing_emails e on e.event = q.id::text || ':' || q.version
      and e.kind = case q.status when 'sent' then 'quote_sent' else 'quote_requested' end
    where q.status = 'sent' or (q.status = 'requested' and q.version = 1)
    group by 1, 2 having count(e.id) <> 1`,
  "an email that waits comes up again, within half an hour": `
    select id, kind, state, due_at, lease from public.outgoing_emails
    where state = 'waiting' and due_at > clock_timestamp() + case when lease is null then interval '30 minutes' else interval '5 minutes' end`,
  "nobody holds an email that is sent or given up": `
    select id, kind, state, lease from public.outgoing_emails where state <> 'waiting' and lease is not null`,
  "an email is given up for a reason": `
    select id, kind from public.outgoing_emails where state = 'given_up' and reason is null`,
  "an email that is sent again says what the first one did": `
    select a.id, a.kind, f.kind as first from public.outgoing_emails a
    left join public.outgoing_emails f on f.id = a.resend_of
    where a.resend_of is not null
      and (f.id is null or f.resend_of is not null or (f.kind, f.order_id, f.status) is distinct from (a.kind, a.order_id, a.status))`,
};

/** The same, of what the mail server has accepted. */
export const acceptedInvariants: Record<string, string> = {
  "no email is sent twice unless its worker died before it could say so": `
    select email_id, count(*) from torture.accepted_emails
    group by 1 having count(*) filter (where not worker_died) > 1
      or (count(*) filter (where not worker_died) = 0
          and exists (select from public.outgoing_emails where id = email_id and state = 'sent'))`,
  "each email that is sent was accepted": `
    select id, kind from public.outgoing_emails e
    where state = 'sent' and not exists (select from torture.accepted_emails where email_id = e.id)`,
};

/** The broken ones of these, with the rows that break them (at most five each). */
export async function findRows(
  query: (text: string) => Promise<unknown[]>,
  invariants: Record<string, string>,
): Promise<string[]> {
  const broken: string[] = [];
  for (const [name, text] of Object.entries(invariants)) {
    const rows = await query(`select * from (${text}) as broken limit 5`);
    if (rows.length > 0) broken.push(`${name}: ${JSON.stringify(rows)}`);
  }
  return broken;
}
