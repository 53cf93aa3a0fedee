import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { listMigrations } from "#server/database/migration-files.ts";
import { applyMigrations } from "#server/database/migrations.ts";
import { prepareDatabase } from "#server/shop/bootstrap.ts";
import { startPaystack } from "#tests/support/paystack.ts";
import { openSql } from "#tests/support/test-server.ts";
import { openPaymentWorld, type Work } from "./payment-world.ts";
import { addBook } from "./placing.ts";

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
  const world = openPaymentWorld(sql, paystack, await addBook(sql));
  const { paymentService, newOrder, pay, refund, makeDue, goOn, findBroken } = world;
  const [database] = await sql.query<{ name: string }>("select current_database() as name");

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
    const broken = await findBroken();
    if (broken.length > 0) throw new Error(broken.join("\n"));
  }

  async function kill(work: Work, moment: string): Promise<void> {
    const order = await newOrder();
    if (work === "open") await die(moment, order);
    const reference = await pay(order);
    if (work === "settle") {
      await makeDue();
      await die(moment, null);
    }
    await makeDue();
    await goOn();
    if (work !== "refund") return expectRight(order, 100, 0);
    await refund(order);
    await die(moment, null);
    await makeDue();
    await goOn();
    paystack.finishRefunds();
    await paymentService.settleRefunds(reference);
    await makeDue();
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
