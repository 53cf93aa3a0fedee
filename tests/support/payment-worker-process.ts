import { callIn } from "#server/embedded/call-in.ts";
import { Connections } from "#server/embedded/connections.ts";
import { connectionOptions } from "#server/embedded/pool.ts";
import { connectionsSql } from "#server/embedded/sql.ts";
import { connectPaystack } from "#server/payments/paystack.ts";
import type { PaymentProvider } from "#server/payments/provider.ts";
import { createTill } from "#server/payments/settle.ts";
import type { CallDatabase } from "#server/shared/call-database.ts";
import { paystackKey } from "./paystack.ts";

/*
 * What the web server does about payments, in a process of its own, to be killed. It opens a payment of the order ORDER, or does
 * what the worker does. At STOP_AT, "before" or "after" a step, it says so and waits: a step is a function of the database, or
 * "ask open", "ask verify" and so on for what Paystack is asked.
 */
const { STOP_AT, ORDER, DATABASE = "", SERVER = "", PAYSTACK = "" } = process.env;
const access = { ...JSON.parse(SERVER), database: DATABASE };
const options = { ...connectionOptions, ...access };
const database = callIn(connectionsSql(Connections.to(`postgres://localhost/${DATABASE}`, options, 1)));

async function stopping<Result>(step: string, work: () => Promise<Result>): Promise<Result> {
  if (STOP_AT === `before ${step}`) await stop();
  const result = await work();
  // A claim that finds nothing is not a step.
  const isStep = step !== "claim_payment_check" || result !== null;
  if (STOP_AT === `after ${step}` && isStep) await stop();
  return result;
}

async function stop(): Promise<void> {
  process.send?.(STOP_AT);
  await new Promise(() => {});
}

const call: CallDatabase = (name, values) => stopping(name, () => database(name, values));
const paystack = connectPaystack({ secretKey: paystackKey, url: PAYSTACK });
const provider: PaymentProvider = {
  ...paystack,
  open: (payment) => stopping("ask open", () => paystack.open(payment)),
  verify: (reference) => stopping("ask verify", () => paystack.verify(reference)),
  refund: (refund) => stopping("ask refund", () => paystack.refund(refund)),
  listRefunds: (id) => stopping("ask listRefunds", () => paystack.listRefunds(id)),
};
const till = createTill({ provider, call, siteUrl: "http://shop.example" });

process.on("disconnect", () => process.exit());
if (ORDER) await till.open(ORDER);
else while (await till.checkNext());
process.send?.("never came there");
