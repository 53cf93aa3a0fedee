import type { Database, Query } from "#tests/support/database.ts";
import { openOnline, refundOnline, settleOnline } from "#tests/support/payments.ts";
import type { SignedIn } from "#tests/support/people.ts";
import type { Chance } from "./random.ts";

type World = { database: Database };
type Step = (query: Query, chance: Chance, world: World, person: SignedIn) => Promise<unknown>;
type Steps = [weight: number, name: string, step: Step][];

const anyPayment = (condition: string) =>
  `select id, reference, amount::float as amount from public.payments where ${condition} order by random() limit 1`;
type Found = { id: string; reference: string; amount: number };

/** Now and then what Paystack has received is not what was requested. */
const receivedOf = (amount: number, chance: Chance) => ({
  amount: chance.whole(0, 9) === 0 ? amount + 1 : amount,
  currency: chance.whole(0, 19) === 0 ? "NGN" : "GHS",
});

/** What customers do about payments; the web server's part is done in its name. */
export const customerPaymentSteps: Steps = [
  [
    10,
    "pay online",
    async (query, chance, { database }) => {
      const [order] = await query<{ id: string }>("select id from public.orders order by random() limit 1");
      const { reference, amount } = await openOnline(database, order?.id ?? chance.uuid());
      const outcome = chance.pick(["success", "success", "success", "failed", "pending"]);
      const response = { outcome, ...receivedOf(amount, chance) };
      // The message and the customer's return, at the same moment.
      await Promise.all([
        settleOnline(database, reference, response),
        settleOnline(database, reference, response),
      ]);
    },
  ],
  [
    3,
    "pay an old page",
    async (_query, chance, { database }) => {
      const [old] = await database.query<Found>(
        anyPayment("method = 'paystack' and kind = 'payment' and state in ('open', 'failed')"),
      );
      if (old) await settleOnline(database, old.reference, receivedOf(old.amount, chance));
    },
  ],
  [1, "try to settle a payment", (query) => query("update public.payments set state = 'settled'")],
];

/** What staff do about payments, and what Paystack then says of refunds. */
export const adminPaymentSteps: Steps = [
  [
    8,
    "record a payment",
    async (query, chance) => {
      const [order] = await query<{ id: string }>("select id from public.orders order by random() limit 1");
      await query("select public.record_payment($1, $2, $3, $4, $5, '2026-11-01', $6, null, $7)", [
        chance.uuid(),
        order?.id ?? null,
        chance.pick(["payment", "payment", "payment", "refund"]),
        chance.pick(["cash", "mobile_money", "bank_transfer"]),
        chance.whole(1, 9_999) / 100,
        `T ${chance.whole(1, 500)}`,
        chance.whole(0, 2) === 0,
      ]);
    },
  ],
  [
    3,
    "correct a payment",
    async (query) => {
      const [payment] = await query<Found>(anyPayment("method <> 'paystack'"));
      await query("select public.correct_payment($1, 'A slip of the pen')", [payment?.id ?? null]);
    },
  ],
  [
    4,
    "decide about a payment",
    async (query, chance) => {
      const [payment] = await query<Found>(anyPayment("state = 'needs_decision'"));
      await query("select public.decide_payment($1, $2, 'Looked at')", [
        payment?.id ?? null,
        chance.pick(["count", "set_aside"]),
      ]);
    },
  ],
  [
    6,
    "refund a payment",
    async (_query, chance, { database }, person) => {
      const [payment] = await database.query<Found>(
        anyPayment("method = 'paystack' and kind = 'payment' and state = 'settled'"),
      );
      if (!payment) return;
      const part = Math.max(0.01, Math.round(payment.amount * 30) / 100);
      const amount = chance.whole(0, 1) === 0 ? payment.amount : part;
      await refundOnline(database, person, payment.id, amount);
    },
  ],
  [
    6,
    "hear of a refund",
    async (_query, chance, { database }) => {
      const [refund] = await database.query<{ id: string; reference: string; amount: number }>(
        `select r.id, p.reference, -r.amount::float as amount
           from public.payments r join public.payments p on p.id = r.about
          where r.kind = 'refund' and r.state = 'open' order by random() limit 1`,
      );
      if (!refund) return;
      const outcome = chance.pick(["processed", "processed", "failed", "pending"]);
      await database.query("select public.settle_refund($1, $2, $3, $4, $5)", [
        refund.reference,
        refund.id,
        `R ${refund.id}`,
        refund.amount,
        outcome,
      ]);
    },
  ],
];

/** What must hold of payments in a shop at rest, each as a query that answers the rows that break it. */
export const paymentInvariants: Record<string, string> = {
  "what has been paid is what was settled, less refunds and corrections": `
    select o.id, p.paid from public.orders o join private.order_payments p on p.order_id = o.id
    cross join lateral (
      select coalesce(sum(abs(x.amount)) filter (where x.kind = 'payment'), 0)
             - coalesce(sum(abs(x.amount)) filter (where x.kind = 'refund'), 0)
             - coalesce(sum(w.amount) filter (where x.kind = 'correction'), 0) as paid
      from public.payments x left join public.payments w on w.id = x.about
      where x.order_id = o.id and x.state = 'settled'
    ) as counted
    where p.paid <> counted.paid or p.due <> greatest(case o.status when 'cancelled' then 0 else o.total_amount end - p.paid, 0)`,
  "nothing that the log knows of a payment is gone or has changed": `
    select a.row_id, a.after, p.state, p.amount from public.audit_log a
    left join public.payments p on p.id::text = a.row_id
    where a.table_name = 'payments'
      and (p.id is null or (a.after ->> 'state' = 'settled' and (p.state <> 'settled' or p.amount <> (a.after ->> 'amount')::numeric)))`,
  "no more is refunded than was paid": `
    select order_id, sum(amount) from public.payments
    where state = 'settled' or (kind = 'refund' and state = 'open')
    group by order_id having sum(amount) < 0`,
  "no payment is refunded more than once": `
    select p.id, p.amount, sum(r.amount) from public.payments p
    join public.payments r on r.about = p.id and r.kind = 'refund' and r.state <> 'failed'
    group by p.id having p.amount + sum(r.amount) < 0`,
  "through Paystack counts what was received, in cedis": `
    select id, amount, received_amount, received_currency from public.payments
    where method = 'paystack' and kind = 'payment' and state = 'settled'
      and (received_amount is distinct from amount or received_currency is distinct from 'GHS')`,
  "a correction is the opposite of one row, once": `
    select c.id, c.amount, w.amount from public.payments c left join public.payments w on w.id = c.about
    where c.kind = 'correction' and (w.id is null or c.amount <> -w.amount)`,
  "an operator's transaction is recorded once": `
    select p.method, upper(p.reference), count(*) from public.payments p
    where p.method in ('mobile_money', 'bank_transfer') and p.kind = 'payment' and p.reference is not null
      and not exists (select from public.payments c where c.kind = 'correction' and c.about = p.id)
    group by 1, 2 having count(*) > 1`,
  "no order with money in it is gone": `
    select p.order_id, sum(p.amount) from public.payments p
    where p.state = 'settled' and not exists (select from public.orders o where o.id = p.order_id)
    group by p.order_id having sum(p.amount) <> 0`,
  "each payment and refund has one email": `
    select p.id, p.kind, count(e.id) from public.payments p
    left join public.outgoing_emails e on e.event = p.id::text and e.kind in ('order_paid', 'order_refunded')
    where p.kind <> 'correction'
    group by p.id having count(e.id) <> case when p.state = 'settled' then 1 else 0 end`,
};
