import { type ChildProcess, fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { prepareDatabase } from "#server/embedded/bootstrap.ts";
import { callIn } from "#server/embedded/call-in.ts";
import { applyMigrations } from "#server/embedded/migrations.ts";
import { connectPaystack } from "#server/payments/paystack.ts";
import { createTill } from "#server/payments/settle.ts";
import { listMigrations } from "#server/shared/migration-files.ts";
import { paystackKey, startPaystack } from "#tests/support/paystack.ts";
import { openSql } from "#tests/support/test-server.ts";
import { paymentInvariants } from "./payment-steps.ts";

/** What is under way when the process dies, and the steps at which it does. */
const moments = {
  open: [
    "before open_payment",
    "after open_payment",
    "after ask open",
    "before note_checkout",
    "after note_checkout",
  ],
  settle: [
    "after claim_payment_check",
    "before ask verify",
    "after ask verify",
    "before settle_payment",
    "after settle_payment",
  ],
  refund: [
    "after claim_payment_check",
    "after ask listRefunds",
    "before ask refund",
    "after ask refund",
    "before settle_refund",
    "after settle_refund",
  ],
} as const;

type Work = keyof typeof moments;

export const allMoments = (Object.keys(moments) as Work[]).flatMap((work) =>
  moments[work].map((moment) => ({ work, moment })),
);

export type PaymentKills = {
  /** Kills a process at this moment, lets another go on, and expects the money to be right. */
  kill: (work: Work, moment: string) => Promise<void>;
  close: () => Promise<void>;
};

/** A shop's database, Paystack's stand-in, and web processes that are killed between any two steps of a payment. */
export async function openPaymentKills(): Promise<PaymentKills> {
  const { sql, close } = await openSql();
  await prepareDatabase(sql);
  await applyMigrations(sql, await listMigrations());
  const paystack = await startPaystack();
  const provider = connectPaystack({ secretKey: paystackKey, url: paystack.url });
  const till = createTill({ provider, call: callIn(sql), siteUrl: "http://shop.example" });
  const [database] = await sql.query<{ name: string }>("select current_database() as name");
  const makeDue = () =>
    sql.exec("update public.payments set check_at = clock_timestamp() where state = 'open'");
  const customer = randomUUID();
  await sql.query("insert into auth.users (id, email, email_confirmed_at) values ($1, $2, now())", [
    customer,
    "ama@school.example",
  ]);

  async function newOrder(): Promise<string> {
    const [row] = await sql.query<{ id: string }>(
      "insert into public.orders (user_id, total_amount) values ($1::text::uuid, 100) returning id",
      [customer],
    );
    return String(row?.id);
  }

  async function pay(order: string): Promise<string> {
    const opened = await till.open(order);
    if (!("address" in opened)) throw new Error(`The payment is ${opened.state} before it was made`);
    const reference = String(opened.address.split("/").at(-1));
    paystack.approve(reference);
    return reference;
  }

  async function refund(order: string): Promise<void> {
    const [payment] = await sql.query<{ id: string }>(
      "select id from public.payments where order_id = $1::text::uuid and state = 'settled'",
      [order],
    );
    await sql.query("select public.refund_payment(gen_random_uuid(), $1::text::uuid, 40)", [payment?.id]);
  }

  /** Runs a process until it comes to this moment, and kills it there. */
  async function die(moment: string, order: string | null): Promise<void> {
    const child: ChildProcess = fork(join(import.meta.dirname, "../support/payment-worker-process.ts"), [], {
      execArgv: [],
      env: {
        PATH: process.env.PATH,
        STOP_AT: moment,
        DATABASE: database?.name,
        SERVER: process.env.SHOP_TEST_SERVER,
        PAYSTACK: paystack.url,
        ...(order && { ORDER: order }),
      },
    });
    const [said] = await Promise.race([once(child, "message"), once(child, "exit")]);
    if (said !== moment) throw new Error(`The process did not come to "${moment}": ${said}`);
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }

  /** Another process goes on, as long as something is due. */
  async function goOn(): Promise<void> {
    await makeDue();
    while (await till.checkNext());
  }

  async function expectRight(order: string, paid: number, refunds: number): Promise<void> {
    const [found] = await sql.query<{ paid: number; settled: number }>(
      `select p.paid, (select count(*)::int from public.payments x
          where x.order_id = $1::text::uuid and x.kind = 'payment' and x.state = 'settled') as settled
         from private.order_payments p where p.order_id = $1::text::uuid`,
      [order],
    );
    const references = await sql.query<{ reference: string }>(
      "select reference from public.payments where order_id = $1::text::uuid and reference is not null",
      [order],
    );
    const made = paystack.refunds.filter(({ reference }) =>
      references.some((each) => each.reference === reference),
    );
    const right = found?.paid === paid && found.settled === 1 && made.length === refunds;
    if (!right)
      throw new Error(
        `${JSON.stringify(found)} with ${made.length} refunds instead of ${paid} with ${refunds}`,
      );
    for (const [name, query] of Object.entries(paymentInvariants)) {
      const rows = await sql.query(`select * from (${query}) as broken limit 5`);
      if (rows.length > 0) throw new Error(`${name}: ${JSON.stringify(rows)}`);
    }
  }

  async function kill(work: Work, moment: string): Promise<void> {
    const order = await newOrder();
    if (work === "open") await die(moment, order);
    const reference = await pay(order);
    if (work === "settle") {
      await makeDue();
      await die(moment, null);
    }
    await goOn();
    if (work !== "refund") return expectRight(order, 100, 0);
    await refund(order);
    await die(moment, null);
    await goOn();
    paystack.finishRefunds();
    await till.settleRefunds(reference);
    await goOn();
    await expectRight(order, 60, 1);
  }

  return {
    kill,
    close: async () => {
      await paystack.stop();
      await close();
    },
  };
}
