import { callAsOwner } from "#server/database/call-as-owner.ts";
import type { Sql } from "#server/database/sql.ts";
import { startPaystack } from "#tests/support/paystack.ts";
import { steppingPaymentService } from "#tests/support/stepping.ts";
import { holdAt } from "./hold-at.ts";
import { allMoments, openPaymentWorld, type PaymentWorld, type Work } from "./payment-world.ts";

export type PaymentsUnderPower = {
  /** Holds a payment or refund at each of its steps. */
  holdAtEachStep: (sql: Sql) => Promise<void>;
  /** Customers pay and staff refund, until the power is cut. */
  letRun: (sql: Sql) => void;
  /** After the restart: everything goes on, and must be as people and Paystack know it. */
  findBroken: (sql: Sql) => Promise<string[]>;
  figures: () => { payments: number; refunds: number };
  close: () => Promise<void>;
};

const payersAtOnce = 3;

/** Payments of a shop whose power is cut. Paystack is elsewhere, and keeps what it has. */
export async function openPaymentsUnderPower(book: string): Promise<PaymentsUnderPower> {
  const paystack = await startPaystack();
  const peopleOf = (sql: Sql) => openPaymentWorld(sql, paystack, book);
  /** Orders whose customers want to pay. */
  const toPay = new Set<string>();
  /** Refunds that were confirmed to staff. */
  const promised = new Set<string>();
  const made = () => [...paystack.transactions.values()].filter(({ status }) => status === "success");

  async function hold(people: PaymentWorld, sql: Sql, work: Work, moment: string): Promise<void> {
    const order = await people.newOrder();
    const { reach, held } = holdAt(moment);
    const paymentService = steppingPaymentService(callAsOwner(sql), paystack.url, reach);
    const passed = () => {
      throw new Error(`${work} did not come to "${moment}"`);
    };
    if (work === "open") {
      toPay.add(order);
      return Promise.race([held, paymentService.open(order).then(passed)]);
    }
    const reference = await people.pay(order);
    if (work === "refund") {
      await people.paymentService.settle(reference);
      promised.add(await people.refund(order));
    }
    await people.makeDue(order);
    await Promise.race([held, paymentService.checkNext().then(passed)]);
  }

  /** A customer who had come to Paystack's page has paid there while the shop was without power; others click again. */
  async function pay(people: PaymentWorld, sql: Sql, order: string): Promise<void> {
    const [existing] = await sql.query<{ due: number; reference: string | null }>(
      `select o.due::float, (select x.reference from public.payments x
          where x.order_id = o.order_id and x.state = 'open' and x.checkout_url is not null) as reference
         from private.order_payments o where o.order_id = $1::text::uuid`,
      [order],
    );
    if (!existing) throw new Error(`order ${order} is lost`);
    if (existing.due === 0) return;
    if (existing.reference) paystack.approve(existing.reference);
    else await people.pay(order);
  }

  async function compare(sql: Sql): Promise<string[]> {
    const broken: string[] = [];
    const rows = await sql.query<{ id: string; kind: string; reference: string | null; state: string }>(
      "select id, kind, reference, state from public.payments",
    );
    for (const { reference } of made()) {
      const states = rows.filter((row) => row.reference === reference).map(({ state }) => state);
      if (states.join() !== "settled") broken.push(`payment ${reference} is '${states}'`);
    }
    for (const id of promised)
      if (!rows.some((row) => row.id === id && row.state === "settled"))
        broken.push(`refund ${id} is not made`);
    for (const { id } of rows.filter(({ kind }) => kind === "refund")) {
      const times = paystack.refunds.filter(({ merchant_note }) => merchant_note === id).length;
      if (times !== 1) broken.push(`refund ${id} was made ${times} times`);
    }
    for (const { merchant_note } of paystack.refunds)
      if (!rows.some(({ id }) => id === merchant_note)) broken.push(`refund ${merchant_note} is lost`);
    return broken;
  }

  return {
    holdAtEachStep: async (sql) => {
      const people = peopleOf(sql);
      for (const { work, moment } of allMoments) await hold(people, sql, work, moment);
    },
    letRun: (sql) => {
      const people = peopleOf(sql);
      async function payForEver(): Promise<never> {
        for (;;) {
          const order = await people.newOrder();
          toPay.add(order);
          await people.paymentService.settle(await people.pay(order));
          promised.add(await people.refund(order));
          await people.paymentService.checkNext();
        }
      }
      // Until the power has been cut.
      for (let n = 0; n < payersAtOnce; n += 1) payForEver().catch(() => {});
    },
    findBroken: async (sql) => {
      const people = peopleOf(sql);
      await Promise.all([...toPay].map((order) => pay(people, sql, order)));
      toPay.clear();
      for (let round = 0; round < 2; round += 1) {
        await people.makeDue();
        await people.goOn();
        paystack.finishRefunds();
      }
      return [...(await people.findBroken()), ...(await compare(sql))];
    },
    figures: () => ({ payments: made().length, refunds: paystack.refunds.length }),
    close: paystack.stop,
  };
}
